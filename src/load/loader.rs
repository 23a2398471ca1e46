//! Finding and reading the files of a ruleset.

use std::path::{Path, PathBuf};

use super::edition;
use super::folder::{Folder, Trouble, read_text};
use super::lookup::Location;
use super::setting;
use super::texts::{begins_rules, only_rules};
use crate::ast::{self, File, ItemKind};
use crate::limits::{ITEMS, RULESET_FILES};
use crate::numbers::{NodeKind, Tree};
use crate::report::{Fault, FileId, Sources, Span, clean_path, codes, suggest};

/// What is asked for on the command line.
#[derive(Debug, Clone, Default)]
pub struct Request {
    /// `market`, `market:auction+english`, `./mine`, `mine/mine.ludex`
    pub ruleset: String,
    /// TOML files laid over the numbers.
    pub overlays: Vec<PathBuf>,
    /// `key=value`
    pub settings: Vec<String>,
    /// Where the ruleset is, if that was looked up already: then only its variants and editions are read from the name.
    pub location: Option<Location>,
}

/// A ruleset, read and parsed.
#[derive(Debug, Clone, Default)]
pub struct Loaded {
    /// As asked for.
    pub name: String,
    /// All texts.
    pub sources: Sources,
    /// The game's rules, then those of its variants.
    pub layers: Vec<File>,
    /// Files of examples.
    pub examples: Vec<File>,
    /// Numbers of all layers, the edition, overlays and settings.
    pub numbers: Tree,
    /// What went wrong on the way.
    pub faults: Vec<Fault>,
    /// Texts that come from the command line: faults in them are not the ruleset's.
    pub foreign: Vec<FileId>,
    /// Texts of the games and variants below the last layer.
    pub below: Vec<FileId>,
    /// Texts that make the rules what they are: not the examples.
    pub rules: Vec<FileId>,
    /// The variant whose file was named, if it is not that of the game.
    pub variant_file: Option<String>,
}

impl Loaded {
    /// Is there a fault that makes a verdict about the ruleset impossible?
    #[must_use]
    pub fn no_verdict(&self, faults: &[Fault]) -> bool {
        faults.iter().filter(|fault| fault.is_error()).any(|fault| {
            fault.code.id.starts_with("load::")
                || fault.code.id == codes::NESTING.id
                || self.foreign.contains(&fault.span.file)
                || fault.related.iter().any(|(span, _)| self.foreign.contains(&span.file))
        })
    }

    /// Does this text belong to the ruleset itself, not to what it is a variant of?
    #[must_use]
    pub fn is_own(&self, file: FileId) -> bool {
        !self.below.contains(&file)
    }

    /// Has somebody changed the rules for this run, by a setting or an overlay?
    #[must_use]
    pub fn is_changed(&self) -> bool {
        self.foreign.iter().any(|file| self.rules.contains(file))
    }
}

/// `market:auction+english` → `market`, [`auction`, `english`]
#[must_use]
pub fn parts_of(ruleset: &str) -> (&str, Vec<&str>) {
    match ruleset.rsplit_once(':') {
        // A drive letter is not a ruleset.
        Some((base, _)) if base.len() <= 1 => (ruleset, Vec::new()),
        // Nor is a colon in the name of a folder followed by variants.
        Some((_, parts)) if parts.contains(['/', '\\']) => (ruleset, Vec::new()),
        Some((base, parts)) => (base, parts.split('+').filter(|part| !part.is_empty()).collect()),
        None => (ruleset, Vec::new()),
    }
}

/// Reads everything that a request names.
#[must_use]
pub fn load(request: &Request) -> Loaded {
    read(request, true)
}

/// The same without examples, for whoever plays or judges: these are as long as the rules, and a slip in one of
/// them is no reason not to play.
#[must_use]
pub fn load_rules(request: &Request) -> Loaded {
    read(request, false)
}

fn read(request: &Request, with_examples: bool) -> Loaded {
    let mut loader =
        Loader { loaded: Loaded { name: request.ruleset.clone(), ..Loaded::default() }, ..Loader::default() };
    let command = loader.loaded.sources.add("command line", request.ruleset.as_str());
    loader.loaded.foreign.push(command);
    let whole = Span::new(command, 0, request.ruleset.len().max(1));
    let (base, parts) = parts_of(&request.ruleset);
    let found = match &request.location {
        Some(location) => Some((location.folder.clone(), location.main.clone())),
        None => loader.find(base, whole),
    };
    let Some((folder, file)) = found else { return loader.loaded };
    let mut chosen: Vec<String> = Vec::new();
    let main = loader.layer_chain(&folder, &file, &mut Vec::new());
    let variant = main.filter(|_| !folder.is_game(&file));
    loader.loaded.variant_file = variant.is_some().then(|| file_stem(&file).to_owned());
    chosen.extend(variant);
    let mut editions = Vec::new();
    for part in parts {
        let file = format!("{part}.ludex");
        if folder.files("").contains(&file) {
            if !loader.has_layer(&folder.shown(&file)) {
                loader.layer_chain(&folder, &file, &mut Vec::new());
                chosen.push(part.to_owned());
            }
        } else {
            editions.push(part);
        }
    }
    if with_examples {
        loader.examples(&folder, &chosen);
    }
    for part in editions {
        loader.edition(&folder, part, whole);
    }
    for overlay in &request.overlays {
        loader.overlay(overlay);
    }
    for text in &request.settings {
        loader.setting("--set", text);
    }
    loader.loaded
}

