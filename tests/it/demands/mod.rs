//! What is told of demands that no outcome meets together, and what of that is believed.

mod against;

use std::sync::Arc;

use endstep::analysis::Options;
use endstep::explore::check;
use endstep::report::{Sheet, Standing, Style, check_json, check_text};
use endstep::source::SourceMap;
use endstep::typing::program::Program;
use endstep::verdict::{Finding, Results, accepted};
use endstep::witness::{
    Demands, LoadError, ReplayError, RunEnd, Violated, Witness, from_json, replay, to_json,
};

const GAME: &str = r#"game "Torn"
entity Card, explore 2 to 3
  power: integer, explore 1 to 3
zone board of Card
var result: integer, explore 0 to 0, reach 0 to 9
document rules "The rules"
  clause low (claim) at "Page 1"
    says "The lowest card decides."
    claim ends_low: must result <= 1 after play
  clause high (claim) at "Page 2"
    says "The highest card decides."
    claim ends_high: invariant result >= 2 at the end of play
  clause last (rule) at "Page 3"
    says "Who comes last decides."
    sequence play
      step last_one_counts
        for each c: Card in board
          set result to c.power
claim in_bounds: must result <= 9 after play
question neither: must result = 0 after play
accept F0405 at ends_high because "it is known"
"#;

struct Checked {
    sources: SourceMap,
    program: Program,
    results: Results,
}

impl Checked {
    fn of(text: &str) -> Self {
        Self::with(text, &Options::default())
    }

    fn with(text: &str, options: &Options) -> Self {
        let mut sources = SourceMap::new();
        let id = sources.load("torn.endstep", text.as_bytes()).unwrap();
        let parsed = endstep::syntax::parse(id, text);
        let (program, found) = endstep::typing::check(&[parsed.file]);
        let program = program.unwrap_or_else(|| panic!("{:?} {found:?}", parsed.diagnostics));
        let mut results = check(&program, options, &mut |_| {});
        endstep_verdicts::analysis::keep_wanted(&program, options, &mut results);
        Self {
            sources,
            program,
            results,
        }
    }

    fn sheet<'a>(&'a self, standings: &'a [Standing]) -> Sheet<'a> {
        Sheet {
            name: "torn.endstep",
            sources: &self.sources,
            program: &self.program,
            results: &self.results,
            standings,
            vanished: &[],
            unused: &[],
            unfound: &[],
            policy: Default::default(),
            restrictions: &[],
            saved: None,
            reread: None,
        }
    }

    fn standings(&self) -> Vec<Standing> {
        vec![Standing::New; self.results.findings.len()]
    }

    /// The report, in one line.
    fn text(&self) -> String {
        let standings = self.standings();
        let text = check_text(self.sheet(&standings), Style::default());
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    fn found(&self, code: &str, subject: &str) -> Option<&Finding> {
        let mut findings = self.results.findings.iter();
        findings.find(|one| one.code.id() == code && one.subject == subject)
    }

    fn witness(&self, code: &str, subject: &str) -> Witness {
        let found = self.found(code, subject).unwrap();
        found.witness.clone().unwrap()
    }
}

#[test]
fn a_core_is_told_by_its_clauses_with_all_ways_to_end() {
    let checked = Checked::of(GAME);
    let text = checked.text();
    for part in [
        "Clause low says \"The lowest card decides.\" (ends_low: after play, result is at most 1).",
        "formally: ends_low: must result <= 1 after play formally: ends_high: ",
        "From the board below play can end in 2 ways, and neither meets both: \
         in the first ends_low is not met, in the second ends_high is not met. What changes there rests on clause last.",
        "First: ends_low is not met play: last one counts next: card 1",
        "Second: ends_high is not met play: last one counts next: card 2",
        "clause: high (Page 2): \"The highest card decides.\"",
    ] {
        assert!(text.contains(part), "{part} is not in\n{text}");
    }
    let finding = checked.found("F0405", "play").unwrap();
    assert_eq!(finding.cause, "ends_low + ends_high");
    assert_eq!(accepted(&checked.program, finding), Some(0));
    let three = GAME.replace("explore 2 to 3\n", "explore 3\n");
    let three = three.replace(
        "zone board of Card\n",
        "zone board of Card\nlegal all: every n: Card has (count of c: Card where c.power = n.power) = 1\n",
    );
    let text = Checked::of(&three).text();
    let part = "can end in 3 ways, and none of them meets both: in 2 ends_low is not met, in 1 \
                ends_high is not met.";
    assert!(text.contains(part), "{part} is not in\n{text}");
}

#[test]
fn what_is_met_nowhere_is_said_where_it_is_refuted() {
    let text = GAME.replace("explore 1 to 3", "explore 2 to 3");
    let checked = Checked::of(&text);
    assert_eq!(checked.found("F0405", "play"), None);
    let told = checked.text();
    let part = "This fails on the board below. No run from this board satisfies it. What changes \
                there rests on clause last.";
    assert!(told.contains(part), "{told}");
    let witness = checked.witness("F0610", "ends_low");
    replay(&checked.program, &witness).unwrap();
    let file = to_json(&checked.program, &witness);
    // With another kind of cards the order decides it, and the run is as before.
    let torn = text.replace("set result to c.power", "set result to min(c.power, 2) - 1");
    assert!(from_json(&Checked::of(&torn).program, &file).is_err());
    let may = text.replace(
        "          set result to c.power\n",
        "          may by chance \"so\"\n            set result to c.power\n",
    );
    let may = Checked::of(&may);
    assert!(matches!(
        may.witness("F0610", "ends_low"),
        Witness::Run {
            violated: Violated::Claim(_),
            ..
        }
    ));
    // Whoever says so of a board on which it is not so is not believed.
    let mut lie = may.witness("F0610", "ends_low");
    if let Witness::Run { violated, .. } = &mut lie {
        *violated = Violated::Everywhere(Box::new(violated.clone()));
    }
    assert_eq!(replay(&may.program, &lie), Err(ReplayError::AllMet));
}

/// What replaying says once a witness has been tampered with.
fn refused(change: impl FnOnce(&mut Demands)) -> ReplayError {
    let checked = Checked::of(GAME);
    let mut witness = checked.witness("F0405", "play");
    replay(&checked.program, &witness).unwrap();
    let Witness::Demands(demands) = &mut witness else {
        panic!("{witness:?}");
    };
    change(demands);
    replay(&checked.program, &witness).unwrap_err()
}

#[test]
fn a_witness_that_is_not_true_is_refused() {
    type Case<'a> = (&'a dyn Fn(&mut Demands), ReplayError);
    let claim = Violated::Claim;
    let cases: [Case<'_>; 10] = [
        (&|one| one.runs.swap(0, 1), ReplayError::OtherDemand),
        (&|one| one.core.swap(0, 1), ReplayError::OtherOutcomes),
        (&|one| one.runs.truncate(1), ReplayError::NoDemand),
        (&|one| one.runs.clear(), ReplayError::NoDemand),
        (
            &|one| {
                one.runs.truncate(1);
                one.core.truncate(1);
            },
            ReplayError::AllMet,
        ),
        (&|one| one.ways.truncate(1), ReplayError::OtherOutcomes),
        // What is always met, and what is only asked.
        (&|one| one.core[0] = claim(2), ReplayError::AllMet),
        (&|one| one.core[0] = claim(3), ReplayError::NoDemand),
        (
            &|one| {
                if let RunEnd::Ended(ended) = &mut one.runs[1].end {
                    Arc::make_mut(&mut ended.data).vars.clear();
                }
            },
            ReplayError::EndsOtherwise,
        ),
        (
            &|one| one.runs[1] = one.runs[0].clone(),
            ReplayError::OtherDemand,
        ),
    ];
    for (at, (change, expected)) in cases.into_iter().enumerate() {
        assert_eq!(refused(change), expected, "case {at}");
    }
}

