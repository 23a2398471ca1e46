//! "Did you mean": names within two edits, where exchanging two neighbouring letters is one edit.

/// The names nearest to `wrong`, at most three, nearest first, then in the order they were given.
pub fn nearest<'a>(wrong: &str, names: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    // Short names are near to everything.
    let allowed = (wrong.chars().count() / 3).min(2);
    let lower = wrong.to_lowercase();
    let mut found: Vec<(usize, &str)> = Vec::new();
    for name in names {
        if name.len().abs_diff(wrong.len()) > 2 || found.iter().any(|&(_, known)| known == name) {
            continue;
        }
        let distance = strsim::osa_distance(&lower, &name.to_lowercase());
        if distance <= allowed && name != wrong {
            found.push((distance, name));
        }
    }
    found.sort_by_key(|&(distance, _)| distance);
    found.into_iter().take(3).map(|(_, name)| name).collect()
}

/// The help line for a misspelt name, if there is a likely one.
pub fn did_you_mean<'a>(wrong: &str, names: impl IntoIterator<Item = &'a str>) -> Option<String> {
    let near = nearest(wrong, names);
    (!near.is_empty()).then(|| {
        let quoted: Vec<String> = near.iter().map(|name| format!("`{name}`")).collect();
        format!("did you mean {}?", quoted.join(" or "))
    })
}
