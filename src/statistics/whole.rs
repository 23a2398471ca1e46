//! Whole numbers: as text where JSON has no room for them, and as fractions where they are divided.

/// A fraction of two whole numbers; nothing if the second is 0.
#[must_use]
#[expect(clippy::cast_precision_loss, reason = "what is shown has fewer digits than a float")]
pub fn ratio(part: i128, whole: u128) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

/// Large whole numbers in JSON: strings of digits, for most readers of JSON know no more than 53 bits.
pub(crate) mod text {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub(crate) fn serialize<S: Serializer>(value: &i128, out: S) -> Result<S::Ok, S::Error> {
        out.collect_str(value)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<i128, D::Error> {
        let text = String::deserialize(from)?;
        text.parse().map_err(|_| D::Error::custom(format!("`{text}` is not a whole number")))
    }
}
