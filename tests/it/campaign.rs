//! Campaigns: known faults are found from nothing, every finding replays, and whoever kills a campaign
//! loses nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::time::Duration;

use endstep::driver::campaign::{Account, Archive, Found, Nowhere, Plan, campaign, checked};
use endstep::explore;
use endstep::typing::program::Program;
use endstep::verdict::fingerprint;
use endstep::witness::{Witness, from_json, replay, to_json};

use super::engines::{compiled, random};

fn sampled(program: &Program, plan: &Plan, archive: &dyn Archive) -> Account {
    campaign(program, plan, archive, &|_| true)
}

fn plan(runs: u64, seed: u64) -> Plan {
    Plan {
        seed,
        jobs: 1,
        runs: Some(runs),
        ..Plan::default()
    }
}

fn prints(program: &Program, account: &Account) -> BTreeSet<String> {
    let findings = checked(program, account, None).results.findings;
    findings
        .iter()
        .map(|one| fingerprint(program, one))
        .collect()
}

/// What a file expects: code, subject and cause of each finding that a run can show.
fn expected(text: &str) -> Vec<String> {
    let lines = text
        .lines()
        .filter_map(|line| line.strip_prefix("-- finding: "));
    let of_runs = |line: &&str| {
        let code = line.split(' ').next().unwrap_or_default();
        // Not those about the text, about all boards, about examples, and about positions.
        let not = [
            "F01", "F0203", "F0612", "F0613", "F0702", "F0703", "F0704", "F0705",
        ];
        !not.iter().any(|prefix| code.starts_with(prefix))
    };
    lines.filter(of_runs).map(str::to_owned).collect()
}

#[test]
fn known_faults_of_the_corpus_are_found_from_nothing() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus");
    let (mut files, mut missed) = (0, Vec::new());
    for folder in [
        "loop", "growth", "gap", "event", "restart", "promise", "range", "conflict",
    ] {
        let mut all = Vec::new();
        super::corpus::files(&root.join(folder).join("fail"), &mut all);
        assert!(!all.is_empty(), "{folder}");
        for path in all {
            let text = std::fs::read_to_string(&path).unwrap();
            let expected = expected(&text);
            let Some(program) = compiled(&text).filter(|_| !expected.is_empty()) else {
                continue;
            };
            files += 1;
            let account = sampled(&program, &plan(2000, 1), &Nowhere);
            let found = checked(&program, &account, None).results.findings;
            let found: Vec<String> = found
                .iter()
                .map(|one| match one.cause.as_str() {
                    "" => format!("{} {}", one.code, one.subject),
                    cause => format!("{} {} | {cause}", one.code, one.subject),
                })
                .collect();
            let lost = expected.iter().filter(|one| !found.contains(one));
            missed.extend(lost.map(|one| format!("{}: {one}, only {found:?}", path.display())));
        }
    }
    assert!(files > 25, "{files} files");
    assert!(missed.is_empty(), "{missed:#?}");
}

#[test]
fn every_finding_replays_and_none_contradicts_the_explorer() {
    let mut shown = 0;
    for number in 0..12 {
        let program = compiled(&random(number)).unwrap();
        // The same boards as those that are explored, so that both say the same of them.
        let sizes = program.sorts.iter().map(|(id, sort)| (id, sort.explore.1));
        let mut plan = plan(100, number);
        plan.scene.sizes.most = sizes.collect();
        let account = sampled(&program, &plan, &Nowhere);
        let limits = super::engines::LIMITS;
        let options = endstep::analysis::Options {
            limits,
            threads: 1,
            ..Default::default()
        };
        let results = explore::check(&program, &options, &mut |_| {});
        let complete = results.scopes.iter().all(|one| one.limitations.is_empty());
        let all: BTreeSet<String> = results
            .findings
            .iter()
            .map(|one| fingerprint(&program, one))
            .collect();
        for found in &account.found {
            let Some(witness) = &found.finding.witness else {
                // No run of an example has what should be possible.
                assert_eq!(found.finding.code.id(), "F0612");
                continue;
            };
            replay(&program, witness).unwrap();
            let saved = from_json(&program, &to_json(&program, witness)).unwrap();
            assert_eq!(saved, *witness, "what is saved is what was found");
            shown += 1;
        }
        if complete {
            let extra: Vec<String> = prints(&program, &account)
                .difference(&all)
                .cloned()
                .collect();
            let named = |print: &String| {
                let mut found = account.found.iter();
                let found = found.find(|one| fingerprint(&program, &one.finding) == *print);
                found.map(|one| format!("{} {}", one.finding.code, one.finding.subject))
            };
            let extra: Vec<_> = extra.iter().map(named).collect();
            assert!(extra.is_empty(), "number {number}: {extra:?}");
        }
    }
    assert!(shown > 10, "{shown} findings");
}

