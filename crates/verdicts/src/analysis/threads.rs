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
    std::collections::BTreeMap,
    std::num::NonZeroUsize,
    std::sync::{Arc, Mutex, PoisonError},
    std::thread::available_parallelism,
};

/// The stack of a thread, as large as that of the main thread usually is.
#[cfg(feature = "threads")]
const STACK: usize = 8 << 20;

/// More threads than this are of no use on any machine.
#[cfg(feature = "threads")]
const MOST: usize = 256;

/// Threads that were started, by how many they are. They wait for the next who wants as many: memory that a thread
/// had is of little use to those after it.
#[cfg(feature = "threads")]
static STARTED: Mutex<BTreeMap<usize, Arc<ThreadPool>>> = Mutex::new(BTreeMap::new());

/// Threads; those of the caller if there is no need of others.
pub struct Threads {
    #[cfg(feature = "threads")]
    pool: Option<Arc<ThreadPool>>,
}

#[cfg(feature = "threads")]
impl Threads {
    /// So many threads; as many as there are processors if 0.
    pub fn new(wanted: usize) -> Self {
        let count = match wanted {
            0 => available_parallelism().map_or(1, NonZeroUsize::get),
            _ => wanted.min(MOST),
        };
        Self {
            pool: (count > 1).then(|| started(count)).flatten(),
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

/// So many threads, if they can be had.
#[cfg(feature = "threads")]
fn started(count: usize) -> Option<Arc<ThreadPool>> {
    let mut all = STARTED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(pool) = all.get(&count) {
        return Some(Arc::clone(pool));
    }
    let builder = ThreadPoolBuilder::new().num_threads(count);
    let pool = Arc::new(builder.stack_size(STACK).build().ok()?);
    all.insert(count, Arc::clone(&pool));
    Some(pool)
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
