//! x
pub fn dump(_b:&super::Bound)->String{String::new()}
