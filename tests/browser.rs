//! Pages in a real browser, spoken to by its own protocol over a pipe. `.ci/browser` installs Chromium and runs this.

#![expect(clippy::expect_used, reason = "what goes wrong in a test ends it")]

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use serde_json::{Value, json};

/// What a page is asked once it is open: gives a list of complaints. Everything that is folded up is opened first.
const ASK: &str = include_str!("browser.js");

/// A browser that is killed when it is not needed any more.
struct Browser {
    process: Child,
    to: ChildStdin,
    from: Receiver<Value>,
    session: Option<String>,
    sent: u64,
    /// What the page complained of by itself.
    heard: Vec<String>,
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Browser {
    fn open(folder: &Path) -> Self {
        // The protocol is on the descriptors 3 and 4; a shell makes them of those that every process has.
        let line = "exec chromium --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --no-first-run \
                    --disable-extensions --disable-background-networking --remote-debugging-pipe \
                    --user-data-dir=\"$0\" about:blank 3<&0 4>&1 </dev/null >/dev/null 2>/dev/null";
        let mut process = Command::new("sh")
            .args(["-c", line])
            .arg(folder.join("profile"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("a shell");
        let (to, answers) = (process.stdin.take().expect("a pipe"), process.stdout.take().expect("a pipe"));
        let (send, from) = channel();
        std::thread::spawn(move || {
            let mut answers = BufReader::new(answers);
            let mut text = Vec::new();
            while answers.read_until(0, &mut text).is_ok_and(|length| length > 0) {
                text.pop();
                if serde_json::from_slice(&text).is_ok_and(|message| send.send(message).is_ok()) {
                    text.clear();
                } else {
                    break;
                }
            }
        });
        let mut browser = Self { process, to, from, session: None, sent: 0, heard: Vec::new() };
        let target = browser.call("Target.createTarget", &json!({ "url": "about:blank" }));
        let attached =
            browser.call("Target.attachToTarget", &json!({ "targetId": target["targetId"], "flatten": true }));
        browser.session = attached["sessionId"].as_str().map(str::to_owned);
        for domain in ["Page", "Runtime", "Log", "Network"] {
            browser.call(&format!("{domain}.enable"), &json!({}));
        }
        browser
    }

    /// Says something, and waits for the answer.
    fn call(&mut self, method: &str, parameters: &Value) -> Value {
        self.sent += 1;
        let mut message = json!({ "id": self.sent, "method": method, "params": parameters });
        if let Some(session) = &self.session {
            message["sessionId"] = session.as_str().into();
        }
        self.to.write_all(format!("{message}\0").as_bytes()).expect("the browser listens");
        self.to.flush().expect("the browser listens");
        let sent = self.sent;
        let answer = self.wait(|message| message["id"] == sent);
        assert!(answer["error"].is_null(), "{method}: {answer}");
        answer["result"].clone()
    }

    /// Listens until something comes.
    fn wait(&mut self, wanted: impl Fn(&Value) -> bool) -> Value {
        loop {
            let message = self.from.recv_timeout(Duration::from_mins(1)).expect("Chromium answers");
            if wanted(&message) {
                return message;
            }
            self.listen(&message);
        }
    }

    fn listen(&mut self, message: &Value) {
        let parameters = &message["params"];
        match message["method"].as_str().unwrap_or_default() {
            "Runtime.consoleAPICalled" | "Runtime.exceptionThrown" | "Log.entryAdded" => {
                self.heard.push(format!("console: {parameters}"));
            }
            "Network.requestWillBeSent" => {
                let url = parameters["request"]["url"].as_str().unwrap_or_default();
                if parameters["type"] != "Document" && !url.starts_with("data:") {
                    self.heard.push(format!("request: {url}"));
                }
            }
            _ => {}
        }
    }

    /// Opens a page at a width; gives all complaints.
    fn look(&mut self, page: &Path, width: u32, media: &str, scheme: &str) -> Vec<String> {
        self.heard.clear();
        self.call(
            "Emulation.setDeviceMetricsOverride",
            &json!({ "width": width, "height": 900, "deviceScaleFactor": 1, "mobile": false }),
        );
        let feature = json!([{ "name": "prefers-color-scheme", "value": scheme }]);
        self.call("Emulation.setEmulatedMedia", &json!({ "media": media, "features": feature }));
        self.call("Page.navigate", &json!({ "url": format!("file://{}", page.display()) }));
        self.wait(|message| message["method"] == "Page.loadEventFired");
        let asked = self.call("Runtime.evaluate", &json!({ "expression": ASK, "returnByValue": true }));
        let answer = &asked["result"]["value"];
        let mut all = std::mem::take(&mut self.heard);
        match answer.as_array() {
            Some(complaints) => all.extend(complaints.iter().map(ToString::to_string)),
            None => all.push(format!("no answer: {asked}")),
        }
        all.into_iter().map(|text| format!("{width} {media} {scheme}: {text}")).collect()
    }
}

fn ludex(args: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_ludex")).args(args).output().expect("ludex runs");
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

/// A page of each kind, and one that wants too much.
fn pages(folder: &Path) -> Vec<PathBuf> {
    let kinds: [(&str, &[&str]); 6] = [
        ("simulation", &["tikal", "--players", "4", "--games", "30", "--look", "5"]),
        ("comparison", &["tikal", "--games", "30", "--look", "3", "--versus", "cost.camp=9"]),
        ("sweep", &["maya", "--players", "3", "--games", "10", "--look", "2", "--sweep", "prize.centre=3..6"]),
        ("rulings", &["maya", "--games", "5", "--look", "2", "--sweep", "ruling.raven_goes=cut,anywhere"]),
        ("sensitivity", &["nim", "--games", "200", "--sensitivity"]),
        ("unfinished", &["reversi", "--games", "3", "--most-entries", "2"]),
    ];
    let mut pages = Vec::new();
    for (name, args) in kinds {
        let page = folder.join(format!("{name}.html"));
        let file = page.display().to_string();
        let json = ludex(&[&["simulate"], args, &["--seed", "1", "--report", &file, "--format", "json"]].concat());
        if name == "simulation" {
            pages.push(crowded(&json, folder));
        }
        pages.push(page);
    }
    pages
}

/// Six seats with long names that look like HTML, and hundreds of actions.
fn crowded(json: &str, folder: &Path) -> PathBuf {
    let mut report: Value = serde_json::from_str(json).expect("a report");
    report["title"] = "<script>alert(1)</script> Incomprehensibilities_without_any_blank_".repeat(3).into();
    for (list, name, most) in [("seats", "seat", 6), ("actions", "action", 300)] {
        let all = report[list].as_array_mut().expect("a list");
        for number in all.len()..most {
            let mut one = all.first().expect("one").clone();
            one[name] = format!("<b>WWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWW{number}").into();
            all.push(one);
        }
    }
    let (json, page) = (folder.join("crowded.json"), folder.join("crowded.html"));
    fs::write(&json, report.to_string()).expect("a file");
    ludex(&["report", "page", &json.display().to_string(), "-o", &page.display().to_string()]);
    page
}

#[test]
#[ignore = "needs Chromium; `.ci/browser` installs it and runs this"]
fn pages_hold_in_a_browser() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut browser = Browser::open(folder.path());
    let mut complaints = Vec::new();
    for page in pages(folder.path()) {
        for (width, media, scheme) in [
            (400, "screen", "light"),
            (400, "screen", "dark"),
            (1200, "screen", "light"),
            (1200, "screen", "dark"),
            (720, "print", "dark"),
        ] {
            let name = page.file_name().expect("a name").display();
            complaints
                .extend(browser.look(&page, width, media, scheme).into_iter().map(|text| format!("{name} {text}")));
        }
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

/// What is looked for is found: each change breaks one thing.
#[test]
#[ignore = "needs Chromium; `.ci/browser` installs it and runs this"]
fn broken_pages_are_noticed() {
    let folder = tempfile::tempdir().expect("a folder");
    let page = folder.path().join("page.html");
    let file = page.display().to_string();
    ludex(&["simulate", "nim", "--games", "50", "--seed", "1", "--report", &file]);
    let text = fs::read_to_string(&page).expect("a page");
    let mut browser = Browser::open(folder.path());
    assert_eq!(browser.look(&page, 400, "screen", "light"), Vec::<String>::new());
    let breaks = [
        ("a wrong number", "<data value=\"50\"", "<data value=\"51\""),
        ("a wrong text", ">50</data>", ">51</data>"),
        ("a wrong place", "data-path=\"length.mean\"", "data-path=\"length.men\""),
        ("a picture from elsewhere", "<main>", "<main><img src=\"http://127.0.0.1:9/x.png\" alt=\"\">"),
        ("a script", "<main>", "<main><script>console.log(1)</script>"),
        ("something wide", "<main>", "<main><div style=\"width: 2000px\">x</div>"),
        ("a drawing without size", "svg { display: block; width: 100%", "svg { display: block; width: 0"),
        ("words that are cut off", "svg text { font: 12px", "svg text { font: 60px"),
        ("words that cannot be read", "--ink: #1c1f24", "--ink: #dddddd"),
        ("no report", "id=\"report\"", "id=\"other\""),
    ];
    for (what, from, to) in breaks {
        assert!(text.contains(from), "{what}: nothing to break");
        let broken = folder.path().join("broken.html");
        fs::write(&broken, text.replacen(from, to, 1)).expect("a file");
        let complaints = browser.look(&broken, 400, "screen", "light");
        assert!(!complaints.is_empty(), "{what} is not noticed");
    }
}
