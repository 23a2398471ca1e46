use serde_json::Value;

use super::canvas::{place, width_of};
use super::frame::quoted;
use super::histogram::{columns, step_of};
use super::markup::{Markup, Tag, data_block};
use super::number::{Form, decimal};
use super::page;
use super::scale::{Scale, Unit};
use crate::simulate::report::Report;
use crate::statistics::Spread;
use crate::testing::{pin, run};

/// The report of a command line, without what differs between two runs or two versions.
fn report(line: &str) -> Report {
    let args: Vec<&str> = line.split(' ').chain(["--seed", "1", "--format", "json"]).collect();
    let (code, results, diagnostics) = run(&args);
    assert_eq!(code, 0, "{results}{diagnostics}");
    let mut value: Value = serde_json::from_str(&results).expect("JSON");
    without_times(&mut value);
    value["hash"] = "0123456789abcdef".into();
    value["version"] = "0.0.0".into();
    from(&value).expect("a report")
}

fn without_times(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                if name == "cpu_seconds" {
                    *value = 0.0.into();
                }
                without_times(value);
            }
        }
        Value::Array(values) => values.iter_mut().for_each(without_times),
        _ => {}
    }
}

fn from(value: &Value) -> Option<Report> {
    let mut report: Report = serde_json::from_value(value.clone()).ok()?;
    report.derive();
    Some(report)
}

const SIMULATION: &str = "simulate tictactoe --games 40 --look 10";
const COMPARISON: &str = "simulate nim --games 60 --look 5 --versus option.last=loses";
const SWEEP: &str = "simulate nim --games 30 --look 5 --sweep heap.most=5..7";
const SENSITIVITY: &str = "simulate nim --games 20 --look 5 --sensitivity";

/// Everything that reads like a tag is closed in its turn.
fn assert_balanced(html: &str) {
    let mut open: Vec<&str> = Vec::new();
    let mut rest = html.strip_prefix("<!DOCTYPE html>").expect("the type of the document");
    while let Some((_, after)) = rest.split_once('<') {
        let (tag, after) = after.split_once('>').expect("a tag that ends");
        rest = after;
        let name = tag.split([' ', '\n']).next().expect("a name");
        assert_eq!(tag.matches('"').count() % 2, 0, "quotes in <{tag}>");
        if let Some(name) = name.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name), "</{name}>");
        } else if !matches!(name, "meta" | "link" | "br") {
            assert!(name.chars().all(|c| c.is_ascii_alphanumeric()), "<{tag}>");
            open.push(name);
        }
    }
    assert!(open.is_empty(), "left open: {open:?}");
}

/// What a path says of the report: the sum of all places that it names.
fn at(report: &Value, paths: &str) -> f64 {
    fn one(value: &Value, path: &[&str]) -> f64 {
        let Some((first, rest)) = path.split_first() else {
            return value.as_f64().or_else(|| value.as_str()?.parse().ok()).expect("a number");
        };
        if let Some((from, to)) = first.split_once('~') {
            let (from, to): (usize, usize) = (from.parse().expect("an index"), to.parse().expect("an index"));
            return (from..=to).map(|at| one(&value[at], rest)).sum();
        }
        match first.parse::<usize>() {
            Ok(at) if value.is_array() => one(&value[at], rest),
            _ => one(&value[*first], rest),
        }
    }
    paths.split(' ').map(|path| one(report, &path.split('.').collect::<Vec<_>>())).sum()
}

/// All marks of a page agree with the report in it, and what is shown agrees with the marks. Gives how many there are.
fn assert_marked(html: &str) -> usize {
    let (_, json) = html.split_once("id=\"report\">").expect("the report");
    let report: Value = serde_json::from_str(json.split_once("</script>").expect("its end").0).expect("JSON");
    let mut marks = 0;
    for piece in html.split("data-path=\"").skip(1) {
        let (path, after) = piece.split_once('"').expect("an end");
        let before = &html[..html.len() - html.rsplit_once(piece).expect("the piece").1.len() - piece.len()];
        let tag = &before[before.rfind('<').expect("a tag")..];
        let value = tag.split("value=\"").nth(1).and_then(|value| value.split('"').next()).expect("a value");
        let value: f64 = value.parse().expect("a number");
        let known = at(&report, path);
        assert!((value - known).abs() <= known.abs() * 1e-9, "{path}: {value} is {known}");
        if tag.starts_with("<data") || tag.starts_with("<text") || tag.starts_with("<tspan") {
            let text = after.split_once('>').expect("a text").1.split('<').next().expect("an end");
            assert_shows(text, value, path);
        }
        marks += 1;
    }
    marks
}

