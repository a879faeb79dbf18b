//! What the author made up.
//!
//! ```text
//! swapped, an experiment: cleanup but infection before armour
//! ```

use super::words::Words;
use endstep_language::typing::program::SequenceId;
use serde_json::{Value, json};

/// Each experiment with its name, what it is of, and what is changed.
fn experiments(words: Words<'_>) -> Vec<[String; 3]> {
    let name = |id: SequenceId| words.sequence(id);
    let all = words.program.sequences.iter();
    let each = all.filter_map(|(id, one)| {
        let made_up = one.experiment.as_ref()?;
        Some([name(id), name(made_up.of), made_up.alterations.clone()])
    });
    each.collect()
}

/// Each in a line.
pub(super) fn lines(words: Words<'_>) -> Vec<String> {
    let line = |[name, of, but]: [String; 3]| format!("{name}, an experiment: {of} but {but}");
    experiments(words).into_iter().map(line).collect()
}

/// As data.
pub(super) fn json(words: Words<'_>) -> Vec<Value> {
    let data = |[name, of, but]: [String; 3]| json!({ "name": name, "of": of, "but": but });
    experiments(words).into_iter().map(data).collect()
}
