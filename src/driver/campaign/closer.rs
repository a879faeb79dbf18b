//! Looks closely at the board of an input, and takes down what is found.

use super::found::Found;
use super::shared::Shared;
use endstep_engines::explore::Explorer;
use endstep_engines::sample::{Decoded, Sign, Suspicion, Why};
use endstep_language::diag::codes::finding as code;
use endstep_language::typing::program::{Program, ReadingId};
use endstep_semantics::semantics::{ChoiceKind, GapName, Site};
use endstep_verdicts::analysis::{Close, Engine, Job, Limits, Options, along, closely};
use endstep_verdicts::verdict::{ClaimFailure, Detail, Finding, Pair, fingerprint};

/// What looking at one board may cost.
const LIMITS: Limits = Limits {
    boards: 1,
    candidates: 1,
    states: 4000,
    readings: 12,
    steps: 600_000,
};

/// Looks closely.
#[derive(Clone, Copy)]
pub(super) struct Closer<'g> {
    pub program: &'g Program,
    pub explorer: &'g Explorer,
    pub jobs: &'g [Job],
    pub shared: &'g Shared<'g>,
}

/// Why a board is looked at.
#[derive(Debug, Clone)]
pub(super) struct Lead {
    /// What was seen.
    pub sign: Sign,
    /// Of two runs: whether nothing but orders is open in them.
    pub only_orders: bool,
}

impl Closer<'_> {
    /// Looks at the board of an input under its readings, but for one that is left open. Whether it
    /// shows what the lead is about.
    pub fn look(
        &self,
        (dealt, input): (&Decoded, &[u8]),
        open: Option<ReadingId>,
        lead: Option<&Lead>,
    ) -> bool {
        let job = &self.jobs[dealt.job];
        let close = self.close(dealt, input, open);
        self.shared.looked(close.steps);
        let mut shown = false;
        for mut finding in close.findings {
            // Of other boards nothing is known: they may show it under other readings.
            finding.readings_known = false;
            shown |= lead.is_some_and(|lead| leads_to(&lead.sign, &finding));
            let print = fingerprint(self.program, &finding);
            let input = input.to_vec();
            let found = Found {
                finding,
                input,
                open,
            };
            self.shared.found(print, found);
        }
        if let Some(lead) = lead.filter(|_| !shown && !close.complete)
            && let Some(why) = why(lead)
        {
            let suspicion = Suspicion {
                sequence: job.sequence,
                sign: lead.sign.clone(),
                why,
                witness: close.unclassified,
            };
            self.shared.suspect(dealt.job, suspicion);
        }
        shown
    }

    /// Whether the board of an input shows what a sign is a sign of, for sure.
    pub fn shows(
        &self,
        (dealt, input): (&Decoded, &[u8]),
        open: Option<ReadingId>,
        sign: &Sign,
    ) -> bool {
        let close = self.close(dealt, input, open);
        self.shared.looked(close.steps);
        close.findings.iter().any(|one| leads_to(sign, one))
    }

    fn close(&self, dealt: &Decoded, input: &[u8], open: Option<ReadingId>) -> Close {
        let engine = (self.program, self.explorer as &dyn Engine);
        let job = &self.jobs[dealt.job];
        let board = dealt.data(self.explorer.ground());
        let readings = dealt.assignment();
        let mut guide = readings.clone();
        guide.retain(|reading, _| Some(*reading) != open);
        let options = Options {
            limits: LIMITS,
            board: Some(board.clone()),
            guide,
            faults_only: true,
            threads: 1,
            ..Options::default()
        };
        let mut close = closely(engine, job, &options);
        if !close.complete {
            let schedule = input.get(dealt.schedule..).unwrap_or(&[]);
            let choices: Vec<usize> = schedule.iter().map(|&byte| byte.into()).collect();
            let single = along(engine, job, (&board, &readings), (&choices, &options));
            close.findings.extend(single.findings);
            close.unclassified = single.unclassified;
            close.steps += single.steps;
        }
        close
    }
}

/// What it means that a sign could not be decided.
fn why(lead: &Lead) -> Option<Why> {
    match lead.sign {
        Sign::Loop(_) => Some(Why::Loop),
        Sign::Order(..) if lead.only_orders => Some(Why::Orders),
        Sign::Order(..) | Sign::Choice(..) | Sign::Reading(..) => Some(Why::Differs),
        Sign::Limit(_) | Sign::Long => Some(Why::Long),
        _ => None,
    }
}

/// Whether a finding is what a sign is a sign of.
fn leads_to(sign: &Sign, finding: &Finding) -> bool {
    let detail = &finding.detail;
    let loops = [
        code::MANDATORY_LOOP,
        code::ORDER_LOOP,
        code::CHANCE_LOOP,
        code::OPTIONAL_LOOP,
        code::GROWTH,
    ];
    let is_loop = || {
        let claimed = matches!(detail, Detail::Claim(_, ClaimFailure::Loop(_)));
        claimed || loops.contains(&finding.code)
    };
    match sign {
        Sign::Gap(name) => match detail {
            Detail::Gap(found) => found == name,
            Detail::GapMet(gap, _) => *name == GapName::Named(*gap),
            _ => false,
        },
        Sign::Conflict(site) | Sign::Competing(site) => {
            matches!(detail, Detail::Conflict(found, _) if found == site)
        }
        Sign::Range(..) => finding.code == code::OUT_OF_RANGE,
        Sign::Stuck(sequence) => matches!(detail, Detail::Stuck(found) if found == sequence),
        Sign::Limit(_) | Sign::Long | Sign::Loop(_) => is_loop(),
        Sign::Ensures(step, at) => *detail == Detail::Ensures(*step, *at),
        Sign::Dropped(sequence) => {
            matches!(detail, Detail::Dropped { sequence: found, .. } if found == sequence)
        }
        Sign::Claim(claim) => matches!(detail, Detail::Claim(found, _) if found == claim),
        Sign::Legal(at) => matches!(detail, Detail::Legal(_, found) if found == at),
        Sign::Contract(_) | Sign::Outside(..) => finding.code == code::CONTRACT_BROKEN,
        Sign::Order(site, _) => pair(detail).is_some_and(|pair| pair.site == *site),
        Sign::Choice(site, ChoiceKind::Gap) => {
            matches!(detail, Detail::GapMatters(_, stmt, ..) if Site::Stmt(*stmt) == *site)
        }
        Sign::Choice(site, _) => pair(detail).is_some_and(|pair| pair.site == *site),
        Sign::Reading(reading, one, other) => {
            matches!(detail, Detail::Reading { reading: found, first, second, .. }
                if found == reading && (first.min(second), first.max(second)) == (one, other))
        }
    }
}

/// The two alternatives that a finding is about.
fn pair(detail: &Detail) -> Option<&Pair> {
    match detail {
        Detail::Order(pair)
        | Detail::Steps(_, pair)
        | Detail::SameGap(_, pair)
        | Detail::NobodyChooses(pair)
        | Detail::Claim(_, ClaimFailure::Order(pair)) => Some(pair),
        _ => None,
    }
}