/// A text shows a number if it is no further off than its last digit says.
fn assert_shows(text: &str, value: f64, path: &str) {
    let plain = text.replace('\u{202f}', "").replace('−', "-").replace('+', "");
    let (number, factor) = plain.strip_suffix('%').map_or((plain.as_str(), 1.0), |number| (number, 100.0));
    let shown: f64 = number.parse().unwrap_or_else(|_| panic!("{path}: `{text}` is no number"));
    let digits = number.split_once('.').map_or(0, |(_, digits)| digits.len());
    let off = if number.contains('e') {
        value.abs() * 0.01
    } else {
        0.5001 * 10_f64.powi(-i32::try_from(digits).expect("few"))
    };
    assert!((shown - value * factor).abs() <= off, "{path}: `{text}` for {value}");
}

fn whole(report: &Report) -> String {
    let html = page(report).expect("a page");
    assert_eq!(html, page(report).expect("a page"), "the same report, the same page");
    assert_balanced(&html);
    assert!(!html.contains("NaN") && !html.contains(">inf") && !html.contains("\"inf"), "something is no number");
    html
}

#[test]
fn pages_are_pinned() {
    for (name, line, least) in [
        ("simulation", SIMULATION, 60),
        ("comparison", COMPARISON, 150),
        ("sweep", SWEEP, 60),
        ("sensitivity", SENSITIVITY, 60),
    ] {
        let mut html = whole(&report(line));
        let marks = assert_marked(&html);
        assert!(marks > least, "{name} has {marks} marks");
        if name != "simulation" {
            for (begin, end) in [("<style>", "</style>"), ("id=\"report\">", "</script>")] {
                let from = html.find(begin).expect("a beginning") + begin.len();
                let to = from + html[from..].find(end).expect("an end");
                html.replace_range(from..to, "…");
            }
        }
        pin("page", name, &format!("ludex {line}"), &html);
    }
}

#[test]
fn nothing_in_a_report_is_taken_for_html() {
    let bad = "</script><script>alert(1)</script><img src=x onerror='alert(2)'>\"&\u{202e}";
    for line in [SIMULATION, COMPARISON, SWEEP, SENSITIVITY] {
        let report = report(line);
        let plain = whole(&report);
        let mut value = serde_json::to_value(&report).expect("JSON");
        spoil(&mut value, bad);
        let html = whole(&from(&value).expect("a report"));
        assert_balanced(&html);
        assert_marked(&html);
        for tag in ["<script", "<img", "<style", "<svg", "</script"] {
            let count = |html: &str| html.matches(tag).count();
            assert!(count(&html) <= count(&plain), "{tag} in {line}");
        }
        let seen = html.split_once("<script").map_or("", |(seen, _)| seen);
        assert!(seen.contains("&lt;img") && !seen.contains('\u{202e}'), "{line}");
    }
}

/// Puts something into every text that may be anything.
fn spoil(value: &mut Value, bad: &str) {
    let keep = ["kind", "sum", "squares", "measure", "when", "why", "gained", "lost"];
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                if keep.contains(&name.as_str()) {
                    continue;
                }
                spoil(value, bad);
            }
        }
        Value::Array(values) => values.iter_mut().for_each(|value| spoil(value, bad)),
        Value::String(text) => *text = format!("{text}{bad}"),
        _ => {}
    }
}

#[test]
fn games_that_do_not_end_have_a_page() {
    let html = whole(&report("simulate reversi --games 3 --most-entries 2 --look 2"));
    assert_marked(&html);
    assert!(html.contains("No game ended") && !html.contains("Who wins"));
    let html = whole(&report("simulate nim --games 3 --look 0"));
    assert_marked(&html);
    assert!(!html.contains("What players could do"));
}

