//! What comments document.

use super::program;

const TEXT: &str = r#"game "Comments"
-- A remark.

-- The first line
-- and the second.
question first: terminates spins
-- An empty line follows.

question second: terminates spins
--- A heading.
-- Under a heading.
question third: terminates spins
--- A heading alone.
question fourth: terminates spins
question fifth: terminates spins  -- at the end of the line
var on: boolean
-- The sequence.
sequence spins
  -- The step.
  step only
    -- The statement.
    nothing
event rings, at once
-- The trigger.
trigger hears on rings
  nothing
-- The example.
example one
  given
    on = true
  perform spins
  -- What comes of it.
  expect on
  expect on
"#;

#[test]
fn comments_directly_above_document() {
    let program = program(TEXT);
    let claims: Vec<_> = program
        .claims
        .iter()
        .map(|one| one.doc.as_deref())
        .collect();
    let expected = [
        Some("The first line and the second."),
        None,
        Some("Under a heading."),
        None,
        None,
    ];
    assert_eq!(claims, expected);
    let sequence = program.sequences.values().first().unwrap();
    assert_eq!(sequence.doc.as_deref(), Some("The sequence."));
    let step = program.steps.values().first().unwrap();
    assert_eq!(step.doc.as_deref(), Some("The step."));
    let trigger = program.triggers.values().first().unwrap();
    assert_eq!(trigger.doc.as_deref(), Some("The trigger."));
    let example = program.examples.first().unwrap();
    assert_eq!(example.doc.as_deref(), Some("The example."));
    assert_eq!(example.docs, [Some("What comes of it.".to_owned()), None]);
}
