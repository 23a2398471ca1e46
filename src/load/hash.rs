//! The hash of a ruleset: a log names the rules it was played by, and a change of them is noticed.
//!
//! FNV-1a with 64 bits over the texts that the rules are made of, in order: the file's name without its
//! folder, a zero byte, its text without carriage returns, a zero byte. Examples are left out.

use std::path::Path;

use super::loader::Loaded;
use crate::report::FileId;

const BASIS: u64 = 0xcbf2_9ce4_8422_2325;
const PRIME: u64 = 0x0100_0000_01b3;

/// The hash of a text, without carriage returns.
#[must_use]
pub fn text_hash(text: &str) -> u64 {
    let bytes = text.bytes().filter(|&byte| byte != b'\r');
    bytes.fold(BASIS, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(PRIME))
}

impl Loaded {
    /// A number that changes whenever a text does that the rules are made of, settings of this run included.
    #[must_use]
    pub fn hash(&self) -> u64 {
        self.hash_of(|_| true)
    }

    /// The same without what was set for this run: a log says that in lines of its own.
    #[must_use]
    pub fn rules_hash(&self) -> u64 {
        self.hash_of(|file| !self.foreign.contains(&file))
    }

    fn hash_of(&self, counts: impl Fn(FileId) -> bool) -> u64 {
        let mut hash = BASIS;
        let mut feed = |byte: u8| hash = (hash ^ u64::from(byte)).wrapping_mul(PRIME);
        for source in self.rules.iter().filter(|&&file| counts(file)).filter_map(|&file| self.sources.get(file)) {
            let file = Path::new(source.name()).file_name().and_then(|name| name.to_str()).unwrap_or("");
            file.bytes()
                .chain([0])
                .chain(source.text().bytes().filter(|&byte| byte != b'\r'))
                .chain([0])
                .for_each(&mut feed);
        }
        hash
    }
}
