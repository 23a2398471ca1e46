//! x
pub fn dump(_b:&super::Checked)->String{String::new()}