/// The same with further overlays and settings, laid over everything else; `flag` is what they are called by.
#[must_use]
pub fn load_changed(request: &Request, overlays: &[PathBuf], settings: &[String], flag: &str) -> Loaded {
    let mut loader = Loader { loaded: load(request), ..Loader::default() };
    for overlay in overlays {
        loader.overlay(overlay);
    }
    for text in settings {
        loader.setting(flag, text);
    }
    loader.loaded
}

pub(super) fn file_stem(file: &str) -> &str {
    file.strip_suffix(".ludex").unwrap_or(file)
}

#[derive(Default)]
pub(super) struct Loader {
    pub(super) loaded: Loaded,
    /// Bytes that were read so far.
    pub(super) bytes: usize,
}

impl Loader {
    pub(super) fn fault(&mut self, fault: Fault) {
        self.loaded.faults.push(fault);
    }

    /// Reads a file and, before it, what it is a variant of. Gives the variant's name.
    fn layer_chain(&mut self, folder: &Folder, file: &str, running: &mut Vec<String>) -> Option<String> {
        let shown = folder.shown(file);
        let id = self.keep(&shown, only_rules(folder.read(file)))?;
        let source = self.loaded.sources.get(id)?.clone();
        self.loaded.rules.push(id);
        if !begins_rules(source.text()) {
            self.fault(
                Fault::new(&codes::NO_GAME, Span::new(id, 0, 0), format!("`{shown}` is not a ruleset"))
                    .label("does not begin with `game` or `variant`")
                    .help("make `game name \"Title\"` the first item"),
            );
            return None;
        }
        let mut faults = Vec::new();
        let tree = ast::parse(id, &source, &mut faults);
        self.loaded.faults.extend(faults);
        running.push(file.to_owned());
        let mut variant = None;
        match tree.items.first().map(|item| &item.kind) {
            Some(ItemKind::Variant { name, base, .. }) => {
                variant = Some(name.text.clone());
                let below = format!("{}.ludex", base.text);
                if running.contains(&below) {
                    self.fault(
                        Fault::new(&codes::VARIANT_CYCLE, base.span, format!("`{}` is a variant of itself", name.text))
                            .label("leads back here")
                            .help("one of them must be the game"),
                    );
                } else if !folder.files("").contains(&below) {
                    self.fault(
                        Fault::new(&codes::MISSING_FILE, base.span, format!("there is no `{below}` beside this file"))
                            .label("what it is a variant of")
                            .help("name the game, or put its file into the same folder"),
                    );
                } else if !self.has_layer(&folder.shown(&below)) {
                    self.layer_chain(folder, &below, running);
                }
            }
            Some(ItemKind::Game { .. }) => {}
            _ => {
                let span = tree.items.first().map_or(Span::new(id, 0, 1), |item| item.span);
                let span = Span { end: span.end.min(span.start + 1), ..span };
                self.fault(
                    Fault::new(&codes::NO_GAME, span, "a ruleset begins with `game` or `variant`")
                        .label("begins otherwise")
                        .help("make `game name \"Title\"` the first item"),
                );
            }
        }
        // Everything read so far, but for this file, lies below it.
        self.loaded.below = self.loaded.sources.iter().map(|(below, _)| below).filter(|&below| below != id).collect();
        self.numbers_of(folder, file, &tree);
        self.loaded.layers.push(tree);
        variant
    }

    fn has_layer(&self, shown: &str) -> bool {
        self.loaded.sources.iter().any(|(_, source)| source.name() == shown)
    }

    /// The TOML files of a layer: the one of the same name, and those it names.
    fn numbers_of(&mut self, folder: &Folder, file: &str, tree: &File) {
        let mut names: Vec<(String, Option<Span>)> = Vec::new();
        let own = format!("{}.toml", file_stem(file));
        if folder.files("").contains(&own) {
            names.push((own, None));
        }
        for item in &tree.items {
            if let ItemKind::NumbersFile(text) = &item.kind {
                names.push((text.plain(), Some(text.span)));
            }
        }
        let mut joined = Tree::default();
        for (name, span) in names {
            let outside = name.contains(['/', '\\']) || name.contains("..");
            if let Some(span) = span
                && (outside || !folder.files("").contains(&name))
            {
                let why = if outside {
                    "a TOML file stands in the ruleset's own folder"
                } else {
                    "there is no such file beside the rules"
                };
                self.fault(
                    Fault::new(&codes::MISSING_FILE, span, format!("`{name}`: {why}"))
                        .label("not found")
                        .help("check the name; paths are not followed"),
                );
                continue;
            }
            let Some(id) = self.read(folder, &name) else { continue };
            self.loaded.rules.push(id);
            let Some(source) = self.loaded.sources.get(id).cloned() else { continue };
            let mut faults = Vec::new();
            let parsed = Tree::parse(id, &source, &mut faults);
            joined.join(parsed, &mut faults);
            self.loaded.faults.extend(faults);
        }
        self.loaded.numbers.overlay(joined);
    }

