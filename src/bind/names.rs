//! The names of the members of an enumeration: in order, and found at once.

use std::collections::HashMap;

/// Names in their order. A name that stands twice is found at its first place.
#[derive(Debug, Clone, Default)]
pub struct Names {
    list: Vec<String>,
    places: HashMap<String, usize>,
}

impl Names {
    /// The place of a name.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<usize> {
        self.places.get(name).copied()
    }

    /// Gives the first members other names.
    pub fn rename(&mut self, names: impl IntoIterator<Item = String>) {
        self.list.iter_mut().zip(names).for_each(|(member, name)| *member = name);
        *self = std::mem::take(&mut self.list).into_iter().collect();
    }
}

impl FromIterator<String> for Names {
    fn from_iter<I: IntoIterator<Item = String>>(names: I) -> Self {
        let list: Vec<String> = names.into_iter().collect();
        let mut places = HashMap::with_capacity(list.len());
        for (at, name) in list.iter().enumerate() {
            places.entry(name.clone()).or_insert(at);
        }
        Self { list, places }
    }
}

impl std::ops::Deref for Names {
    type Target = [String];

    fn deref(&self) -> &[String] {
        &self.list
    }
}
