//! Several things done at once, or one after the other where there are no threads.
//!
//! *Guarantees.* Results stand in the order of the inputs, whichever thread was first.
//!
//! *Limits.* Without the feature `threads` there is one thread, whatever is wanted.

#[cfg(feature = "threads")]
use {
    rayon::ThreadPool,
    rayon::ThreadPoolBuilder,
    rayon::iter::{IndexedParallelIterator, IntoParallelRefIterator, ParallelIterator},
    std::num::NonZeroUsize,
    std::thread::available_parallelism,
};

/// The stack of a thread, as large as that of the main thread usually is.
#[cfg(feature = "threads")]
const STACK: usize = 8 << 20;

/// More threads than this are of no use on any machine.
#[cfg(feature = "threads")]
const MOST: usize = 256;

/// Threads; those of the caller if there is no need of others.
pub struct Threads {
    #[cfg(feature = "threads")]
    pool: Option<ThreadPool>,
}

#[cfg(feature = "threads")]
impl Threads {
    /// So many threads; as many as there are processors if 0.
    pub fn new(wanted: usize) -> Self {
        let count = match wanted {
            0 => available_parallelism().map_or(1, NonZeroUsize::get),
            _ => wanted.min(MOST),
        };
        let builder = ThreadPoolBuilder::new().num_threads(count);
        let pool = || builder.stack_size(STACK).build().ok();
        Self {
            pool: (count > 1).then(pool).flatten(),
        }
    }

    /// Does something with each thing and its place.
    pub fn map<T, R>(&self, things: &[T], act: impl Fn((usize, &T)) -> R + Sync) -> Vec<R>
    where
        T: Sync,
        R: Send,
    {
        let Some(pool) = &self.pool else {
            return things.iter().enumerate().map(act).collect();
        };
        pool.install(|| {
            let things = things.par_iter().enumerate().with_max_len(1);
            things.map(&act).collect()
        })
    }
}

#[cfg(not(feature = "threads"))]
impl Threads {
    /// The thread of the caller.
    pub fn new(_: usize) -> Self {
        Self {}
    }

    /// Does something with each thing and its place.
    pub fn map<T, R>(&self, things: &[T], act: impl Fn((usize, &T)) -> R) -> Vec<R> {
        things.iter().enumerate().map(act).collect()
    }
}