#[test]
fn what_no_run_of_an_example_has_is_found() {
    let text = |points: u32| {
        format!(
            r#"
game "Points"
player Player, explore 1
var points: integer from 0 to 9, explore 0 to 0
sequence gain
  step take
    basis invented "a step"
    choose number n from 1 to 2 by next after next_player
    increase points by n
var next_player: Player
verify gain
example two_at_most
  given
    Player ann
    next_player = ann
  perform gain
  expect possible points = {points}
"#
        )
    };
    let found = |points| {
        let program = compiled(&text(points)).unwrap();
        let account = sampled(&program, &plan(1, 0), &Nowhere);
        let found = account.found.iter();
        let codes = found.map(|one| (one.finding.code.id(), one.finding.witness.is_some()));
        codes.collect::<Vec<_>>()
    };
    assert_eq!(found(2), []);
    assert_eq!(found(3), [("F0612", false)]);
}

#[test]
fn a_campaign_without_a_legal_board_ends() {
    let text = "game \"g\"\nvar n: integer from 0 to 3\nlegal never: n > 3\n\
        sequence play\n  step go\n    set n to 0\nverify play\n";
    let program = compiled(text).unwrap();
    let account = sampled(&program, &plan(1000, 1), &Nowhere);
    assert_eq!((account.runs, account.deals), (0, 0));
}

#[test]
fn a_seed_and_a_number_of_runs_make_a_campaign() {
    let program = super::sample::gods();
    let one = sampled(&program, &plan(1500, 3), &Nowhere);
    let same = sampled(&program, &plan(1500, 3), &Nowhere);
    let other = sampled(&program, &plan(1500, 4), &Nowhere);
    assert_eq!(
        (one.runs, one.boards, one.deals, one.edges),
        (same.runs, same.boards, same.deals, same.edges)
    );
    assert_eq!(one.found, same.found);
    assert_ne!((one.boards, one.edges), (other.boards, other.edges));
}

/// Keeps everything in memory.
#[derive(Default)]
struct Memory {
    inputs: Mutex<BTreeSet<Vec<u8>>>,
    shown: Mutex<BTreeMap<String, Vec<u8>>>,
}

impl Archive for Memory {
    fn inputs(&self) -> Vec<Vec<u8>> {
        self.inputs.lock().unwrap().iter().cloned().collect()
    }

    fn shown(&self) -> Vec<Vec<u8>> {
        self.shown.lock().unwrap().values().cloned().collect()
    }

    fn keep(&self, input: &[u8]) {
        self.inputs.lock().unwrap().insert(input.to_vec());
    }

    fn forget(&self, input: &[u8]) {
        self.inputs.lock().unwrap().remove(input);
    }

    fn found(&self, print: &str, found: &Found) {
        let mut shown = self.shown.lock().unwrap();
        shown.insert(print.to_owned(), found.bytes());
    }
}

#[test]
fn a_campaign_goes_on_with_what_was_kept() {
    let program = super::sample::gods();
    let archive = Memory::default();
    let first = sampled(&program, &plan(6000, 3), &archive);
    assert!(!first.found.is_empty() && first.corpus > 20);
    assert_eq!(archive.inputs().len(), first.corpus);
    // Nothing new: everything that was known is known again.
    let second = sampled(&program, &plan(1, 9), &archive);
    assert_eq!(second.resumed, first.found.len());
    assert!(prints(&program, &second).is_superset(&prints(&program, &first)));
    assert!(second.edges >= first.edges && second.corpus <= first.corpus + 2);
}

fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = crate::endstep();
    let passage = "tests/corpus/passages/gods-unchained-restart.endstep";
    let passage = Path::new(env!("CARGO_MANIFEST_DIR")).join(passage);
    command
        .args([
            "fuzz",
            passage.to_str().unwrap(),
            "--corpus",
            folder.to_str().unwrap(),
        ])
        .args(["--quiet", "--no-expected", "--jobs", "1"])
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command
}

#[test]
fn two_specifications_never_share_a_folder() {
    let root = std::env::temp_dir().join(format!("endstep-apart-{}", std::process::id()));
    let other = root.join("gods-unchained-restart.endstep");
    std::fs::create_dir_all(&root).unwrap();
    std::fs::write(&other, "game \"g\"\n").unwrap();
    let corpus = root.join("corpus");
    let mut command = command(&corpus, &["--runs", "1"]);
    let output = command.arg(&other).stderr(Stdio::piped()).output().unwrap();
    assert_eq!(output.status.code(), Some(64));
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.contains("would both be"), "{told}");
    assert!(!corpus.exists());
    std::fs::remove_dir_all(&root).unwrap();
}

/// The whole files of a campaign.
fn kept(folder: &Path) -> BTreeSet<PathBuf> {
    let root = folder.join("gods-unchained-restart");
    let entries = [root.join("inputs"), root.join("shown"), root.clone()];
    let files = entries
        .iter()
        .flat_map(|entry| std::fs::read_dir(entry).into_iter().flatten());
    let paths = files.map(|entry| entry.unwrap().path());
    let is_whole = |path: &PathBuf| {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        path.is_file() && !name.starts_with('.')
    };
    paths.filter(is_whole).collect()
}

