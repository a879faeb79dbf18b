//! Any bytes: they make a specification about which the engines say the same.

#![no_main]

use arbitrary::Unstructured;
use endstep::analysis::{Limits, Options};
use endstep::generate::specification;
use endstep::syntax::print;
use endstep::verdict::{Limitation, Results, fingerprint};
use endstep::{exhaust, explore};
use libfuzzer_sys::fuzz_target;

/// So few that a specification takes milliseconds.
const LIMITS: Limits = Limits {
    boards: 30,
    candidates: 500,
    states: 200,
    readings: 16,
    steps: 20_000,
};

/// Whether boards were left out for their number or for the steps that others took: which are left
/// depends on the engine then.
fn is_cut_off(results: &Results) -> bool {
    let scopes = results.scopes.iter();
    let mut limitations = scopes.flat_map(|scope| &scope.limitations);
    limitations.any(|one| matches!(one, Limitation::Steps(_) | Limitation::Boards(_)))
}

fuzz_target!(|bytes: &[u8]| {
    let file = match specification(&mut Unstructured::new(bytes)) {
        Ok(file) => file,
        Err(error) => panic!("no specification: {error}"),
    };
    let text = print(&file);
    let (program, diagnostics) = endstep::typing::check(&[file]);
    let Some(program) = program else {
        panic!("not well typed: {diagnostics:#?}\n{text}");
    };
    let options = Options {
        limits: LIMITS,
        threads: 1,
        ..Options::default()
    };
    let naive = exhaust::check(&program, &options, &mut |_| {});
    let fast = explore::check(&program, &options, &mut |_| {});
    if is_cut_off(&naive) || is_cut_off(&fast) {
        return;
    }
    let said = |results: &Results| -> Vec<String> {
        let findings = results.findings.iter();
        let findings = findings.map(|one| {
            let print = fingerprint(&program, one);
            format!("{} {print} on {} boards", one.code, one.boards)
        });
        let answers = results.answers.iter();
        let answers = answers.map(|one| format!("{:?} {:?}", one.subject, one.verdict));
        findings.chain(answers).collect()
    };
    assert_eq!(said(&naive), said(&fast), "{text}");
});
