//! Writing files: as a whole or not at all.
//!
//! A text is written into a draft beside its place and then moved there. Whoever writes a draft holds a lock on it, so
//! that a later run can tell a draft that was left behind by a killed run from one that is being written, and delete it.

use std::fs::{self, File, TryLockError};
use std::io::{self, Write};
use std::path::Path;

use tempfile::{Builder, NamedTempFile};

/// What the names of drafts begin with.
const PREFIX: &str = ".ludex-";

/// What they end with.
const SUFFIX: &str = ".draft";

/// So often a draft is made anew that another run has swept away before it was locked.
const ATTEMPTS: usize = 100;

/// Writes a new file.
pub(super) fn save(path: &Path, text: &str) -> io::Result<()> {
    let mut draft = draft(folder_of(path))?;
    draft.write_all(text.as_bytes())?;
    draft.as_file().sync_all()?;
    draft.persist(path).map_err(|error| error.error)?;
    Ok(())
}

/// Writes a file that may be there already; keeps its mode, and a link stays a link.
pub(super) fn replace(file: &Path, text: &str) -> io::Result<()> {
    let target = if file.exists() { file.canonicalize()? } else { file.to_owned() };
    sweep(folder_of(&target));
    let mut draft = draft(folder_of(&target))?;
    draft.write_all(text.as_bytes())?;
    if let Ok(known) = fs::metadata(&target) {
        draft.as_file().set_permissions(known.permissions())?;
    }
    draft.as_file().sync_all()?;
    draft.persist(&target).map_err(|error| error.error)?;
    Ok(())
}

/// The folder that a file stands in.
pub(super) fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Can files be written into this folder? That is known by writing one.
pub(super) fn try_folder(folder: &Path) -> io::Result<()> {
    sweep(folder);
    draft(folder).map(|_| ())
}

/// Deletes drafts that killed runs have left in a folder. One that cannot be deleted does no harm.
pub(super) fn sweep(folder: &Path) {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    for entry in entries {
        let name = entry.file_name();
        let is_draft = name.to_str().is_some_and(|name| name.starts_with(PREFIX) && name.ends_with(SUFFIX));
        if !is_draft || !entry.file_type().is_ok_and(|kind| kind.is_file()) {
            continue;
        }
        let Ok(left) = File::open(entry.path()) else { continue };
        // Whoever is writing it holds the lock.
        if left.try_lock().is_ok() {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// A file in a folder that is being written, locked, with the rights that any new file gets.
fn draft(folder: &Path) -> io::Result<NamedTempFile> {
    for _ in 0..ATTEMPTS {
        let draft = builder().tempfile_in(folder)?;
        match draft.as_file().try_lock() {
            Ok(()) if draft.path().exists() => return Ok(draft),
            // Somebody sweeps, who took it for one that was left behind.
            Ok(()) | Err(TryLockError::WouldBlock) => {}
            // Where files cannot be locked, nothing can be swept away either.
            Err(TryLockError::Error(_)) => return Ok(draft),
        }
    }
    Err(io::Error::other("drafts are deleted by another program"))
}

/// A temporary file is its owner's alone; what is saved is an ordinary file.
fn builder() -> Builder<'static, 'static> {
    let mut builder = Builder::new();
    builder.prefix(PREFIX).suffix(SUFFIX);
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drafts_of_killed_runs_are_deleted_and_those_of_others_are_not() {
        let folder = crate::testing::case_folder("drafts");
        fs::write(folder.join(".ludex-killed.draft"), "half a lo").expect("a draft");
        fs::write(folder.join("game.log"), "a log").expect("a log");
        let running = draft(&folder).expect("a draft");
        sweep(&folder);
        let mut left: Vec<_> =
            fs::read_dir(&folder).expect("a folder").flatten().map(|entry| entry.file_name()).collect();
        left.sort();
        let own = running.path().file_name().expect("a name").to_owned();
        assert_eq!(left, [own, "game.log".into()]);
        drop(running);
    }
}
