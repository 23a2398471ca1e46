use super::{Audit, Ledger, RuleId, reads_numbers};
use crate::bind::{self, Choice};
use crate::check::{Checked, check};
use crate::compile::compile;
use crate::evaluate::Decision;
use crate::load::{Folder, Loaded, Request, load, variants};
use crate::log;
use crate::play::{Random, Session};

/// A ruleset for one number of players.
fn ruleset(name: &str, players: u32) -> Option<(Loaded, Checked)> {
    let loaded = load(&Request { ruleset: name.to_owned(), ..Request::default() });
    let mut faults = Vec::new();
    let items = bind::effective(&loaded.layers, &mut faults);
    let bound = bind::bind(&items, &[], Choice { players: Some(players), numbers: &loaded.numbers }, &mut faults);
    let possible = (bound.players.fewest..=bound.players.most).contains(&players);
    let checked = possible.then(|| check(bound, &mut faults));
    checked.map(|checked| (loaded, checked))
}

/// Plays at random; gives the decisions and the scores.
fn played(checked: &Checked, seed: u64, most: usize) -> (Vec<Decision>, Vec<i64>) {
    let program = compile(checked).expect("a program");
    let mut session = Session::new(checked, &program).expect("a game");
    let mut random = Random::new(seed);
    while session.decisions().len() < most
        && let Some(decision) = session.draw(&mut random).expect("no trouble")
    {
        session.enter(&decision).expect("a legal decision");
    }
    (session.decisions().to_vec(), session.scores().expect("scores"))
}

/// Every ledger of a game sums to its score, line by line.
fn must_sum(audit: &Audit<'_>, scores: &[i64], entries: usize, name: &str) -> usize {
    let mut lines = 0;
    for (seat, score) in (0..).zip(scores) {
        let ledger = audit.ledger(seat).expect("a ledger");
        assert_eq!(ledger.total, *score, "{name}, seat {seat}");
        let mut total = 0;
        for line in &ledger.lines {
            total += line.points;
            assert_eq!(line.total, total, "{name}, seat {seat}: {line:?}");
            assert!(line.points != 0 && !line.what.is_empty() && !line.rules.is_empty(), "{name}: {line:?}");
            assert!(line.entry.iter().chain(&line.from).all(|entry| *entry <= entries), "{name}: {line:?}");
            assert!(line.from.len() <= 3 && line.from.is_sorted(), "{name}: {line:?}");
        }
        assert_eq!(total, *score, "{name}, seat {seat}");
        lines += ledger.lines.len();
    }
    lines
}

/// Rules and points, line by line.
fn points(audit: &Audit<'_>, seat: u32) -> Vec<(i64, Vec<RuleId>)> {
    audit.ledger(seat).expect("a ledger").lines.into_iter().map(|line| (line.points, line.rules)).collect()
}

#[test]
fn ledgers_of_random_games_sum_to_the_scores() {
    let mut by_position = 0;
    for name in Folder::bundled_names() {
        let mut names = vec![name.to_owned()];
        names.extend(variants(name).into_iter().map(|variant| format!("{name}:{variant}")));
        for name in names {
            let mut lines = 0;
            for players in 1..=4 {
                let Some((loaded, checked)) = ruleset(&name, players) else { continue };
                for (seed, most) in [(1, 2000), (2, 2000), (3, 60)] {
                    let (decisions, scores) = played(&checked, seed, most);
                    let audit = Audit::of(&checked, &loaded.sources, &decisions).expect("an audit");
                    lines += must_sum(&audit, &scores, decisions.len(), &name);
                    if reads_numbers(&checked.bound) {
                        continue;
                    }
                    // The last position is enough, and may not take more steps than there are.
                    by_position += 1;
                    let at_end = |steps| Audit::at_end(&checked, &loaded.sources, audit.stand().state.clone(), steps);
                    let short = at_end(u64::MAX);
                    for seat in 0..players {
                        assert_eq!(points(&short, seat), points(&audit, seat), "{name}, seat {seat}");
                    }
                    let taken = u64::MAX - short.steps_left();
                    let tired = at_end(taken - 1);
                    assert!((0..players).any(|seat| tired.ledger(seat).is_err()) && tired.steps_left() == 0, "{name}");
                }
                if let Ok(Some(_)) = Audit::limited(&checked, &loaded.sources, &played(&checked, 1, 2000).0, 3) {
                    panic!("{name} takes more than three steps");
                }
            }
            assert!(lines > 0, "nobody ever scores in {name}");
        }
    }
    assert!(by_position > 0);
}

