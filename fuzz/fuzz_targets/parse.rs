//! Any bytes: a source is loaded or refused, and every place in a loaded one can
//! be named, shown and described.

#![no_main]

use endstep::diag::{Diagnostic, Style, codes, render};
use endstep::source::{SourceMap, Span};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (u32, u32, &[u8])| {
    let (from, to, bytes) = input;
    let mut sources = SourceMap::new();
    let id = match sources.load("fuzzed", bytes) {
        Ok(id) => id,
        Err(error) => {
            assert!(
                std::str::from_utf8(bytes).is_err(),
                "refused UTF-8: {error}"
            );
            return;
        }
    };
    let file = sources.file(id);
    let length = file.text().len() as u32;
    let span = Span::new(id, from % (length + 2), to % (length + 2));
    let (start, end) = (sources.start(span), sources.end(span));
    assert!(start <= end, "{span:?} runs from {start:?} to {end:?}");
    let line = file.line(start.line);
    assert!(
        line.is_some(),
        "{span:?} starts on a line that is not there"
    );

    let one = [Diagnostic::error(codes::source::NOT_UTF8, "fuzzed").at(span, "here")];
    let text = render::text(&one, &sources, &Style::default());
    assert!(text.starts_with("error[E0001]: fuzzed"), "{text}");
    render::json(&one, &sources);
});