#[test]
fn whoever_kills_a_campaign_loses_nothing() {
    let name = format!("endstep-campaign-{}", std::process::id());
    let folder = std::env::temp_dir().join(name);
    let mut before = BTreeSet::new();
    for turn in 0_u64..20 {
        let seed = turn.to_string();
        let mut child = command(&folder, &["--time", "60s", "--seed", &seed])
            .spawn()
            .unwrap();
        // At first until it has kept something.
        for _ in 0..400 {
            if kept(&folder).len() > 3 {
                break;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        // From here on at any moment: while it starts, takes up what is there, or keeps something more.
        std::thread::sleep(Duration::from_millis((turn * 7919) % 401));
        child.kill().unwrap();
        child.wait().unwrap();
        let now = kept(&folder);
        // Inputs may be forgotten for shorter ones; what shows a finding stays.
        let of_findings = |path: &&PathBuf| !path.parent().unwrap().ends_with("inputs");
        let lost: Vec<_> = before.difference(&now).filter(of_findings).collect();
        assert!(lost.is_empty(), "{lost:?}");
        before = now;
    }
    assert!(before.len() > 10, "{before:?}");
    // Each is whole: the next campaign takes all of it up, and finds what was found.
    let status = command(&folder, &["--runs", "1"]).status().unwrap();
    assert_eq!(status.code(), Some(1), "there are findings");
    let now = kept(&folder);
    let shown = |paths: &BTreeSet<PathBuf>| -> BTreeSet<PathBuf> {
        let shown = paths
            .iter()
            .filter(|path| path.parent().unwrap().ends_with("shown"));
        shown.cloned().collect()
    };
    assert!(shown(&now).is_superset(&shown(&before)));
    let saved = now
        .iter()
        .filter(|path| path.extension().is_some_and(|end| end == "json"));
    let saved: Vec<_> = saved.collect();
    assert!(saved.len() >= shown(&before).len());
    for path in saved {
        let mut command = crate::endstep();
        let replayed = command.arg("replay").arg(path).stdout(Stdio::null());
        assert_eq!(
            replayed.status().unwrap().code(),
            Some(0),
            "{}",
            path.display()
        );
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

/// A campaign that has begun, with its report.
fn begun(folder: &Path) -> std::process::Child {
    let child = command(folder, &["--time", "600s"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    for _ in 0..400 {
        if kept(folder).len() > 3 {
            break;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    child
}

fn signal(child: &std::process::Child, name: &str) {
    let id = child.id().to_string();
    let status = Command::new("kill").args([name, &id]).status().unwrap();
    assert!(status.success());
}

#[test]
#[cfg(unix)]
fn whoever_interrupts_a_campaign_gets_its_report() {
    for name in ["-INT", "-TERM"] {
        let folder = std::env::temp_dir().join(format!("endstep{name}-{}", std::process::id()));
        let child = begun(&folder);
        signal(&child, name);
        let output = child.wait_with_output().unwrap();
        let report = String::from_utf8_lossy(&output.stdout);
        assert!(report.contains("finding"), "{name}: {report}");
        // As the report says, whichever that is: somebody may have been quicker than the first finding.
        let expected = i32::from(!report.contains("no findings"));
        assert_eq!(output.status.code(), Some(expected), "{name}: {report}");
        std::fs::remove_dir_all(&folder).unwrap();
    }
}

/// The example of a pool of cards: a single one never loops, and the campaign finds two that do.
#[test]
fn the_smallest_cards_that_loop_are_found_in_a_pool() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/cards/lantern-row.endstep");
    let program = compiled(&std::fs::read_to_string(path).unwrap()).unwrap();
    let moth = program.sorts.iter().find(|(_, sort)| sort.name == "Moth");
    let (moth, sort) = moth.unwrap();
    assert_eq!(sort.explore.1, 1, "a check looks at single cards");
    let checked_all = explore::check(&program, &Default::default(), &mut |_| {});
    let is_loop = |code: &str| code.starts_with("F05");
    assert!(
        checked_all
            .scopes
            .iter()
            .all(|scope| scope.limitations.is_empty())
    );
    let mut looping = checked_all.findings.iter();
    assert!(!looping.any(|one| is_loop(one.code.id())));

    let account = sampled(&program, &plan(3000, 1), &Nowhere);
    let found = checked(&program, &account, None).results.findings;
    let loops = found.iter().filter(|one| is_loop(one.code.id()));
    let sizes: Vec<(&str, usize)> = loops
        .map(|one| {
            let Some(Witness::Lasso { run, .. }) = &one.witness else {
                panic!("{one:?}");
            };
            let cards = run.board.members(moth).count();
            (one.code.id(), cards)
        })
        .collect();
    assert!(sizes.contains(&("F0501", 2)), "{sizes:?}");
}

#[test]
fn a_reading_that_is_fixed_is_never_open() {
    let text = "game \"Fixed\"\nentity Card, explore 0 to 2\n  v: integer, explore 0 to 1\n\
        zone row of Card\nvar x: integer, explore 0 to 1\n\
        reading r\n  a \"one\"\n  b \"two\"\nreading w\n  c \"one\"\n  d \"two\"\n\
        sequence s\n  basis text\n  step one\n    set x to per r (a: 0 | b: 1)\n    \
        if x = 1\n      gap only_b\n    if size of row = 1\n      set x to per w (c: 4 | d: 5)\n    \
        if x = 5\n      gap only_d\nclaim k: must r is a after s\n";
    let program = compiled(text).unwrap();
    let under_b = |account: &Account| -> BTreeSet<String> {
        let names = account.found.iter().filter(|one| {
            let runs = one.finding.witness.iter().flat_map(Witness::runs);
            let mut readings = runs.flat_map(|run| &run.readings);
            readings.any(|(id, at)| program.readings[*id].name == "r" && *at == 1)
        });
        names.map(|one| one.finding.subject.clone()).collect()
    };
    // What was kept by a campaign that fixed nothing leaves nothing open either.
    let archive = Memory::default();
    let open = under_b(&sampled(&program, &plan(1500, 3), &archive));
    assert!(open.contains("only_b") && open.contains("r"), "{open:?}");
    let mut fixed = plan(1500, 3);
    let first = program.readings.ids().next().unwrap();
    fixed.scene.sizes.readings = vec![(first, 0)];
    for archive in [&Nowhere as &dyn Archive, &archive] {
        let account = sampled(&program, &fixed, archive);
        assert_eq!(under_b(&account), BTreeSet::new());
        let mut subjects = account.found.iter().map(|one| &one.finding.subject);
        assert!(subjects.any(|subject| subject == "only_d"));
    }
}
