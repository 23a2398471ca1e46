//! Writing a new file: as a whole or not at all.

use std::io::{self, Write};
use std::path::Path;

/// Writes beside the wanted place and moves the file there, so that nothing is ever half written.
pub(super) fn save(path: &Path, text: &str) -> io::Result<()> {
    let mut draft = builder().tempfile_in(folder_of(path))?;
    draft.write_all(text.as_bytes())?;
    draft.as_file().sync_all()?;
    draft.persist(path).map_err(|error| error.error)?;
    Ok(())
}

/// The folder that a file stands in.
pub(super) fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// A temporary file is its owner's alone; what is saved is an ordinary file.
#[cfg(unix)]
fn builder() -> tempfile::Builder<'static, 'static> {
    use std::os::unix::fs::PermissionsExt;
    let mut builder = tempfile::Builder::new();
    builder.prefix(".ludex-").permissions(std::fs::Permissions::from_mode(0o666));
    builder
}

#[cfg(not(unix))]
fn builder() -> tempfile::Builder<'static, 'static> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".ludex-");
    builder
}
