//! The registry of codes: each kind of fault and finding with its title and its
//! explanation, from which `endstep explain` and the documentation are made.
//!
//! A code is added in one place, the table of its family under `codes/`:
//!
//! ```text
//! declare_codes! {
//!     UNKNOWN_NAME = "E0201", "a name is used that nothing declares", "
//! A name has to be declared somewhere in the specification …
//! ";
//! }
//! ```
//!
//! It is then `codes::resolve::UNKNOWN_NAME`, and `endstep explain E0201` works.
//! A code that was released keeps its meaning for ever; a new meaning gets a new
//! code.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::borrow::Cow;
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};

/// A kind of fault (`E…`, `W…`) or of finding (`F…`), with a number that stays
/// the same from release to release.
#[derive(Clone, Copy)]
pub struct Code {
    pub(super) id: &'static str,
    title: &'static str,
    explanation: &'static str,
}

impl Code {
    /// An entry of a table; only `declare_codes!` calls this.
    pub(super) const fn new(
        id: &'static str,
        title: &'static str,
        explanation: &'static str,
    ) -> Self {
        Self {
            id,
            title,
            explanation,
        }
    }

    /// The stable name, such as `E0001`.
    pub fn id(self) -> &'static str {
        self.id
    }

    /// What is wrong, in one line.
    pub fn title(self) -> &'static str {
        self.title
    }

    /// What it means and what to do, with a small example; several lines of text
    /// without a line end at its start or end.
    pub fn explanation(self) -> &'static str {
        // An explanation can begin with its example, which is indented.
        self.explanation.trim_end().trim_start_matches('\n')
    }
}

impl fmt::Display for Code {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.id)
    }
}

impl fmt::Debug for Code {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.id)
    }
}

impl Serialize for Code {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.id)
    }
}

impl<'de> Deserialize<'de> for Code {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let id = <Cow<'_, str>>::deserialize(from)?;
        Self::find(&id).ok_or_else(|| D::Error::custom(format_args!("no code is `{id}`")))
    }
}

// A code is its name: names are unique, which a test checks.

impl PartialEq for Code {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

impl Eq for Code {}

impl PartialOrd for Code {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Code {
    fn cmp(&self, other: &Self) -> Ordering {
        self.id.cmp(other.id)
    }
}

impl Hash for Code {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.id.hash(state);
    }
}

/// Declares the codes of a family: a constant each, and `ALL` of them.
macro_rules! declare_codes {
    ($($name:ident = $id:literal, $title:literal, $explanation:literal;)*) => {
        $(
            #[doc = concat!("`", $id, "`: ", $title, ".")]
            pub const $name: $crate::diag::Code =
                $crate::diag::Code::new($id, $title, $explanation);
        )*

        /// The codes of this family, in the order of the table.
        pub(super) const ALL: &[$crate::diag::Code] = &[$($name),*];
    };
}
pub(super) use declare_codes;

/// What is known of a kind of finding beside its code.
#[derive(Debug, Clone, Copy)]
pub struct Kind {
    /// Its code.
    pub code: Code,
    /// Its place by how serious it is; the most serious has 1.
    pub rank: u16,
    /// Whether the runs of one board can show it.
    pub one_board: bool,
    /// Why players and editors should care, in a sentence or two.
    pub why: &'static str,
}

/// Declares the kinds of findings: the codes as [`declare_codes!`] does, and `kind` of each.
macro_rules! declare_findings {
    ($(
        $name:ident = $id:literal, $title:literal,
            { rank: $rank:literal, one_board: $one_board:literal }, $why:literal, $explanation:literal;
    )*) => {
        $crate::diag::registry::declare_codes! { $($name = $id, $title, $explanation;)* }

        /// All kinds, in the order of the table.
        pub const KINDS: &[$crate::diag::Kind] = &[$($crate::diag::Kind {
            code: $name,
            rank: $rank,
            one_board: $one_board,
            why: $why,
        }),*];

        /// The kind of a finding; `None` of a code that is none.
        pub fn kind(code: $crate::diag::Code) -> Option<&'static $crate::diag::Kind> {
            KINDS.iter().find(|kind| kind.code == code)
        }
    };
}
pub(super) use declare_findings;

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn names_are_unique_and_well_formed() {
        let mut seen = BTreeSet::new();
        for code in Code::all() {
            let id = code.id();
            assert!(seen.insert(id), "{id} stands in the tables twice");
            let (family, number) = id.split_at(1);
            assert!("EWF".contains(family), "{id} has no known family");
            assert!(number.len() == 4 && number.bytes().all(|digit| digit.is_ascii_digit()));
        }
    }

    #[test]
    fn every_kind_of_finding_has_a_place_and_a_reason() {
        let kinds = super::super::codes::finding::KINDS;
        let ranks: BTreeSet<u16> = kinds.iter().map(|kind| kind.rank).collect();
        let all = 1..=u16::try_from(kinds.len()).unwrap();
        assert!(ranks.into_iter().eq(all), "each rank is that of one kind");
        assert!(kinds.iter().all(|kind| kind.why.ends_with('.')));
    }

    #[test]
    fn titles_and_explanations_follow_the_house_style() {
        for code in Code::all() {
            let (id, title) = (code.id(), code.title());
            assert!(
                !title.ends_with('.') && !title.contains('\n'),
                "{id}: {title}"
            );
            assert!(!title.starts_with(char::is_uppercase), "{id}: {title}");
            let explanation = code.explanation();
            assert!(explanation.len() > 60, "{id} is hardly explained");
            let longest = explanation.lines().map(|line| line.chars().count()).max();
            assert!(longest <= Some(80), "{id} has a line that is too long");
        }
    }

    #[test]
    fn a_code_is_found_by_its_name_in_any_case() {
        let code = Code::find(" e0001\n").unwrap();
        assert_eq!(code, crate::diag::codes::source::NOT_UTF8);
        assert_eq!(Code::find("E000"), None);
    }
}
