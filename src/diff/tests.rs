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

#[test]
fn every_row_of_a_long_table_is_compared() {
    let rules = "game long \"A long table\"\nplayers 2: first, second\n\ntable Card { worth: 0..9 }\n\n\
                 state { taken: 0..9 = 0 }\n\naction take \"Take one\" { taken += 1 }\n\n\
                 flow { turn first { choose take } end }\n\n\
                 score(p: Player) = taken + sum c in Card where ordinal(c) is 1: c.worth\nwinner(p: Player) by score(p)\n";
    let folder = crate::testing::case_folder("long-table");
    let named = |name: &str, last: usize| {
        let folder = folder.join(name).join("long");
        std::fs::create_dir_all(&folder).expect("a folder");
        // More rows than anybody could survey in a message.
        let worth = |row: usize| if row == 4050 { last } else { row % 9 };
        let rows: String = (0..4100).map(|row| format!("[card.c{row}]\nworth = {}\n", worth(row))).collect();
        std::fs::write(folder.join("long.ludex"), rules).expect("rules");
        std::fs::write(folder.join("long.toml"), rows).expect("rows");
        format!("./{}", folder.display())
    };
    let (diff, ..) = diff(&named("old", 1), (&named("new", 7), &[]), &plan(1, 1));
    let numbers: Vec<_> =
        diff.numbers.iter().map(|one| (one.key.as_str(), one.old.as_deref(), one.new.as_deref())).collect();
    assert_eq!(numbers, [("card.c4050.worth", Some("1"), Some("7"))]);
}
