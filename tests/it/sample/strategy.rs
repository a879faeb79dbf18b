//! Boards and schedules as a strategy: legal however they are drawn and shrunk, and as small as they
//! can be when a property fails.

use std::path::Path;

use endstep::analysis::{Ground, jobs};
use endstep::instance::{Machine, Outcome};
use endstep::sample::strategy::{Refused, Sample, Samples};
use endstep::sample::{Dice, Last, RunResult, Scene, Sign, Sizes, Wanted};
use endstep::semantics::{Interpreter, Next};
use endstep::typing::program::{Expr, Program, SortId, Value};
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, TestCaseError, TestError, TestRng, TestRunner};

use super::super::engines::compiled;
use super::gods;

const CARD: SortId = SortId(1);

fn specification(name: &str) -> Program {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
    compiled(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn runner(cases: u32) -> TestRunner {
    let config = Config {
        failure_persistence: None,
        max_shrink_iters: 5000,
        ..Config::with_cases(cases)
    };
    TestRunner::new_with_rng(config, TestRng::deterministic_rng(Default::default()))
}

/// Whether the interpreter says that a sample is legal, and explored.
fn is_legal(program: &Program, sample: &Sample<'_>) -> bool {
    let (readings, data) = (sample.readings(), sample.data());
    let it = Interpreter {
        program,
        readings: &readings,
        variant: &sample.job().variant,
    };
    let holds = |one: &Expr| it.condition(one, &data, None) == Ok(true);
    program.legals.iter().all(|one| holds(&one.condition))
        && endstep::analysis::is_legal(it, sample.job().only(program), &data) == Ok(true)
}

/// The packed machine and the interpreter go the same way along the schedule of a sample, to the end
/// that was sampled; of circles the first hundreds of steps are compared.
fn goes_as_the_interpreter_does(
    (program, ground): (&Program, &Ground),
    sample: &Sample<'_>,
    ran: &RunResult,
) -> Result<(), TestCaseError> {
    let (job, readings) = (sample.job(), sample.readings());
    let it = Interpreter {
        program,
        readings: &readings,
        variant: &job.variant,
    };
    let setting = sample.dealt.setting(ground, &job.variant);
    let mut machine = Machine::new(setting, sample.dealt.board.clone());
    machine.begin(job.sequence, &[], None);
    let mut state = it.start(job.sequence, &[], sample.data());
    let mut schedule = sample.schedule().iter();
    for _ in 0..ran.steps.min(400) {
        match (it.next(state), machine.step()) {
            (Next::Step(after, notes), Outcome::Step) => {
                assert_eq!(machine.notes, notes);
                state = after;
            }
            (Next::Choose(mut expected), Outcome::Choose(point)) => {
                let byte = schedule.next().copied().unwrap_or(0);
                let taken = usize::from(byte) % point.keys.len();
                machine.take(&point, taken);
                state = expected.alternatives.swap_remove(taken).state;
            }
            (Next::Done(ended, _), Outcome::Done(tag)) => {
                assert_eq!((&tag, &machine.data()), (&ended.tag, &*ended.data));
                assert_eq!(ran.last, Last::Ended(tag));
                assert_eq!(ran.whole.as_ref(), Some(&*ended.data));
                return Ok(());
            }
            (expected, met) => panic!("the interpreter: {expected:?}, the machine: {met:?}"),
        }
        assert_eq!(machine.state(), state);
    }
    assert!(ran.steps > 400 || !matches!(ran.last, Last::Ended(_)));
    Ok(())
}

#[test]
fn runs_of_real_documents_are_those_of_the_interpreter() {
    for name in ["gods-unchained", "rumblebots", "price-of-power"] {
        let program = specification(&format!("specs/{name}.endstep"));
        let ground = Ground::new(&program);
        let jobs = jobs(&program, None);
        let samples = Samples::new((&program, &ground), &jobs, &Scene::default());
        let told = runner(40).run(&samples, |sample| {
            let wanted = Wanted {
                whole: true,
                ..Wanted::default()
            };
            assert!(is_legal(&program, &sample));
            let ran = samples.run(&sample, wanted);
            goes_as_the_interpreter_does((&program, &ground), &sample, &ran)
        });
        assert_eq!(told.map_err(|one| one.to_string()), Ok(()), "{name}");
    }
}

#[test]
fn whatever_is_shrunk_is_legal_and_no_larger() {
    let program = gods();
    let ground = Ground::new(&program);
    let jobs = jobs(&program, None);
    let scene = Scene {
        sizes: Sizes {
            most: vec![(CARD, 6)],
            ..Sizes::default()
        },
        all_legal: false,
    };
    let samples = Samples::new((&program, &ground), &jobs, &scene);
    let (mut runner, mut dice) = (runner(1), Dice::new(2));
    let mut looked_at = 0;
    for _ in 0..40 {
        let mut tree = samples.new_tree(&mut runner).unwrap();
        let mut failed = tree.current();
        while looked_at < 2000 {
            // Whether the test fails is left to the dice: no answer may lead to an illegal board.
            let fails = dice.odds(40);
            if fails {
                failed = tree.current();
            }
            let more = match fails {
                true => tree.simplify(),
                false => tree.complicate(),
            };
            if !more {
                break;
            }
            let now = tree.current();
            assert!(is_legal(&program, &now), "{now:?}");
            assert!(now.input.len() <= failed.input.len());
            looked_at += 1;
        }
    }
    assert!(looked_at > 300, "{looked_at} samples");
}

/// The smallest sample on which a run shows a sign.
fn smallest<'g>(samples: &Samples<'g>, sign: fn(&Sign) -> bool) -> Sample<'g> {
    let told = runner(3000).run(samples, |sample| {
        let ran = samples.run(&sample, Wanted::default());
        match ran.signs.iter().any(sign) {
            true => Err(TestCaseError::fail("shown")),
            false => Ok(()),
        }
    });
    match told {
        Err(TestError::Fail(_, smallest)) => smallest,
        other => panic!("no run shows it: {other:?}"),
    }
}