    fn examples(&mut self, folder: &Folder, variants: &[String]) {
        let below = match variants.last() {
            Some(variant) => format!("examples/{variant}"),
            None => "examples".to_owned(),
        };
        for below in [below.as_str(), "logs"] {
            if let Some(error) = folder.unreadable(below) {
                self.keep(&folder.shown(below), Err(Trouble::System(error)));
            }
        }
        let mut files = folder.files(&below);
        files.retain(|file| file.ends_with(".ludex"));
        if files.len() > RULESET_FILES {
            let id = self.loaded.sources.add(folder.shown(&below), "");
            let message = format!("`{}` holds more than {RULESET_FILES} files", folder.shown(&below));
            self.fault(
                Fault::new(&codes::TOO_LARGE, Span::new(id, 0, 0), message)
                    .label("here")
                    .help("put several examples into one file"),
            );
        }
        for file in files.iter().take(RULESET_FILES) {
            if let Some(id) = self.read(folder, &format!("{below}/{file}"))
                && let Some(source) = self.loaded.sources.get(id).cloned()
            {
                let mut faults = Vec::new();
                let parsed = ast::parse(id, &source, &mut faults);
                self.loaded.faults.extend(faults);
                let before: usize =
                    self.loaded.layers.iter().chain(&self.loaded.examples).map(|file| file.items.len()).sum();
                let left = ITEMS.saturating_sub(before);
                if let Some(item) = parsed.items.get(left) {
                    let first = Span { end: item.span.end.min(item.span.start + 1), ..item.span };
                    self.fault(ast::too_many_items(first));
                    return;
                }
                self.loaded.examples.push(parsed);
            }
        }
    }

    fn edition(&mut self, folder: &Folder, name: &str, at: Span) {
        match edition::source_of(&self.loaded.numbers, name) {
            Some(source) => edition::choose(&self.loaded.layers, &source, &mut self.loaded.numbers),
            None => {
                let mut known: Vec<String> = edition::names(&self.loaded.numbers);
                let files = folder.files("");
                let variants = files.iter().filter(|file| !folder.is_game(file));
                known.extend(variants.filter_map(|file| file.strip_suffix(".ludex")).map(str::to_owned));
                let near = suggest::did_you_mean(name, known.iter().map(String::as_str));
                let help = near.unwrap_or_else(|| {
                    if known.is_empty() {
                        "this ruleset has neither".to_owned()
                    } else {
                        format!("there are: {}", known.join(", "))
                    }
                });
                self.fault(
                    Fault::new(&codes::UNKNOWN_VARIANT, at, format!("no variant or edition `{name}`"))
                        .label("not known")
                        .help(help),
                );
            }
        }
    }

    fn overlay(&mut self, path: &Path) {
        let shown = clean_path(path);
        let read = read_text(path);
        let Some(id) = self.keep(&shown, read) else { return };
        self.loaded.foreign.push(id);
        self.loaded.rules.push(id);
        let Some(source) = self.loaded.sources.get(id).cloned() else { return };
        let mut faults = Vec::new();
        let tree = Tree::parse(id, &source, &mut faults);
        self.loaded.faults.extend(faults);
        self.loaded.numbers.overlay(tree);
    }

    fn setting(&mut self, flag: &str, text: &str) {
        let id = self.loaded.sources.add(flag, text);
        self.loaded.foreign.push(id);
        self.loaded.rules.push(id);
        match setting::parse(id, text) {
            Ok((path, node)) if self.inside_array(&path) => self.fault(
                Fault::new(&codes::BAD_SETTING, node.key, format!("`{path}` is part of an array"))
                    .label("cannot be set alone")
                    .help("lay the whole array over it with `--overlay`, or write it as a table in the TOML"),
            ),
            Ok((path, node)) => self.loaded.numbers.set(&path, node),
            Err(fault) => self.fault(*fault),
        }
    }

    fn inside_array(&self, path: &str) -> bool {
        let above = path.match_indices('.').map(|(at, _)| path.get(..at).unwrap_or(""));
        above.filter_map(|above| self.loaded.numbers.get(above)).any(|node| matches!(node.kind, NodeKind::Array(_)))
    }
}
