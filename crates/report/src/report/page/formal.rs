//! How a clause is formalised: the lines of the specification that stand under it.

use crate::report::words::Words;
use endstep_language::typing::program::ClauseIdx;

/// The lines that stand under a clause.
pub(in crate::report) struct Formal {
    /// Where its heading stands: `file:line`.
    pub place: String,
    /// The lines, the heading first, without the indent that all have. What stands under clauses inside
    /// of it is left out.
    pub lines: Vec<String>,
    /// What else rests on it, with places.
    pub cited: Vec<String>,
}

/// The lines under a clause.
pub(super) fn formal(words: Words<'_>, id: ClauseIdx) -> Formal {
    let clause = &words.program.clauses[id];
    let mut files = words.sources.files();
    let found = files.find(|(id, _)| *id == clause.span.source);
    let lines = found.map(|(_, file)| {
        let first = file.line_column(clause.span.start).line;
        let all = (first..=file.line_count()).filter_map(|line| file.line(line));
        block(&all.collect::<Vec<_>>())
    });
    Formal {
        place: words.place(clause.span),
        lines: lines.unwrap_or_default(),
        cited: cited(words, id),
    }
}

/// How far a line is indented; nothing if it is empty.
fn indent(line: &str) -> Option<usize> {
    let text = line.trim_start();
    (!text.is_empty()).then(|| line.len() - text.len())
}

/// The first line with all that stands below it and is indented further, but for clauses there.
fn block(lines: &[&str]) -> Vec<String> {
    let Some((heading, below)) = lines.split_first() else {
        return Vec::new();
    };
    let own = indent(heading).unwrap_or(0);
    let mut out = vec![heading.trim().to_owned()];
    let mut inner: Option<usize> = None;
    for line in below {
        let Some(depth) = indent(line) else {
            if inner.is_none() {
                out.push(String::new());
            }
            continue;
        };
        if depth <= own {
            break;
        }
        inner = inner.filter(|inner| depth > *inner);
        if inner.is_some() {
            continue;
        }
        let text = line.get(own..).unwrap_or(line).trim_end();
        if text.trim_start().starts_with("clause ") {
            inner = Some(depth);
            out.push(format!(
                "{}-- … a clause of its own",
                " ".repeat(depth - own)
            ));
            continue;
        }
        out.push(text.to_owned());
    }
    while out.last().is_some_and(String::is_empty) {
        out.pop();
    }
    out
}

/// Which readings, steps and triggers rest on a clause under which they do not stand.
fn cited(words: Words<'_>, id: ClauseIdx) -> Vec<String> {
    let program = words.program;
    let readings = program.readings.iter().filter(|(_, reading)| {
        let mut alternatives = reading.alternatives.iter();
        reading.clause != Some(id) && alternatives.any(|one| one.cites.contains(&id))
    });
    let readings = readings.map(|(one, reading)| (words.reading(one), reading.span));
    let steps = program.steps.iter();
    let steps = steps.filter(|(_, step)| {
        step.cites.contains(&id) && !program.sequences[step.sequence].is_experiment()
    });
    let steps = steps.map(|(one, step)| (words.step(one), step.span));
    let triggers = program.triggers.iter();
    let triggers = triggers.filter(|(_, trigger)| trigger.cites.contains(&id));
    let triggers = triggers.map(|(one, trigger)| (words.trigger(one), trigger.span));
    let all = readings.chain(steps).chain(triggers);
    all.map(|(what, span)| format!("{what} ({})", words.place(span)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_indented_further_belongs_to_a_clause() {
        let lines = [
            "  clause a (rule)",
            "    sequence s",
            "",
            "      clause b (rule)",
            "        step x",
            "",
            "      step y",
            "",
            "  clause c (rule)",
        ];
        let found = block(&lines);
        let expected = [
            "clause a (rule)",
            "  sequence s",
            "",
            "    -- … a clause of its own",
            "    step y",
        ];
        assert_eq!(found, expected);
        assert_eq!(block(&[]), [""; 0]);
    }
}
