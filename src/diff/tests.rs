use super::{Diff, Kind, Plan, Side};
use crate::judge::{By, Limits};

fn plan(games: u64, jobs: usize) -> Plan {
    let limits = Limits { positions: 200, steps: 200_000 };
    Plan { games, seed: 1, jobs, most_entries: 200, most_witnesses: 20, limits }
}

fn diff(old: &str, (new, settings): (&str, &[&str]), plan: &Plan) -> (Diff, Side, Side) {
    let seats = ["first".to_owned(), "second".to_owned()];
    let by = By { settings: settings.iter().map(|&setting| setting.to_owned()).collect(), ..By::default() };
    let a = Side::new(old, By::default(), &seats).expect("the old rules");
    let b = Side::new(new, by, &seats).expect("the new rules");
    (Diff::of(&a, &b, plan), a, b)
}

fn shown(diff: &Diff) -> Vec<String> {
    let line = |witness: &super::Witness| {
        let group = &witness.group;
        let before = witness.before.join("; ");
        format!("{} {} {}: {before} | {}", group.kind.word(), group.action, group.rule, witness.entry)
    };
    diff.witnesses.iter().map(line).collect()
}

#[test]
fn a_ruleset_does_not_differ_from_itself() {
    for name in ["nim", "tikal:professional"] {
        let (diff, ..) = diff(name, (name, &[]), &plan(3, 1));
        assert!(diff.is_empty(), "{name}: {diff:?}");
    }
}

#[test]
fn the_shortest_logs_show_what_differs() {
    let (diff, ..) = diff("nim", ("nim", &["option.last=loses"]), &plan(5, 2));
    assert_eq!(
        shown(&diff),
        ["scored-otherwise take : first take 3 from 1; second take 4 from 2 | first take 5 from 3"]
    );
    let (diff, ..) = self::diff("src/diff/cases/old", ("src/diff/cases/new", &[]), &plan(10, 2));
    let groups: Vec<String> = shown(&diff).iter().map(|line| line.split(':').next().unwrap_or("").to_owned()).collect();
    let kinds = [
        "newly-illegal buy unaffordable",
        "newly-illegal rest requirement rest.fresh",
        "newly-legal buy requirement buy.room",
        "dearer buy ",
        "scored-otherwise buy ",
        "another-effect buy purse",
        "another-effect rest purse",
    ];
    for kind in kinds {
        assert!(groups.iter().any(|group| group == kind), "{kind}: {groups:?}");
    }
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let one = |jobs| shown(&diff("nim", ("nim", &["option.last=loses"]), &plan(6, jobs)).0);
    assert_eq!(one(1), one(5));
}

#[test]
fn other_games_are_strangers() {
    let (diff, ..) = diff("nim", ("hex", &[]), &plan(1, 1));
    assert!(diff.strangers && !diff.is_empty());
    assert!(diff.witnesses.iter().all(|witness| witness.group.kind != Kind::Legal));
}
