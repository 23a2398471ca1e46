//! Puts every file of `rulesets/` into the binary, so that `ludex` works from any folder.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default()).join("rulesets");
    println!("cargo::rerun-if-changed={}", root.display());
    let mut files = Vec::new();
    collect(&root, &mut files)?;
    files.sort();
    let mut out = String::from("&[\n");
    for file in files {
        let name = file.strip_prefix(&root).unwrap_or(&file).to_string_lossy().replace('\\', "/");
        let _ = writeln!(out, "    ({name:?}, include_str!({:?})),", file.display().to_string());
    }
    out.push_str("]\n");
    fs::write(PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default()).join("bundled.rs"), out)
}

/// All texts below a folder; each folder is watched for new files.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    println!("cargo::rerun-if-changed={}", folder.display());
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let kind = path.extension().and_then(|kind| kind.to_str()).unwrap_or("");
        if path.is_dir() {
            collect(&path, files)?;
        } else if matches!(kind, "ludex" | "toml" | "md" | "log") {
            files.push(path);
        }
    }
    Ok(())
}