/// A ruleset in which points go every way that the language has.
const EVERYTHING: &str = r#"game points "Points"
players 2: ana, ben

state {
    points[Player]: -99..99 = 5
    pot: 0..99 = 7
    coins[Player]: 0..99 = 10
    bag[1..2]: 0..9 = 2
    best: 0..99?
    gems: set of 1..4 = {}
}

state turn { fresh: 0..9 = 1 }

def bonus(p: Player) = 2 * coins[p] - (if p is ana then 1 else 0)

award most(p: Player)
    "Who has most coins"
    by coins[p]
    pays 4, 1
    ties share

action take(n: 1..3)
    "Take from the pot"
    cost coins[me]: n
    require there: pot >= n + 1  "enough is left"
{
    let gain = most(me) + n
    points[me] += gain
    pot -= n
    fresh += n
    points[me] = points[me] + fresh
    points[me] -= 1
    best = pot
    gems += n
    bag[1] += 1
    draw coin from bag
    if n is 2 { points[ana] <-> points[ben] }
}

flow {
    cycle p clockwise from ana until pot < 3 {
        turn p { choose take or pass { } }
    }
    end
}

score(p: Player) = points[p] + bonus(p) + (best or 3) + fresh + bag[2] - 3 * (count g in gems: g > 1) + size(gems)
winner(p: Player) by score(p) ties share
"#;

fn ledger_of(entries: &str) -> (Ledger, Vec<String>) {
    let folder = tempfile::tempdir().expect("a folder");
    let rules = folder.path().join("points.ludex");
    std::fs::write(&rules, EVERYTHING).expect("a file");
    let text = format!("game case\nplayers ana, ben\n\n{entries}");
    let rules = rules.display().to_string();
    let wanted = log::Wanted { rules: Some(&rules), ..log::Wanted::default() };
    let opened = log::open_game("game.log", &text, None, wanted).unwrap_or_else(|closed| panic!("{:?}", closed.faults));
    let program = compile(&opened.checked).expect("a program");
    let mut session = Session::new(&opened.checked, &program).expect("a game");
    for (entry, span) in &opened.entries {
        let entered = session.enter_entry(entry);
        assert_eq!(entered, Ok(()), "{}", opened.loaded.sources.slice(*span));
    }
    let audit = Audit::of(&opened.checked, &opened.loaded.sources, session.decisions()).expect("an audit");
    must_sum(&audit, &session.scores().expect("scores"), session.decisions().len(), entries);
    let ledger = audit.ledger(0).expect("a ledger");
    let shown =
        ledger.lines.iter().map(|line| format!("{:+} {:?} {:?} {}", line.points, line.entry, line.from, line.what));
    (ledger.clone(), shown.collect())
}

#[test]
fn points_are_followed_wherever_they_come_from() {
    let (ledger, lines) = ledger_of("ana take 1\ncoin = 2\nben take 2\ncoin = 1\nana take 1\ncoin = 2\n");
    crate::testing::pin("audit", "everything", "", &(lines.join("\n") + "\n"));
    assert!(ledger.lines.iter().any(|line| matches!(line.rule(), RuleId::Award(_))), "{lines:#?}");
}

#[test]
fn a_game_that_has_not_begun_has_a_ledger() {
    let (ledger, lines) = ledger_of("");
    assert!(ledger.lines.iter().all(|line| line.entry.is_none() && line.from.is_empty()), "{lines:#?}");
}