#[test]
fn a_failing_property_shrinks_to_the_smallest_board() {
    // `check` finds no loop of one moth, and this one of two.
    let program = specification("examples/cards/lantern-row.endstep");
    let ground = Ground::new(&program);
    let all = jobs(&program, None);
    let samples = Samples::new((&program, &ground), &all, &Scene::default());
    let small = smallest(&samples, |sign| matches!(sign, Sign::Loop(_)));
    assert_eq!(small.data().entities.len(), 3, "a keeper, {small:?}");
    let told = format!("{small:?}");
    assert!(told.contains("\n  moth 2 in row: light "), "{told}");
    assert!(small.schedule().iter().all(|&byte| byte == 0), "{told}");

    // One god without health is enough for the gap; no creature is.
    let program = specification("tests/corpus/passages/gods-unchained-restart.endstep");
    let ground = Ground::new(&program);
    let all = jobs(&program, None);
    let samples = Samples::new((&program, &ground), &all, &Scene::default());
    let small = smallest(&samples, |sign| matches!(sign, Sign::Gap(_)));
    let gods = small.data().entities;
    let health: Vec<Value> = gods.iter().map(|one| one.fields[0]).collect();
    assert_eq!(health.len(), 2, "{small:?}");
    assert!(health.contains(&Value::Int(0)) && health.contains(&Value::Int(1)));
    assert_eq!(small.schedule(), [] as [u8; 0], "{small:?}");
}

#[test]
fn bytes_are_samples_or_refused_for_a_reason() {
    let text = "game \"g\"\nentity Card, explore up to 1\n  health: integer, explore 0 to 9\n\
                zone board of Card\nlegal strong: every c: Card has c.health > 8\n\
                sequence cleanup\n  step go\n    nothing\nverify cleanup\n";
    let program = compiled(text).unwrap();
    let ground = Ground::new(&program);
    let all = jobs(&program, None);
    let samples = Samples::new((&program, &ground), &all, &Scene::default());
    let health = |input: &[u8]| -> Result<Vec<Value>, Refused> {
        let data = samples.read(input)?.data();
        Ok(data.entities.iter().map(|one| one.fields[0]).collect())
    };
    assert_eq!(health(&[]), Ok(vec![]));
    assert_eq!(health(&[0, 1, 0, 9]), Ok(vec![Value::Int(9)]));
    assert_eq!(health(&[0, 1, 0, 3]), Err(Refused::NotLegal));
    // Of all draws some are mended; a specification without legal boards has no samples.
    assert!(samples.new_tree(&mut runner(1)).is_ok());
    let none = text.replace("every c: Card has c.health > 8", "size of board > 9");
    let program = compiled(&none).unwrap();
    let ground = Ground::new(&program);
    let all = jobs(&program, None);
    let samples = Samples::new((&program, &ground), &all, &Scene::default());
    let why = samples.new_tree(&mut runner(1)).unwrap_err();
    assert!(why.message().contains("not legal"), "{why}");
}
