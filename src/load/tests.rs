use std::fs;
use std::path::{Path, PathBuf};

use super::{Candidates, Request, load_rules};

fn game(name: &str, players: u32) -> String {
    format!(
        "game {name} \"Title\"\nplayers {players}\nflow {{ end }}\nscore(p: Player) = 0\n\
         winner(p: Player) by score(p) ties share\n"
    )
}

fn put(folder: &Path, file: &str, text: &str) {
    let path = folder.join(file);
    fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
    fs::write(path, text).expect("a file");
}

fn shown(candidates: &Candidates, folder: &Path) -> Vec<String> {
    let folder = folder.display().to_string();
    candidates.found.iter().map(|one| one.shown.replace(&folder, "case")).collect()
}

#[test]
fn candidates_are_the_folder_around_the_log_then_paths_then_the_bundled_one() {
    let folder = crate::testing::case_folder("lookup");
    put(&folder, "nim/mine.ludex", &game("nim", 2));
    put(&folder, "nim/logs/old/x.log", "");
    put(&folder, "path/nim/nim.ludex", &game("nim", 3));
    put(&folder, "here/nim.ludex", &game("nim", 4));
    let paths = [folder.join("path"), folder.join("here"), folder.join("nowhere")];
    let all = Candidates::of("nim", Some(&folder.join("nim/logs/old/x.log")), &paths);
    let expected = ["case/nim/mine.ludex", "case/path/nim/nim.ludex", "case/here/nim.ludex", "nim"];
    assert_eq!(shown(&all, &folder), expected);
    // The hash decides; without one that fits, the order.
    for candidate in &all.found {
        assert_eq!(all.choose(Some(candidate.hash)).expect("one").shown, candidate.shown);
    }
    assert_eq!(all.choose(Some(1)).expect("one").shown, all.found.first().expect("one").shown);
    assert_eq!(all.choose(None).expect("one").shown, all.found.first().expect("one").shown);
}

#[test]
fn a_folder_beside_a_log_is_no_candidate() {
    let folder = crate::testing::case_folder("lookup-beside");
    put(&folder, "nim/nim.ludex", &game("nim", 2));
    put(&folder, "logs/nim.ludex", &game("nim", 2));
    put(&folder, "other/other.ludex", &game("other", 2));
    put(&folder, "other/logs/x.log", "");
    for log in ["x.log", "nim/x.log", "logs/x.log", "other/logs/x.log"] {
        put(&folder, log, "");
        let all = Candidates::of("nim", Some(&folder.join(log)), &[]);
        assert_eq!(shown(&all, &folder), ["nim"], "{log}");
    }
}

#[test]
fn a_path_is_looked_up_by_its_last_part_only() {
    for (named, name) in [
        ("../../../etc/passwd", "passwd"),
        ("./games/nim.ludex", "nim"),
        ("/games/tikal/:professional+german", "tikal:professional+german"),
        ("..\\games\\nim", "nim"),
        ("..", ".."),
        ("/", ""),
    ] {
        let all = Candidates::of(named, None, &[]);
        assert_eq!((all.name.as_str(), all.from_path), (name, true));
        assert_eq!(all.found.len(), usize::from(!["passwd", "..", ""].contains(&name)), "{named}");
    }
    assert!(Candidates::of("no/such\u{1b}", None, &[PathBuf::from(".")]).found.is_empty());
}

#[test]
fn logs_name_the_game_never_a_path() {
    for (ruleset, name) in [
        ("nim", "nim"),
        ("tikal:professional+romanian", "tikal:professional+romanian"),
        ("./rulesets/classics/nim", "nim"),
        ("rulesets/classics/nim/nim.ludex", "nim"),
        ("rulesets/tikal:german", "tikal:german"),
        ("rulesets/tikal/professional.ludex:german", "tikal:professional+german"),
    ] {
        let loaded = load_rules(&Request { ruleset: ruleset.to_owned(), ..Request::default() });
        assert_eq!(loaded.log_name(), name, "{ruleset}");
    }
}
