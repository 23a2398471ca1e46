//! The same bytes whoever works: one thread or eight, for every bundled ruleset and for generated ones.

use std::fs;
use std::path::Path;

use super::engines::names;
use super::{case_folder, generated, run};
use crate::examples::{cores, parallel};

/// Generated rulesets, from this seed on.
const GENERATED: std::ops::Range<u64> = 900..925;

/// Lines and fields that say how long something took, and how it was asked for.
fn without_times(text: &str) -> String {
    let mut kept = String::new();
    for line in text.lines().filter(|line| !line.contains("of CPU time")) {
        let mut rest = line;
        for key in ["\"command\":[", "\"cpu_seconds\":", "\"playouts_per_second\":", "\"entries_per_second\":"] {
            while let Some((before, after)) = rest.split_once(key) {
                kept += before;
                let end = if key.ends_with('[') { after.find(']') } else { after.find([',', '}']) };
                rest = after.get(end.unwrap_or(0)..).unwrap_or_default();
            }
        }
        kept += rest;
        kept.push('\n');
    }
    kept
}

/// What a command prints with so many threads.
fn printed(args: &[&str], jobs: &str) -> (u8, String, String) {
    let (code, results, diagnostics) = run(&[args, &["--jobs", jobs]].concat());
    (code, without_times(&results), without_times(&diagnostics))
}

fn same(args: &[&str]) -> Result<(), String> {
    let (one, eight) = (printed(args, "1"), printed(args, "8"));
    if one == eight { Ok(()) } else { Err(format!("{args:?}\n{one:?}\nand\n{eight:?}")) }
}

/// Every command that works with threads, for people and for programs.
fn alike(name: &str, folder: &Path) -> Result<(), String> {
    let logs = |jobs: &str| folder.join(format!("logs-{jobs}")).display().to_string();
    for jobs in ["1", "8"] {
        let to = logs(jobs);
        let args =
            ["simulate", name, "--games", "6", "--seed", "3", "--look", "0", "--most-entries", "200", "--logs", &to];
        printed(&args, jobs);
    }
    let files = |jobs: &str| -> Vec<(String, Vec<u8>)> {
        let found = fs::read_dir(logs(jobs)).into_iter().flatten().flatten();
        let mut all: Vec<_> = found
            .map(|file| (file.file_name().display().to_string(), fs::read(file.path()).unwrap_or_default()))
            .collect();
        all.sort();
        all
    };
    // Games of a bundled ruleset end; those of a generated one may all end with a runtime error.
    if names().iter().any(|known| known == name) && files("1").len() != 6 {
        return Err(format!("{} logs of six games", files("1").len()));
    }
    if files("1") != files("8") {
        return Err("other logs".to_owned());
    }
    let judged = logs("1");
    for format in ["human", "json"] {
        let rest = ["--format", format];
        let simulate = ["simulate", name, "--games", "12", "--seed", "5", "--look", "3", "--most-entries", "200"];
        same(&[&simulate[..], &rest].concat())?;
        same(&[&["test", name][..], &rest].concat())?;
        same(&[&["perft", name, "--depth", "1"][..], &rest].concat())?;
        if !files("1").is_empty() {
            same(&[&["validate", &judged, "--rules", name][..], &rest].concat())?;
        }
    }
    Ok(())
}

#[test]
fn threads_change_nothing_that_is_printed() {
    let mut all: Vec<(String, String)> = names().into_iter().map(|name| (name.clone(), name)).collect();
    for seed in GENERATED {
        let place = case_folder(&format!("alike-rules-{seed}"));
        let path = generated::put(&generated::files(seed), &place);
        all.push((format!("seed {seed}"), path));
    }
    let told = parallel::each(cores(), &all, |(shown, name)| {
        let folder = case_folder(&format!("alike-{}", shown.replace([':', ' ', '/'], "-")));
        alike(name, &folder).err().map(|wrong| format!("{shown}: {wrong}"))
    });
    let wrong: Vec<String> = told.into_iter().flatten().collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