/// What a report must be read with: games that failed, agents that chose by chance, a look that was cut short.
fn careful(value: &mut Value, bad: &str) {
    value["failures"] = serde_json::json!({"games": 3, "first": {
        "game": 7, "message": format!("too much{bad}"), "place": format!("rules:4{bad}"), "entries": 9,
        "log": format!("game x{bad}\n"),
        "shortest": {"entries": 2, "log": format!("game short{bad}\n"), "proof": "minimal", "positions": 5},
    }});
    if !value["seats"].is_null() {
        (value["seats"][0]["choices"], value["seats"][0]["by_chance"]) = (40.into(), 30.into());
        value["look"]["skipped"] = 11.into();
    }
}

#[test]
fn what_to_be_careful_about_is_on_the_page() {
    let at: [(&str, &[&str]); 4] = [
        (SIMULATION, &[""]),
        (COMPARISON, &["/base", "/changed"]),
        (SWEEP, &["/base", "/points/1/figures"]),
        (SENSITIVITY, &["/base", "/nudges/0"]),
    ];
    for (line, places) in at {
        let plain = whole(&report(line));
        assert!(!plain.contains("games failed") && !plain.contains("chose as chance would"), "{line}");
        for bad in ["", "</pre><img src=x>"] {
            let mut value = serde_json::to_value(report(line)).expect("JSON");
            for place in places {
                careful(value.pointer_mut(place).expect("games"), bad);
            }
            let html = whole(&from(&value).expect("a report"));
            assert_marked(&html);
            let count = |text: &str| html.split("<script").next().map_or(0, |seen| seen.matches(text).count());
            assert_eq!((count("games failed"), count("<img")), (places.len(), 0), "{line}");
            assert_eq!(count("game short"), places.len(), "{line}: the shortest log is shown");
            let seats = places.iter().filter(|place| !place.starts_with("/nudges")).count();
            assert_eq!(count("chose as chance would in "), seats, "{line}");
            assert_eq!(count("more there was too much work"), 1, "{line}");
        }
    }
}

/// Every number of a report, made anything.
#[test]
fn odd_numbers_break_no_page() {
    fn paths(value: &Value, here: &str, all: &mut Vec<String>) {
        match value {
            Value::Object(fields) => {
                fields.iter().for_each(|(name, value)| paths(value, &format!("{here}/{name}"), all));
            }
            Value::Array(values) => {
                values.iter().enumerate().for_each(|(at, value)| paths(value, &format!("{here}/{at}"), all));
            }
            Value::Number(_) => all.push(here.to_owned()),
            Value::String(text) if text.parse::<i64>().is_ok() => all.push(here.to_owned()),
            _ => {}
        }
    }
    for line in ["simulate nim --games 5 --look 2", "simulate nim --games 5 --look 0 --versus option.last=loses"] {
        let value = serde_json::to_value(report(line)).expect("JSON");
        let mut all = Vec::new();
        paths(&value, "", &mut all);
        for path in all {
            for odd in
                [0.into(), Value::from(i64::MIN), i64::MAX.into(), u64::MAX.into(), 1e300.into(), (-1e300).into()]
            {
                let mut value = value.clone();
                let place = value.pointer_mut(&path).expect("a place");
                *place = if place.is_string() { odd.to_string().into() } else { odd };
                if let Some(report) = from(&value) {
                    assert_balanced(&page(&report).expect("a page"));
                }
            }
        }
    }
}

#[test]
fn many_seats_and_actions_find_room() {
    let mut value = serde_json::to_value(report(SIMULATION)).expect("JSON");
    let seat = value["seats"][0].clone();
    let action = value["actions"][0].clone();
    for number in 0..4 {
        let mut seat = seat.clone();
        seat["seat"] = format!("{} {number}", "a very long name ".repeat(9)).into();
        value["seats"].as_array_mut().expect("seats").push(seat);
    }
    for number in 0..300 {
        let mut action = action.clone();
        action["action"] = format!("action{number}").into();
        value["actions"].as_array_mut().expect("actions").push(action);
    }
    let html = whole(&from(&value).expect("a report"));
    assert_marked(&html);
    assert!(html.contains("other actions together"));
    assert!(html.matches("class=\"name\"").count() < 80, "not every action is drawn");
}

