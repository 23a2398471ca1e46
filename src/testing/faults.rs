//! The pages of `docs/faults`: each is the explanation of a code, its smallest faulty input, and a case.

use std::fs;
use std::path::{Path, PathBuf};

use super::{case_folder, pin, root, run_in};
use crate::report::codes;

/// A case written on a page.
#[derive(Default)]
struct Case {
    files: Vec<(String, Vec<u8>)>,
    args: Vec<String>,
}

/// Fences with a file name hold the files of the case.
fn read_page(page: &str) -> Case {
    let mut case = Case::default();
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        let Some(info) = line.strip_prefix("```") else { continue };
        let body: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
        match info.split_whitespace().collect::<Vec<_>>().as_slice() {
            ["args"] => case.args = body.iter().map(|&line| line.to_owned()).collect(),
            ["hex", file] => case.files.push(((*file).to_owned(), hex(&body.join(" ")))),
            ["repeat", count, file] => {
                let count = count.parse().expect("a number of repetitions");
                case.files.push(((*file).to_owned(), repeated(&body, count).into_bytes()));
            }
            [_, file] => case.files.push(((*file).to_owned(), (body.join("\n") + "\n").into_bytes())),
            _ => {}
        }
    }
    case
}

fn hex(text: &str) -> Vec<u8> {
    text.split_whitespace().map(|byte| u8::from_str_radix(byte, 16).expect("hexadecimal bytes")).collect()
}

/// What stands before `...`, then the next line many times, then what stands after the second `...`.
fn repeated(body: &[&str], count: usize) -> String {
    let mut parts = body.split(|line| *line == "...");
    let (before, middle, after) = (parts.next(), parts.next(), parts.next());
    let join = |lines: Option<&[&str]>| lines.map(|lines| lines.join("\n")).unwrap_or_default();
    let middle = join(middle);
    let many = vec![middle.as_str(); count].join("\n");
    [join(before), many, join(after)].join("\n") + "\n"
}

fn write(folder: &Path, case: &Case) {
    for (file, bytes) in &case.files {
        let path = folder.join(file);
        fs::create_dir_all(path.parent().expect("a parent")).expect("a folder for the case");
        fs::write(path, bytes).expect("a file of the case");
    }
}

fn page_path(id: &str) -> PathBuf {
    root().join("docs/faults").join(format!("{}.md", id.replace("::", "/")))
}

#[test]
fn every_page_raises_its_code() {
    for code in codes::ALL {
        let case = read_page(code.page);
        if case.files.is_empty() && case.args.is_empty() {
            // No files are known that raise these: whoever knows some has found a fault to mend.
            let internal = [codes::INTERNAL.id, codes::IMPOSSIBLE.id];
            assert!(internal.contains(&code.id), "the page of {} has no case", code.id);
            continue;
        }
        let place = case_folder(&code.id.replace("::", "-"));
        write(&place, &case);
        let shown = place.display().to_string();
        // What shows in play is raised by playing; everything else by `check`.
        let stage = code.id.split("::").next().unwrap_or("");
        let args: Vec<String> = if ["log", "verdict"].contains(&stage) && case.args.is_empty() {
            let (file, _) = case.files.first().expect("a log");
            vec![format!("{shown}/{file}")]
        } else if code.id.starts_with("machine::") {
            vec![shown.clone(), "--depth".to_owned(), "9".to_owned()]
        } else if case.args.is_empty() {
            vec![shown.clone()]
        } else {
            case.args.iter().map(|arg| arg.replace("{case}", &shown)).collect()
        };
        let command = match stage {
            "verdict" => "validate",
            "log" if !case.args.is_empty() => "validate",
            "log" => "moves",
            "machine" => "perft",
            "test" => "test",
            _ => "check",
        };
        let mut words = vec![command];
        words.extend(args.iter().map(String::as_str));
        let (_, text) = run_in(&place, "case", &words);
        assert!(text.contains(code.id), "{} is not raised by its page:\n{text}", code.id);
        pin("faults", &code.id.replace("::", "-"), "", &text);
    }
}

#[test]
fn pages_snapshots_and_codes_are_in_step() {
    let mut pages = Vec::new();
    for stage in fs::read_dir(root().join("docs/faults")).expect("pages") {
        let stage = stage.expect("a stage").path();
        for page in fs::read_dir(&stage).expect("pages of a stage") {
            let page = page.expect("a page").path();
            let name = page.file_stem().expect("a name").to_string_lossy().into_owned();
            pages.push(format!("{}::{name}", stage.file_name().expect("a stage").to_string_lossy()));
        }
    }
    for id in &pages {
        assert!(codes::find(id).is_some(), "docs/faults has a page for {id}, which is no code");
    }
    for code in codes::ALL {
        assert!(page_path(code.id).exists(), "{} has no page", code.id);
        assert!(code.page.lines().count() > 5, "the page of {} explains nothing", code.id);
        assert!(!code.title().contains("::") && code.title().len() > 5, "the page of {} has no title", code.id);
    }
    for snapshot in fs::read_dir(root().join("snapshots/faults")).expect("snapshots") {
        let name = snapshot.expect("a snapshot").file_name().to_string_lossy().into_owned();
        let known = codes::ALL.iter().any(|code| name == format!("{}.snap", code.id.replace("::", "-")));
        assert!(known || name.ends_with(".new"), "snapshots/faults/{name} belongs to no code");
    }
}
