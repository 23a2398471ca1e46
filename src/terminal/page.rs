//! `--report FILE.html`: where a page goes.

use std::path::Path;

use super::save::{folder_of, save, try_folder};
use crate::page::page;
use crate::report::clean_path;
use crate::simulate::report::Report;

/// The file that a page is written to, if one is wanted.
#[derive(Debug, Clone, Copy)]
pub(super) struct PageFile<'a> {
    pub(super) file: Option<&'a Path>,
    /// May it be there already?
    pub(super) force: bool,
}

impl PageFile<'_> {
    /// Says why the page could not be written: better before the games than after.
    pub(super) fn prepare(&self) -> Result<(), (String, String)> {
        let Some(file) = self.file else { return Ok(()) };
        let shown = clean_path(file);
        let folder = folder_of(file);
        if file.is_dir() || file.file_name().is_none() {
            return Err((format!("`{shown}` is no file"), "name a file, such as `report.html`".to_owned()));
        }
        if !folder.is_dir() {
            let message = format!("there is no folder `{}`", clean_path(folder));
            return Err((message, "make it first, or write the page elsewhere".to_owned()));
        }
        if file.exists() && !self.force {
            let help = "choose another name, or overwrite it with `--force`";
            return Err((format!("`{shown}` is there already"), help.to_owned()));
        }
        try_folder(folder).map_err(|error| cannot(file, &error))
    }

    /// Writes the page of a report, as a whole or not at all.
    pub(super) fn write(&self, report: &Report) -> Result<(), (String, String)> {
        let Some(file) = self.file else { return Ok(()) };
        let text = page(report).map_err(|error| cannot(file, &error))?;
        save(file, &text).map_err(|error| cannot(file, &error))
    }
}

fn cannot(file: &Path, error: &dyn std::error::Error) -> (String, String) {
    (format!("cannot write `{}`: {error}", clean_path(file)), "is there room, and may you write there?".to_owned())
}
