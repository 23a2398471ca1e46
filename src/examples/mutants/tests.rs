use super::edit::{Edit, apply};
use super::trial::budget;
use super::{Fate, Mutant, Trial, list, numbers};
use crate::check;
use crate::examples::suite::{Suite, Wants};
use crate::limits;
use crate::load::{Loaded, Request, load};

/// Mutants of a ruleset that a test tries; `ludex test --mutants` tries all.
const SAMPLE: usize = 24;

/// Steps of an example that never ends.
const STEPS: u64 = 20_000_000;

/// Is a mutant noticed, if every example is played again?
fn noticed(suite: &Suite<'_>, mutant: &Mutant) -> bool {
    let mut tree = suite.loaded.numbers.clone();
    if let Edit::Number { way, to, .. } = &mutant.edit {
        numbers::set(&mut tree, way, *to);
        if check::ruleset(&Loaded { numbers: tree.clone(), ..suite.loaded.clone() }).has_errors() {
            return true;
        }
    }
    suite.sections.iter().any(|section| {
        let mut checked = suite.bind(section, &tree, &mut Vec::new());
        apply(&mutant.edit, &mut checked.bound);
        let checked = check::check(checked.bound, &mut Vec::new());
        suite.play_within(&checked, STEPS).is_some_and(|outcome| !outcome.passed())
    })
}

#[test]
fn examples_that_do_not_read_a_change_cannot_notice_it() {
    for name in ["breakthrough", "connectfour", "reversi", "maya"] {
        let loaded = load(&Request { ruleset: name.to_owned(), ..Request::default() });
        let suite = Suite::new(&loaded);
        let played = suite.run(2, Wants { moments: false, trace: true });
        // To try all of them by all examples would take too long: so many do, spread evenly over the ruleset.
        let all = list(&suite, 2);
        let step = all.len().div_ceil(SAMPLE);
        let all: Vec<Mutant> = all.into_iter().step_by(step).collect();
        for (mutant, fate) in all.iter().zip(Trial::new(&suite, &played, 2).run(&all, 2)) {
            let survives = matches!(fate, Fate::Survived(_) | Fate::Equivalent);
            assert_eq!(survives, !noticed(&suite, mutant), "{name}: {} {}: {fate:?}", mutant.name, mutant.change);
        }
    }
}

#[test]
fn a_mutant_has_steps_enough_and_no_more() {
    assert_eq!(budget(0), limits::MUTANT_STEPS);
    assert_eq!(budget(10) - budget(0), 10 * limits::MUTANT_SLOWER);
    let loaded = load(&Request { ruleset: "tictactoe".to_owned(), ..Request::default() });
    let suite = Suite::new(&loaded);
    for section in &suite.sections {
        let checked = suite.bind(section, &loaded.numbers, &mut Vec::new());
        let used = suite.steps(&checked);
        let passes = |steps: u64| suite.play_within(&checked, steps).expect("an example").passed();
        assert!(used > 0 && passes(used) && !passes(used - 1));
    }
}
