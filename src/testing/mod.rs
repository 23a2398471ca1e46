//! Tests that walk folders: adding a case means dropping a file.
//!
//! | folder | test | what it pins |
//! |---|---|---|
//! | `rulesets/` | `stages` | what each stage makes of each ruleset |
//! | `rulesets/*/examples/` | `examples` | what happens in each example, step by step |
//! | `rulesets/*/SOURCES.md` | `rows` | that each row of a rulebook has an example, and each allowed mutant a reason |
//! | `docs/faults/` | `faults` | the diagnostic that each page raises |
//! | `src/testing/cases/` | `cases` | the codes that small rulesets raise |
//! | `grammar/`, `README.md`, … | `documents` | that what the papers say is true |
//! | `rulesets/` | `engines` | that the compiled program plays as the reference does |
//! | `src/testing/engines/` | `constructs` | the same for what no bundled ruleset uses |
//! | none | `generated` | the same, and more laws, for rulesets that nobody wrote |
//! | all of these | `mutated` | that whatever is nearly right gets an answer |
//! | `rulesets/` | `ranges` | that numbers in their ranges stop no game |
//! | `src/testing/engines/` | `written` | that logs of simulated games are legal |
//! | all of these | `listed` | that what is listed is legal, and nothing else |
//! | both | `orders` | that the order of tests changes nothing |
//! | `rulesets/` | `alike` | that the number of threads changes nothing |
//! | `rulesets/*/logs/` | `verdicts` | the verdict of each log, and what is said about it |
//! | some of all these | `mutants` | that whatever passes the verifier stays within its memory |
//! | `src/testing/hungry/` | `limits` | that every command comes to an end, and every limit from both sides |
//! | | `work` | that what takes steps is counted, in both compiled engines |
//! | `src/` | `tidy` | sizes, module docs, nothing about a game |

mod alike;
mod cases;
mod constructs;
mod documents;
mod engines;
mod examples;
mod faults;
mod generated;
mod instructions;
mod laws;
mod limits;
mod listed;
mod mutants;
mod mutated;
mod native;
mod orders;
mod ranges;
mod robust;
mod rows;
mod snapshot;
mod stages;
mod tidy;
mod verdicts;
mod work;
mod written;

pub(crate) use engines::every_ruleset;
pub(crate) use snapshot::{case_folder, pin, root, run, run_in, run_typing};
