//! `src/testing/cases/*.ludex`: small rulesets, each with the codes that it must raise, and no others.
//!
//! `# expect CODE` at the top, once for each code; none for a ruleset that must be clean.

use std::collections::BTreeSet;
use std::fs;

use super::{root, run};

#[test]
fn cases_raise_what_they_expect() {
    let folder = root().join("src/testing/cases");
    let mut seen = 0;
    for entry in fs::read_dir(&folder).expect("the cases") {
        let path = entry.expect("a case").path();
        if path.extension().is_none_or(|kind| kind != "ludex") {
            continue;
        }
        let text = fs::read_to_string(&path).expect("a text");
        let expected: BTreeSet<String> =
            text.lines().filter_map(|line| line.strip_prefix("# expect ")).map(str::to_owned).collect();
        let (_, results, _) = run(&["check", &path.display().to_string(), "--format", "json"]);
        let found: BTreeSet<String> = results
            .lines()
            .map(|line| serde_json::from_str::<serde_json::Value>(line).expect("JSON"))
            .filter(|object| object["kind"] == "fault")
            .map(|object| object["code"].as_str().expect("a code").to_owned())
            .collect();
        assert_eq!(found, expected, "{}\n{results}", path.display());
        seen += 1;
    }
    assert!(seen > 15, "only {seen} cases were found");
}
