//! The operators, by their names.

/// A kind of mistake.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Operator {
    /// A step does nothing.
    Step,
    /// Two neighbouring steps change places.
    Swap,
    /// An order policy is another one.
    Order,
    /// Which elements an iteration visits is another policy.
    Domain,
    /// What happens at once happens one after the other.
    Together,
    /// When a sequence restarts, and what is lost.
    Restart,
    /// What is repeated is done once.
    Repeat,
    /// What may be done must be done.
    May,
    /// A write is left out.
    Assignment,
    /// A move, a shuffle, a creation or a removal is left out.
    Move,
    /// An announcement is left out.
    Emission,
    /// A sequence is not performed, a queue not resolved.
    Call,
    /// A `leave` or `declare` is left out.
    Exit,
    /// A gap is left out, or ends the run.
    Gap,
    /// What is done otherwise is left out.
    Otherwise,
    /// A condition always holds.
    Guard,
    /// A condition is turned round.
    Negate,
    /// A comparison is another one.
    Compare,
    /// `and` for `or`, `every` for `some`.
    Connective,
    /// A part of a condition is left out.
    Part,
    /// A clamp is left out.
    Clamp,
    /// One more or one less.
    Number,
    /// Another value of the same type.
    Value,
    /// More for less.
    Sign,
    /// Up for down.
    Rounding,
    /// First for last, next for previous, largest for smallest.
    End,
}

impl Operator {
    /// All of them.
    pub const ALL: [Self; 26] = [
        Self::Step,
        Self::Swap,
        Self::Order,
        Self::Domain,
        Self::Together,
        Self::Restart,
        Self::Repeat,
        Self::May,
        Self::Assignment,
        Self::Move,
        Self::Emission,
        Self::Call,
        Self::Exit,
        Self::Gap,
        Self::Otherwise,
        Self::Guard,
        Self::Negate,
        Self::Compare,
        Self::Connective,
        Self::Part,
        Self::Clamp,
        Self::Number,
        Self::Value,
        Self::Sign,
        Self::Rounding,
        Self::End,
    ];

    /// Its name.
    pub fn word(self) -> &'static str {
        match self {
            Self::Step => "step",
            Self::Swap => "swap",
            Self::Order => "order",
            Self::Domain => "domain",
            Self::Together => "together",
            Self::Restart => "restart",
            Self::Repeat => "repeat",
            Self::May => "may",
            Self::Assignment => "assignment",
            Self::Move => "move",
            Self::Emission => "emission",
            Self::Call => "call",
            Self::Exit => "exit",
            Self::Gap => "gap",
            Self::Otherwise => "otherwise",
            Self::Guard => "guard",
            Self::Negate => "negate",
            Self::Compare => "compare",
            Self::Connective => "connective",
            Self::Part => "part",
            Self::Clamp => "clamp",
            Self::Number => "number",
            Self::Value => "value",
            Self::Sign => "sign",
            Self::Rounding => "rounding",
            Self::End => "end",
        }
    }

    /// The one with a name.
    pub fn find(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.word() == word)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_operator_is_found_by_its_name() {
        for one in Operator::ALL {
            assert_eq!(Operator::find(one.word()), Some(one));
        }
        assert_eq!(Operator::find("nothing"), None);
    }
}
