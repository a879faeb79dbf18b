//! Writes random specifications to a folder: `random-specifications 0..300 FOLDER`.
//!
//! That with a number is the same whenever it is made, and the same that `tests/it/engines` compares.

use std::error::Error;
use std::path::Path;
use std::{env, fs};

use arbitrary::Unstructured;
use endstep::generate::specification;
use endstep::syntax::print;

fn main() -> Result<(), Box<dyn Error>> {
    let [_, numbers, folder] = env::args()
        .collect::<Vec<_>>()
        .try_into()
        .map_err(|_| USAGE)?;
    let (from, to) = numbers.split_once("..").ok_or(USAGE)?;
    let folder = Path::new(&folder);
    fs::create_dir_all(folder)?;
    for number in from.parse()?..to.parse()? {
        fs::write(folder.join(format!("{number:06}.endstep")), random(number)?)?;
    }
    Ok(())
}

const USAGE: &str = "usage: random-specifications FROM..TO FOLDER";

/// The random specification with a number (SplitMix64).
fn random(number: u64) -> arbitrary::Result<String> {
    let mut state = number.wrapping_mul(0x2545_f491_4f6c_dd1d);
    let mut next = move || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) as u8
    };
    let bytes: Vec<u8> = (0..256 << (number % 3)).map(|_| next()).collect();
    Ok(print(&specification(&mut Unstructured::new(&bytes))?))
}
