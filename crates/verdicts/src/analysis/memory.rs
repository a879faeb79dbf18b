//! What questions came to before, kept from run to run.
//!
//! What a question comes to depends on the program, on how it is looked at, and on Endstep, and on nothing else. So it
//! can be kept under a hash of these, and be recalled where it is asked again:
//!
//! ```text
//! hash ("cleanup", program, options) ──► what was found      kept
//! the same again                     ◄── what was found      recalled: nothing is explored
//! ```
//!
//! *Guarantees.* Whoever keeps something gives back what was kept, or nothing. What cannot be read is found out anew.

use std::fmt::{self, Debug, Write};
use std::sync::Arc;

use serde::Serialize;
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};

/// The name of something that is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Key(pub [u8; 32]);

impl Key {
    /// A hash of what is asked and of all on which the answer depends, as they show themselves.
    pub fn of(what: &str, parts: &[&dyn Debug]) -> Self {
        let mut hashed = Hashed(Sha256::new());
        // A hash cannot fail to be written.
        let _ = write!(hashed, "{what}");
        for part in parts {
            let _ = write!(hashed, "\n{part:?}");
        }
        Self(hashed.0.finalize().into())
    }
}

/// Text that is only hashed.
struct Hashed(Sha256);

impl Write for Hashed {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0.update(text.as_bytes());
        Ok(())
    }
}

/// What keeps things.
pub trait Keep: Debug + Send + Sync {
    /// What was kept under a key, if it is still there.
    fn recall(&self, key: &Key) -> Option<Vec<u8>>;

    /// Keeps something under a key, unless that cannot be done or is not worth it.
    fn keep(&self, key: &Key, bytes: &[u8]);
}

/// What was found out before; it is no part of what is asked, so any two are equal.
#[derive(Clone, Default)]
pub struct Memory(Option<Arc<dyn Keep>>);

impl Memory {
    /// One that keeps things.
    pub fn new(keep: Arc<dyn Keep>) -> Self {
        Self(Some(keep))
    }

    /// Whether there is any.
    pub fn is_there(&self) -> bool {
        self.0.is_some()
    }

    /// What was kept under a key, if it can be read.
    pub fn recall<T: DeserializeOwned>(&self, key: &Key) -> Option<T> {
        let bytes = self.0.as_ref()?.recall(key)?;
        let (found, rest) = postcard::take_from_bytes(&bytes).ok()?;
        rest.is_empty().then_some(found)
    }

    /// Keeps something under a key.
    pub fn keep<T: Serialize>(&self, key: &Key, what: &T) {
        let Some(keep) = &self.0 else { return };
        if let Ok(bytes) = postcard::to_stdvec(what) {
            keep.keep(key, &bytes);
        }
    }
}

impl PartialEq for Memory {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Memory {}

impl Debug for Memory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Memory")
    }
}
