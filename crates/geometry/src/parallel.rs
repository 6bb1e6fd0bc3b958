//! Threads, in one place.
//!
//! With the feature `rayon` (on by default) work goes to the pool of the caller: the global one, or the one whose
//! `install` is running. Without it everything happens on the thread that asks. How work is cut
//! never depends on the number of threads, and results come in the order of the work, so neither do they.

/// Whether there is more than one thread to give work to.
pub(crate) fn is_on() -> bool {
    #[cfg(feature = "rayon")]
    {
        1 < rayon::current_num_threads()
    }
    #[cfg(not(feature = "rayon"))]
    {
        false
    }
}

/// The results of `each` for all inputs, in their order.
pub(crate) fn map<I: Send, O: Send>(inputs: Vec<I>, each: impl Fn(I) -> O + Sync) -> Vec<O> {
    #[cfg(feature = "rayon")]
    if is_on() && 1 < inputs.len() {
        use rayon::prelude::*;
        return inputs.into_par_iter().with_max_len(1).map(&each).collect();
    }
    inputs.into_iter().map(&each).collect()
}

/// The results of two pieces of work that know nothing of each other; side by side where there are threads and they are
/// large enough to be given away.
pub(crate) fn both<A: Send, B: Send>(
    is_large: bool,
    first: impl FnOnce() -> A + Send,
    second: impl FnOnce() -> B + Send,
) -> (A, B) {
    #[cfg(feature = "rayon")]
    if is_large && is_on() {
        return rayon::join(first, second);
    }
    let _ = is_large;
    (first(), second())
}
