//! Dice: numbers that look random and are the same for the same seed, on every machine.
//!
//! *Background.* G. L. Steele, D. Lea, C. H. Flood, Fast splittable pseudorandom number generators,
//! OOPSLA 2014 (SplitMix64).

/// A generator of numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dice(u64);

impl Dice {
    /// Dice of a seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// A number of 64 bits.
    pub fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below this one; 0 below 0.
    pub fn below(&mut self, end: usize) -> usize {
        match end {
            0 => 0,
            _ => (self.roll() % end as u64) as usize,
        }
    }

    /// A byte.
    pub fn byte(&mut self) -> u8 {
        self.roll() as u8
    }

    /// True so many times out of a hundred.
    pub fn odds(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }
}
