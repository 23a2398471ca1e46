use super::edit::{Edit, apply};
use super::{Fate, Mutant, Trial, list, numbers};
use crate::check;
use crate::examples::suite::{Suite, Wants};
use crate::load::{Loaded, Request, load};

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
        suite.play(section, &checked, Wants::default()).is_some_and(|played| !played.outcome.passed())
    })
}

#[test]
fn examples_that_do_not_read_a_change_cannot_notice_it() {
    for name in ["breakthrough", "connectfour", "reversi", "maya"] {
        let loaded = load(&Request { ruleset: name.to_owned(), ..Request::default() });
        let suite = Suite::new(&loaded);
        let played = suite.run(2, Wants { moments: false, trace: true });
        // A larger game has mutants enough for every third to do.
        let step = if list(&suite).len() > 20 { 3 } else { 1 };
        let all: Vec<Mutant> = list(&suite).into_iter().step_by(step).collect();
        for (mutant, fate) in all.iter().zip(Trial::new(&suite, &played, 2).run(&all, 2)) {
            let survives = matches!(fate, Fate::Survived(_));
            assert_eq!(survives, !noticed(&suite, mutant), "{name}: {} {}: {fate:?}", mutant.name, mutant.change);
        }
    }
}
