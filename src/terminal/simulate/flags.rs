//! What flags of `simulate` mean, before anything is played.

use crate::limits::SWEEP_VALUES;
use crate::simulate::Until;
use crate::simulate::report::Shard;

/// What is wrong, and a way out.
pub(super) type Wrong = (String, String);

/// Measures that `--until` can go by.
const MEASURES: [&str; 4] = ["share", "score", "margin", "length"];

/// `--shard 2/8`
pub(super) fn shard(text: &str) -> Result<Shard, Wrong> {
    let help = || "write `--shard 2/8` for the second of eight".to_owned();
    let numbers = text.split_once('/').and_then(|(index, of)| Some((index.parse().ok()?, of.parse().ok()?)));
    match numbers {
        Some((index, of)) if (1..=of).contains(&index) => Ok(Shard { index, of }),
        Some((index, of)) if of > 0 => Err((format!("there is no shard {index} of {of}"), help())),
        _ => Err((format!("`{text}` is not one of several shards"), help())),
    }
}

/// `--until 0.02`, `--until score=1.5`
pub(super) fn until(text: &str) -> Result<Until, Wrong> {
    let (measure, width) = text.split_once('=').unwrap_or(("share", text));
    if !MEASURES.contains(&measure) {
        let near = crate::report::suggest::did_you_mean(measure, MEASURES);
        let help = near.unwrap_or_else(|| format!("the measures: {}", MEASURES.join(", ")));
        return Err((format!("no interval of `{measure}` can be waited for"), help));
    }
    match width.parse::<f64>() {
        Ok(width) if width.is_finite() && width > 0.0 => Ok(Until { measure: measure.to_owned(), width }),
        _ => Err((
            format!("`{width}` is no width of an interval"),
            "write `--until 0.02` for win shares to two points of a hundred, or `--until score=1.5`".to_owned(),
        )),
    }
}

/// `--sweep cost.build=2..6`, `2..10 step 2`, `2,4,8`: the key and its values.
pub(super) fn sweep(text: &str) -> Result<(String, Vec<String>), Wrong> {
    let help = || "write `--sweep cost.build=2..6`, `cost.build=2..10 step 2` or `cost.build=2,4,8`".to_owned();
    let parts = text.split_once('=').map(|(key, values)| (key.trim(), values.trim()));
    let Some((key, values)) = parts.filter(|(key, values)| !key.is_empty() && !values.is_empty()) else {
        return Err((format!("`{text}` does not say which values to try"), help()));
    };
    let values = match values.split_once("..") {
        Some((low, rest)) => {
            let (high, step) = rest.split_once("step").unwrap_or((rest, "1"));
            let number = |text: &str| {
                text.trim().parse::<i64>().map_err(|_| (format!("`{}` is no whole number", text.trim()), help()))
            };
            range(number(low)?, number(high)?, number(step)?)?
        }
        None => values.split(',').map(|value| value.trim().to_owned()).collect(),
    };
    if values.iter().any(String::is_empty) {
        return Err((format!("`{text}` leaves a value empty"), help()));
    }
    let twice = values.iter().enumerate().find(|(at, value)| values.iter().take(*at).any(|known| known == *value));
    if let Some((_, value)) = twice {
        return Err((format!("`{value}` is tried twice"), "name every value once".to_owned()));
    }
    if values.len() > SWEEP_VALUES {
        return Err((format!("{} values are too many for one sweep", values.len()), most()));
    }
    Ok((key.to_owned(), values))
}

fn most() -> String {
    format!("try at most {SWEEP_VALUES}, such as with `2..200 step 10`")
}

fn range(low: i64, high: i64, step: i64) -> Result<Vec<String>, Wrong> {
    if step < 1 {
        return Err((format!("a step of {step} leads nowhere"), "steps are 1 or more".to_owned()));
    }
    if low > high {
        let help = format!("write `{high}..{low}`");
        return Err((format!("there is nothing from {low} up to {high}"), help));
    }
    let mut values = Vec::new();
    let mut value = low;
    while value <= high {
        values.push(value.to_string());
        if values.len() > SWEEP_VALUES {
            return Err((format!("`{low}..{high}` has too many values for one sweep"), most()));
        }
        let Some(next) = value.checked_add(step) else { break };
        value = next;
    }
    Ok(values)
}