#[test]
fn ticks_are_round_and_few() {
    let ticks = |low, high, unit| {
        let ticks = Scale::new((low, high), (0.0, 100.0)).ticks(5, unit);
        ticks.into_iter().map(|(_, text)| text).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(ticks(0.0, 10.0, Unit::Number), "0 2 4 6 8 10");
    assert_eq!(ticks(-0.5, 2.5, Unit::Whole), "0 1 2");
    assert_eq!(ticks(0.0, 1.0, Unit::Share), "0\u{202f}% 20\u{202f}% 40\u{202f}% 60\u{202f}% 80\u{202f}% 100\u{202f}%");
    assert_eq!(ticks(-0.03, 0.02, Unit::Number), "−0.03 −0.02 −0.01 0.00 0.01 0.02");
    assert_eq!(ticks(0.0, 40_000.0, Unit::Number), "0 10\u{202f}000 20\u{202f}000 30\u{202f}000 40\u{202f}000");
    for (low, high) in [(f64::NAN, 1.0), (f64::MIN, f64::MAX), (5.0, 5.0), (1e18, 1e18), (9.0, -9.0), (0.0, 1e-30)] {
        for scale in [Scale::new((low, high), (0.0, 100.0)), Scale::new((low, high), (100.0, 0.0)).rounded(5)] {
            assert!(scale.ticks(5, Unit::Number).len() <= 16);
            for value in [low, high, 0.0, f64::INFINITY] {
                assert!((0.0..=100.0).contains(&scale.at(value)), "{low} {high} {value}");
            }
        }
    }
}

#[test]
fn numbers_are_written_for_people() {
    assert_eq!(decimal(1234.0, 0), "1234");
    assert_eq!(decimal(12345.678, 2), "12\u{202f}345.68");
    assert_eq!(decimal(-0.001, 2), "0.00");
    assert_eq!(decimal(-1.5, 1), "−1.5");
    assert_eq!(decimal(-1_234_567.8, 2), "−1\u{202f}234\u{202f}568");
    assert_eq!(decimal(-9.2e18, 0), "−9.20e18");
    assert_eq!(Form::Share.show(0.4975), "49.8\u{202f}%");
    assert_eq!(Form::Digits(2).show(f64::NAN), "–");
}

#[test]
fn columns_are_few_and_lose_nothing() {
    for values in
        [vec![3, 4, 4, 9], vec![i64::MIN / 2, 0, i64::MAX / 2], (0..5000).collect(), (-700..900).step_by(7).collect()]
    {
        let mut spread = Spread::default();
        values.iter().for_each(|&value| spread.add(value, 2).expect("room"));
        let columns = columns(&spread, step_of([&spread]));
        assert!(columns.len() <= 49, "{}", columns.len());
        assert_eq!(columns.iter().map(|column| column.count).sum::<u128>(), 2 * values.len() as u128);
        assert!(columns.windows(2).all(|two| two[0].from < two[1].from && two[0].last + 1 == two[1].first));
    }
    assert_eq!(step_of(std::iter::empty()), 1);
}

#[test]
fn texts_are_escaped_and_cut() {
    let tag = Tag::new("p").with("title", "a\"b'<").text("<&>\n\u{7}");
    assert_eq!(Markup::from(tag).to_string(), "<p title=\"a&quot;b&#39;&lt;\">&lt;&amp;&gt; \u{fffd}</p>\n");
    let json = data_block("{\"a\":\"</script>&\u{2028}\"}").to_string();
    assert!(json.contains("\\u003c/script\\u003e\\u0026\\u2028"), "{json}");
    assert_eq!((place(f64::NAN), place(-0.01), place(1.25)), ("0".to_owned(), "0".to_owned(), "1.2".to_owned()));
    assert!(width_of("WWW") > width_of("iii"));
    assert_eq!(quoted("a b'c"), "'a b'\\''c'");
    assert_eq!(quoted("heap.most=5..7"), "heap.most=5..7");
}
