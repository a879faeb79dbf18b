//! The record of ties between sentences and clauses, kept in a file beside the
//! specification so that people can read, correct and commit it.
//!
//! ```json
//! {
//!   "version": 1,
//!   "texts": [
//!     {
//!       "document": "gu",
//!       "source": "rules.txt",
//!       "sentences": [
//!         { "hash": "0123456789ab", "lines": [21, 21], "begins": "Creatures with …", "clauses": ["cleanup.1"] },
//!         { "hash": "ba9876543210", "lines": [5, 5], "begins": "This is …", "clauses": [], "skip": "an advertisement" }
//!       ]
//!     }
//!   ]
//! }
//! ```
//!
//! `lines` and `begins` are for people; `hash` finds the sentence again. Only the
//! first words are kept, because the text may belong to somebody else.

use super::Sentence;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The version of the format that is written.
const VERSION: u32 = 1;

/// What is tied to what, for each text of a specification.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Record {
    /// The version of the format.
    version: u32,
    /// The texts, in the order in which they were first recorded.
    pub texts: Vec<TiedText>,
}

/// The ties of one text.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TiedText {
    /// The document of the specification that it is the text of; none if it is
    /// the text of all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub document: Option<String>,
    /// The file it was read from.
    pub source: String,
    /// Its sentences, in order.
    pub sentences: Vec<Tie>,
}

/// What a sentence is tied to.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tie {
    /// The sentence's hash.
    pub hash: String,
    /// Its first and last line when it was recorded.
    pub lines: (u32, u32),
    /// Its first few words.
    pub begins: String,
    /// The clauses that speak for it.
    pub clauses: Vec<String>,
    /// Why it needs none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub skip: Option<String>,
}

impl Tie {
    /// A sentence tied to nothing.
    pub fn untied(sentence: &Sentence) -> Self {
        Self {
            hash: sentence.hash(),
            lines: sentence.lines,
            begins: sentence.beginning(),
            clauses: Vec::new(),
            skip: None,
        }
    }
}

impl Default for Record {
    fn default() -> Self {
        Self {
            version: VERSION,
            texts: Vec::new(),
        }
    }
}

/// Why a file is no record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RecordError(String);

impl fmt::Display for RecordError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

impl std::error::Error for RecordError {}

impl Record {
    /// Reads a record.
    ///
    /// # Errors
    ///
    /// If the text is no JSON of this format, or of a version that is not known.
    pub fn from_json(text: &str) -> Result<Self, RecordError> {
        let record: Self =
            serde_json::from_str(text).map_err(|error| RecordError(error.to_string()))?;
        if record.version != VERSION {
            let found = record.version;
            return Err(RecordError(format!(
                "found version {found} of the format, expected {VERSION}"
            )));
        }
        Ok(record)
    }

    /// The record as text, one sentence a line so that edits are easy to review.
    pub fn to_json(&self) -> String {
        let mut out = format!("{{\n  \"version\": {},\n  \"texts\": [", self.version);
        for (index, text) in self.texts.iter().enumerate() {
            out.push_str(if index == 0 {
                "\n    {\n"
            } else {
                ",\n    {\n"
            });
            if let Some(document) = &text.document {
                out.push_str(&format!("      \"document\": {},\n", json(document)));
            }
            out.push_str(&format!("      \"source\": {},\n", json(&text.source)));
            out.push_str("      \"sentences\": [\n");
            let ties: Vec<String> = text
                .sentences
                .iter()
                .map(|tie| format!("        {}", json(tie)))
                .collect();
            out.push_str(&ties.join(",\n"));
            out.push_str("\n      ]\n    }");
        }
        out.push_str("\n  ]\n}\n");
        out
    }

    /// The ties of a document's text.
    pub fn text(&self, document: Option<&str>) -> Option<&TiedText> {
        let mut texts = self.texts.iter();
        texts.find(|text| text.document.as_deref() == document)
    }

    /// Puts the ties of a document's text in place of those that it had.
    pub fn put(&mut self, text: TiedText) {
        let mut texts = self.texts.iter_mut();
        match texts.find(|old| old.document == text.document) {
            Some(old) => *old = text,
            None => self.texts.push(text),
        }
    }
}

/// JSON of one value, in one line.
fn json(value: &impl Serialize) -> String {
    // INVARIANT: strings, numbers and lists of them always serialise.
    serde_json::to_string(value).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record() -> Record {
        let tie = |hash: &str, skip: Option<&str>| Tie {
            hash: hash.to_owned(),
            lines: (1, 2),
            begins: "It \"is\" …".to_owned(),
            clauses: vec!["a.1".to_owned()],
            skip: skip.map(str::to_owned),
        };
        let mut record = Record::default();
        for document in [None, Some("gu".to_owned())] {
            record.put(TiedText {
                document,
                source: "rules.txt".to_owned(),
                sentences: vec![tie("0a", None), tie("0b", Some("a joke"))],
            });
        }
        record
    }

    #[test]
    fn what_is_written_is_read_again() {
        let record = record();
        assert_eq!(Record::from_json(&record.to_json()), Ok(record));
        assert_eq!(
            Record::from_json(&Record::default().to_json()),
            Ok(Record::default())
        );
    }

    #[test]
    fn a_text_takes_the_place_of_its_predecessor() {
        let mut record = record();
        let new = TiedText {
            document: Some("gu".to_owned()),
            source: "new.txt".to_owned(),
            sentences: Vec::new(),
        };
        record.put(new.clone());
        assert_eq!(record.texts.len(), 2);
        assert_eq!(record.text(Some("gu")), Some(&new));
    }

    #[test]
    fn what_is_no_record_is_refused() {
        let wrong = |text: &str| Record::from_json(text).map_err(|error| error.to_string());
        let version = "found version 9 of the format, expected 1".to_owned();
        assert_eq!(wrong("{\"version\": 9, \"texts\": []}"), Err(version));
        assert!(wrong("[]").is_err_and(|message| message.contains("line 1")));
    }
}
