//! An engine that says what is not so: nothing of it is told.

use endstep::analysis::{
    self, Blamed, Continuation, Edge, Engine, Graph, Halt, Options, Outcomes, Task, Values, Viewer,
};
use endstep::exhaust::Naive;
use endstep::semantics::{ChoiceKind, Data, Who};
use endstep::verdict::{Limitation, LoopClass, Results, Verdict};
use endstep::witness::{Ability, Root};

use super::compiled;

/// Answers as the naive engine does, but leads each alternative of two where the other leads.
struct Crossed;

impl Engine for Crossed {
    fn graph(&self, task: Task<'_>, root: &Root, board: &Data) -> Result<Graph, Halt> {
        let mut graph = Naive.graph(task, root, board)?;
        for node in 0..graph.nodes.len() {
            let to: Vec<usize> = graph.nodes.at(node).edges().map(Edge::to).collect();
            if let [first, second] = to[..] {
                graph.nodes.redirect((node, 0), second);
                graph.nodes.redirect((node, 1), first);
            }
        }
        Ok(graph)
    }

    fn values(
        &self,
        graph: &Graph,
        viewer: Viewer<'_>,
        outcomes: &mut Outcomes,
    ) -> Result<Values, Halt> {
        Naive.values(graph, viewer, outcomes)
    }

    fn is_able(&self, graph: &Graph, values: &Values, who: Who, what: (Ability, usize)) -> bool {
        Naive.is_able(graph, values, who, what)
    }

    fn loops(&self, graph: &Graph) -> Vec<(Vec<usize>, LoopClass)> {
        Naive.loops(graph)
    }

    fn unequal(&self, graph: &Graph, values: &Values, kind: ChoiceKind) -> Vec<usize> {
        Naive.unequal(graph, values, kind)
    }

    fn blame(&self, graph: &Graph, values: &Values, counts: &dyn Fn(usize) -> bool) -> Vec<Blamed> {
        Naive.blame(graph, values, counts)
    }

    fn continuation(
        &self,
        graph_and_values: (&Graph, &Values),
        node: usize,
        pair: (usize, usize),
    ) -> Option<Continuation> {
        Naive.continuation(graph_and_values, node, pair)
    }
}

const GAME: &str = "game \"Coin\"
var heads: boolean
sequence toss
  step throw
    choose one by nobody in particular
      option \"heads\"
        set heads to true
      option \"tails\"
        set heads to false
claim lands: must heads after toss
";

fn checked(engine: &dyn Engine) -> Results {
    let program = compiled(GAME).expect("no errors");
    analysis::check(&program, &Options::default(), engine, &mut |_| {})
}

#[test]
fn a_witness_that_does_not_replay_is_not_told() {
    let honest = checked(&Naive);
    let lying = checked(&Crossed);
    assert_eq!(honest.answers[0].verdict, Verdict::Refuted);
    assert!(
        matches!(lying.answers[0].verdict, Verdict::Unknown(_)),
        "{lying:?}"
    );
    let is_unshown = |one: &Limitation| matches!(one, Limitation::Unshown(_));
    let mut limitations = lying.scopes.iter().flat_map(|one| &one.limitations);
    assert!(limitations.any(is_unshown), "{lying:?}");
    let codes = |results: &Results| -> Vec<String> {
        let findings = results.findings.iter();
        findings.map(|one| one.code.to_string()).collect()
    };
    assert_eq!(codes(&honest), ["F0306", "F0610"]);
    assert_eq!(codes(&lying), [] as [&str; 0]);
}