#[test]
fn a_file_is_refused_when_the_rules_have_a_way_out() {
    let before = Checked::of(GAME);
    let file = to_json(&before.program, &before.witness("F0405", "play"));
    let again = |text: &str| {
        let after = Checked::of(text);
        let read = from_json(&after.program, &file)?;
        replay(&after.program, &read).map_err(LoadError::Run)
    };
    again(GAME).unwrap();
    let met = GAME.replace("must result <= 1", "must result <= 2");
    assert_eq!(again(&met), Err(LoadError::Run(ReplayError::AllMet)));
    let asked = GAME.replace("claim ends_low", "question ends_low");
    assert_eq!(again(&asked), Err(LoadError::Run(ReplayError::NoDemand)));
    let only = GAME.replace(
        "must result <= 1 after play",
        "must result <= 1 after play where result = 1",
    );
    assert_eq!(again(&only), Err(LoadError::Run(ReplayError::NoDemand)));
    let gone = GAME.replace("claim ends_low", "claim ends_at_all");
    let unknown = LoadError::Unknown("claim", "ends_low".to_owned());
    assert_eq!(again(&gone), Err(unknown));
}

#[test]
fn whoever_asks_of_one_claim_is_told_of_those_that_are_at_odds_with_it() {
    let only = |word: &str| {
        let program = Checked::of(GAME).program;
        let at = program.claims.iter().position(|one| one.name == word);
        let options = Options {
            only: vec![word.to_owned()],
            claims: at.map(|at| vec![at]),
            ..Options::default()
        };
        Checked::with(GAME, &options)
    };
    let codes = |checked: &Checked| -> Vec<String> {
        let findings = checked.results.findings.iter();
        let told = findings.map(|one| format!("{} {}", one.code, one.subject));
        told.collect()
    };
    let one = only("ends_high");
    assert_eq!(codes(&one), ["F0405 play", "F0610 ends_high"]);
    assert_eq!(one.results.answers.len(), 1);
    let all = Checked::of(GAME);
    assert_eq!(one.found("F0405", "play"), all.found("F0405", "play"));
    assert_eq!(codes(&only("in_bounds")), [""; 0]);
    assert_eq!(codes(&only("neither")), ["F0611 neither"]);
    assert_eq!(codes(&only("F0405")), ["F0405 play"]);
    assert_eq!(codes(&only("low")), ["F0405 play", "F0610 ends_low"]);
}

#[test]
fn programs_are_told_how_many_outcomes_break_which_demands() {
    let checked = Checked::of(GAME);
    let standings = checked.standings();
    let report = check_json(checked.sheet(&standings));
    let findings = report["findings"].as_array().unwrap();
    let witness = |code: &str| {
        let mut found = findings.iter();
        &found.find(|one| one["code"] == code).unwrap()["witness"]
    };
    assert_eq!(witness("F0405")["kind"], "demands");
    let ways = &witness("F0405")["ways"];
    assert_eq!(ways[0]["not_met"][0], "ends_low");
    assert_eq!(ways[0]["outcomes"], 1);
    assert_eq!(ways[1]["not_met"][0], "ends_high");
    assert_eq!(ways.as_array().map(Vec::len), Some(2));
    assert_eq!(witness("F0405")["everywhere"], false);
    assert_eq!(
        witness("F0611")["everywhere"],
        false,
        "a question demands nothing"
    );
    assert_eq!(witness("F0610")["everywhere"], true, "[1, 1] or [2, 2]");
    assert_eq!(witness("F0610")["ways"].as_array().map(Vec::len), Some(0));
}
