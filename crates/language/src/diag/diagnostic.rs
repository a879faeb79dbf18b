//! What is wrong with a specification, as data.

use super::{Code, codes};
use crate::source::{LoadError, Span};
use serde::{Deserialize, Serialize};

/// How bad a [`Diagnostic`] is; the worst comes first in the order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The specification has no meaning until this is repaired.
    Error,
    /// The specification has a meaning, probably not the intended one.
    Warning,
    /// Worth knowing.
    Note,
}

/// A place that a [`Diagnostic`] speaks of.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Label {
    /// The place.
    pub span: Span,
    /// What to say about it; may be empty.
    pub text: String,
    /// Whether the fault is here, rather than something it has to do with.
    pub primary: bool,
}

/// Something wrong with a specification, or worth knowing about it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Diagnostic {
    /// Which kind of fault it is.
    pub code: Code,
    /// How bad it is.
    pub severity: Severity,
    /// One line: what was found and what was expected.
    pub message: String,
    /// The places it speaks of; none if it is about no place.
    pub labels: Vec<Label>,
    /// What the author could do, one proposal each.
    pub help: Vec<String>,
}

impl Diagnostic {
    /// A diagnostic about no place yet.
    pub fn new(severity: Severity, code: Code, message: impl Into<String>) -> Self {
        Self {
            code,
            severity,
            message: message.into(),
            labels: Vec::new(),
            help: Vec::new(),
        }
    }

    /// An error about no place yet.
    pub fn error(code: Code, message: impl Into<String>) -> Self {
        Self::new(Severity::Error, code, message)
    }

    /// A warning about no place yet.
    pub fn warning(code: Code, message: impl Into<String>) -> Self {
        Self::new(Severity::Warning, code, message)
    }

    /// A note about no place yet.
    pub fn note(code: Code, message: impl Into<String>) -> Self {
        Self::new(Severity::Note, code, message)
    }

    /// Adds a place where the fault is.
    #[must_use]
    pub fn at(self, span: impl Into<Span>, text: impl Into<String>) -> Self {
        self.label(span.into(), text.into(), true)
    }

    /// Adds a place that the fault has to do with.
    #[must_use]
    pub fn also(self, span: impl Into<Span>, text: impl Into<String>) -> Self {
        self.label(span.into(), text.into(), false)
    }

    /// Adds a proposal.
    #[must_use]
    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.help.push(text.into());
        self
    }

    fn label(mut self, span: Span, text: String, primary: bool) -> Self {
        self.labels.push(Label {
            span,
            text,
            primary,
        });
        self
    }

    /// The place of the fault: the first primary label's, else the first one's.
    pub fn place(&self) -> Option<Span> {
        let primary = self.labels.iter().find(|label| label.primary);
        primary.or(self.labels.first()).map(|label| label.span)
    }
}

impl From<LoadError> for Diagnostic {
    fn from(error: LoadError) -> Self {
        let message = error.to_string();
        match error {
            LoadError::NotUtf8 { .. } => Self::error(codes::source::NOT_UTF8, message)
                .help("save the file in the encoding UTF-8"),
            LoadError::TooLarge { .. } => Self::error(codes::source::TOO_LARGE, message)
                .help("split the specification, and include the parts"),
            LoadError::TooMuch { .. } => Self::error(codes::source::TOO_LARGE, message),
            LoadError::TooMany { .. } => Self::error(codes::source::TOO_MANY, message),
        }
    }
}

/// Whether a specification with these diagnostics has no meaning.
pub fn has_errors(diagnostics: &[Diagnostic]) -> bool {
    let mut severities = diagnostics.iter().map(|one| one.severity);
    severities.any(|severity| severity == Severity::Error)
}

/// Sorts by place (those without one first), then severity, code and message.
pub fn sort(diagnostics: &mut [Diagnostic]) {
    diagnostics.sort_by(|a, b| {
        let key = |one: &Diagnostic| (one.place(), one.severity, one.code);
        key(a).cmp(&key(b)).then_with(|| a.message.cmp(&b.message))
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{SourceId, SourceMap};

    #[test]
    fn diagnostics_stand_in_the_order_of_their_places() {
        let at = |source, start| Span::new(SourceId(source), start, start + 1);
        let one = |place| Diagnostic::error(codes::source::NOT_UTF8, "m").at(place, "");
        let mut all = vec![
            one(at(1, 0)),
            one(at(0, 9)).also(at(0, 1), ""),
            one(at(0, 3)),
            Diagnostic::note(codes::source::NOT_UTF8, "about no place"),
        ];
        sort(&mut all);
        let places: Vec<_> = all.iter().map(Diagnostic::place).collect();
        assert_eq!(
            places,
            [None, Some(at(0, 3)), Some(at(0, 9)), Some(at(1, 0))]
        );
        assert!(has_errors(&all));
        assert!(!has_errors(&all[..1]));
    }

    #[test]
    fn a_text_that_cannot_be_loaded_becomes_a_diagnostic() {
        let error = SourceMap::new().load("x", &[0xc3]).unwrap_err();
        let diagnostic = Diagnostic::from(error);
        assert_eq!(diagnostic.code.id(), "E0001");
        let message = "`x` is not UTF-8: found byte 0xc3 at line 1, column 1";
        assert_eq!(diagnostic.message, message);
        assert_eq!(diagnostic.help, ["save the file in the encoding UTF-8"]);
    }
}
