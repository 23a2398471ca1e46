// Asked of every page by `browser.rs`: a list of what is wrong with it.
(() => {
  const wrong = [];
  const say = (text) => wrong.length < 20 && wrong.push(text);
  const block = document.getElementById("report");
  if (!block) return ["there is no report in the page"];
  const report = JSON.parse(block.textContent);
  document.querySelectorAll("details").forEach((details) => (details.open = true));

  // Numbers: every mark is what the report says there, and what is shown is the mark.
  const find = (value, path) => {
    if (path.length === 0) return Number(value);
    const [first, ...rest] = path;
    if (first.includes("~")) {
      const [from, to] = first.split("~").map(Number);
      let sum = 0;
      for (let at = from; at <= to; at++) sum += find(value[at], rest);
      return sum;
    }
    return find(value === undefined || value === null ? undefined : value[first], rest);
  };
  const marks = document.querySelectorAll("[data-path]");
  if (marks.length < 5) say(`only ${marks.length} numbers are marked`);
  for (const mark of marks) {
    const shown = mark.localName === "data" ? mark.value : mark.dataset.value;
    const known = mark.dataset.path.split(" ").reduce((sum, path) => sum + find(report, path.split(".")), 0);
    if (!(Math.abs(Number(shown) - known) <= Math.abs(known) * 1e-9)) say(`${mark.dataset.path} is ${known}, not ${shown}`);
    if (!["data", "text", "tspan"].includes(mark.localName)) continue;
    const text = mark.textContent.replace(/\u202f/g, "").replace("−", "-").replace("+", "");
    const share = text.endsWith("%");
    const number = share ? text.slice(0, -1) : text;
    const digits = (number.split(".")[1] || "").length;
    const off = number.includes("e") ? Math.abs(known) * 0.01 : 0.5001 * 10 ** -digits;
    if (!(Math.abs(Number(number) - known * (share ? 100 : 1)) <= off)) say(`${mark.dataset.path} is ${known}, shown as ${text}`);
  }
  for (const cell of document.querySelectorAll("td.n, th.n"))
    if (!cell.querySelector("[data-path]") && cell.textContent !== "–") say(`a number without a mark: ${cell.textContent}`);

  // Room: nothing sticks out of the page, drawings have a size, and their words are inside.
  const width = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth > width) say(`${document.documentElement.scrollWidth} wide on ${width}`);
  for (const element of document.querySelectorAll("body *:not(.wide *)")) {
    const box = element.getBoundingClientRect();
    if (box.width > 0 && box.right > width + 1) say(`<${element.localName} ${element.className}> ends at ${box.right} of ${width}`);
  }
  for (const drawing of document.querySelectorAll("svg")) {
    const frame = drawing.getBoundingClientRect();
    if (!(frame.width > 100 && frame.height > 30)) say(`a drawing of ${frame.width} by ${frame.height}`);
    for (const words of drawing.querySelectorAll("text")) {
      const box = words.getBoundingClientRect();
      if (box.left < frame.left - 1 || box.right > frame.right + 1 || box.top < frame.top - 2 || box.bottom > frame.bottom + 2)
        say(`cut off: ${words.textContent}`);
    }
  }

  // Contrast: words stand out from what is behind them, 4.5 to 1.
  const colour = (text) => (text.match(/[\d.]+/g) || []).map(Number);
  const light = ([r, g, b]) => {
    const part = (c) => ((c /= 255) <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
    return 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b);
  };
  const behind = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const found = colour(getComputedStyle(at).backgroundColor);
      if (found.length === 3 || found[3] > 0) return found;
    }
    return [255, 255, 255];
  };
  for (const element of document.querySelectorAll("h1, h2, h3, p, dt, dd, li, td, th, caption, summary, code, svg text")) {
    const style = getComputedStyle(element);
    const [a, b] = [light(colour(element.localName === "text" ? style.fill : style.color)), light(behind(element))];
    const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (contrast < 4.5) say(`<${element.localName}> has a contrast of ${contrast.toFixed(1)}: ${element.textContent.slice(0, 40)}`);
  }
  return wrong;
})();
