//! Sentences that said more than was found, or left out a part of it.

use endstep::analysis::Options;
use endstep::report::{Change, Changes, Style, Versions, changes_text};
use endstep::typing::program::{Program, ReadingId};
use endstep::verdict::{Finding, Under};

use super::{Checked, never_says, says};

fn game(lines: &str) -> String {
    let lines: String = lines.lines().map(|line| format!("  {line}\n")).collect();
    format!(
        "game \"Told\"\ndocument d \"d\"\n  clause d.1 (rule) at \"1\"\n    says \"x\"\n{lines}"
    )
}

fn checked(lines: &str) -> Checked {
    Checked::of(&game(lines), &Options::default())
}

/// Checked with one reading fixed from outside.
fn fixed(lines: &str, reading: &str, alternative: &str) -> Checked {
    let program = checked(lines).program;
    let mut readings = program.readings.iter();
    let (id, found) = readings.find(|(_, one)| one.name == reading).unwrap();
    let mut all = found.alternatives.iter();
    let at = all.position(|one| one.name == alternative).unwrap();
    let mut options = Options::default();
    options.readings.insert(id, at as u16);
    Checked::of(&game(lines), &options)
}

fn found<'a>(checked: &'a Checked, code: &str) -> Vec<&'a Finding> {
    let findings = checked.results.findings.iter();
    findings.filter(|one| one.code.id() == code).collect()
}

/// Under which alternatives of its one reading a finding occurs.
fn under(program: &Program, finding: &Finding) -> Vec<String> {
    let name = |id: &ReadingId, at: &u16| {
        let alternatives = &program.readings[*id].alternatives;
        alternatives[usize::from(*at)].name.clone()
    };
    match &finding.readings {
        Under::All => vec!["all".to_owned()],
        Under::Listed(listed) => {
            let all = listed.iter().flatten();
            all.map(|(id, at)| name(id, at)).collect()
        }
    }
}

/// What can be forced is a whole outcome: that p 1 wins is so under both, and by whom x is chosen is what differs.
#[test]
fn what_can_be_forced_is_an_outcome_with_all_its_data() {
    let who = |end: &str| {
        format!(
            "  player P, explore 2
  reading r
    one \"ann says how many\"
    two \"chance says how many\"
  var x: integer, explore 0 to 0
  var y: integer, explore 0 to 0
  var ann: P
  sequence s
    step a
      depending on r
        when one
          choose number k from 0 to 1 by ann
          set y to k
        when two
          choose number k from 0 to 1 by chance
          set y to k
{end}
  verify s"
        )
    };
    let ends = [
        "      nothing",
        "      choose number j from 0 to 1 by ann\n      set x to j",
    ];
    // Where the game is over nothing else counts.
    let over = "      if y = 1\n        declare win for ann\n      otherwise\n        declare loss for ann";
    let over = checked(&who(over)).text();
    says(&over, "p 1 can make sure that p 1");
    never_says(&over, "exactly as in");
    for end in ends {
        let text = checked(&who(end)).text();
        says(&text, "F0404");
        says(
            &text,
            "can make sure that it ends exactly as in the first run below; under the second, not.",
        );
        never_says(&text, "can make sure that P 1 wins");
        never_says(&text, "can make sure that it ends with");
    }
}

const CARDS: &str = "  entity Card, explore 2
    v: integer, explore 0 to 1
  zone row of Card
  zone out of Card, starts empty
  player P, explore 1
  var ann: P
";

/// An order that is fixed under some readings decides under these alone.
#[test]
fn an_order_decides_where_it_is_fixed() {
    let lines = format!(
        "{CARDS}  reading dir
    lefts \"left first\"
    rights \"right first\"
    free \"free\"
  sequence s
    step a
      for each c in row, per dir (lefts: left to right | rights: right to left | free: in any order)
        if c.v = 1
          move c to out
  verify s"
    );
    let all = checked(&lines);
    let fixed_orders = found(&all, "F0203");
    assert_eq!(fixed_orders.len(), 1, "{}", all.text());
    assert_eq!(under(&all.program, fixed_orders[0]), ["lefts", "rights"]);
    let open = found(&all, "F0201");
    assert_eq!(open.len(), 1);
    assert_eq!(under(&all.program, open[0]), ["free"]);
    let free = fixed(&lines, "dir", "free");
    assert!(found(&free, "F0203").is_empty(), "{}", free.text());
    let lefts = fixed(&lines, "dir", "lefts");
    assert_eq!(found(&lefts, "F0203").len(), 1, "{}", lefts.text());
}

/// What nobody decides under one reading and somebody under another is told twice.
#[test]
fn a_pair_is_told_once_for_each_who_decides() {
    let lines = format!(
        "{CARDS}  reading dir
    free \"free\"
    hers \"her choice\"
    left \"left\"
  sequence s
    step a
      for each c in row, per dir (free: in any order | hers: in an order chosen by ann | left: left to right)
        move c to out
  verify s"
    );
    let all = checked(&lines);
    let orders = found(&all, "F0201");
    let told: Vec<_> = orders
        .iter()
        .map(|one| (one.cause.as_str(), under(&all.program, one).join(" ")))
        .collect();
    let expected = [
        ("Card & Card", "free".to_owned()),
        ("Card & Card, chosen by a player", "hers".to_owned()),
    ];
    let mut sorted = told.clone();
    sorted.sort();
    assert_eq!(sorted, expected, "{}", all.text());
}

/// Where a reading is fixed from outside, nothing is said of the others.
#[test]
fn nothing_is_said_of_readings_that_were_not_tried() {
    let lines = "  reading r
    one \"one\"
    two \"two\"
  var x: integer, explore 0 to 1
  sequence s
    step a
      repeat while x = 1 and r is one
        nothing
    step b
      if r is one
        set x to x
  verify s
  claim e: terminates s
  example ex
    given
      x = 1
    perform s
    expect x = 0";
    let one = fixed(lines, "r", "one").text();
    says(
        &one,
        "There is a loop there under this reading of the text, though it need not be this one.",
    );
    never_says(&one, "under every reading of the text");
    let two = fixed(lines, "r", "two").text();
    says(&two, "does not come out as the document tells it");
    for text in [&one, &two, &checked(lines).text()] {
        never_says(text, "comes out only if");
    }
    let idle = "  reading r
    one \"one\"
    two \"two\"
  var x: integer, explore 0 to 1
  sequence s
    step a
      if r is one
        set x to 1 - x
      set x to 0
    step b
      set x to 0
  verify s";
    says(
        &checked(idle).text(),
        "from every board of its scope that was tried and under every reading",
    );
    says(
        &fixed(idle, "r", "one").text(),
        "from every board of its scope that was tried and under this reading",
    );
}

const THREE: &str = "  var x: integer, explore 0 to 0
  reading zz
    aa \"first thing\"
    bb \"second thing\"
    cc \"third thing\"
  sequence s
    step a
      depending on zz
        when aa
          nothing
        when bb
          set x to 1
        when cc
          gap g \"gee\"
  verify s
";

/// An example comes out if all of its lines do.
#[test]
fn an_example_that_never_comes_out_does_not_come_out_under_some_reading() {
    let never = format!(
        "{THREE}  example e
    given
      x = 0
    perform s
    expect possible gap g
    expect outcome end"
    );
    let text = checked(&never).text();
    never_says(&text, "comes out only if");
    says(&text, "The example \"e\" does not come out if");
    let once = format!(
        "{THREE}  example e
    given
      x = 0
    perform s
    expect outcome end
    expect x = 1"
    );
    let text = checked(&once).text();
    // Under the third it stops, and under the first x is 0.
    never_says(
        &text,
        "comes out only if the reading \"zz\" is taken as \"first thing\"",
    );
    let plain = "  var x: integer, explore 0 to 0
  reading zz
    aa \"first thing\"
    bb \"second thing\"
  sequence s
    step a
      if zz is bb
        set x to 1
  verify s
  example e
    given
      x = 0
    perform s
    expect x = 1";
    says(
        &checked(plain).text(),
        "comes out only if the reading \"zz\" is taken as \"second thing\"",
    );
}

#[test]
fn the_board_of_an_example_counts_as_legal_only_if_it_is() {
    let lines = "  var x: integer, explore 0 to 1
  legal small: x = 0
  sequence s
    step a
      set x to x
  verify s
  example e
    given
      x = 1
    perform s
    expect x = 0";
    let text = checked(lines).text();
    says(
        &text,
        "occurs on: the board of the example, which is not legal",
    );
    never_says(&text, "every legal board that was tried (1)");
}

/// What is found in two scopes is told once, and counts for both.
#[test]
fn a_finding_of_several_scopes_is_one_of_each() {
    let lines = "  entity Card, explore up to 2
  zone row of Card
  zone out of Card, starts empty
  sequence inner
    step b
      move first of row to out
  sequence outer
    step a
      perform inner
  verify inner
  verify outer
  claim less: must size of row < old size of row after outer
  claim less_inside: must size of row < old size of row after inner";
    let text = checked(lines).text();
    let caveat = "(runs that stop or never end do not count: F0302)";
    assert_eq!(text.matches(caveat).count(), 2, "{text}");
    says(&text, "legal boards in the scope of inner");
}

/// A draw that another sequence declares is no end of this one.
#[test]
fn only_what_a_sequence_can_declare_is_an_end_of_it() {
    let lines = |more: &str| {
        format!(
            "  var x: integer, explore 0 to 1
  sequence s
    step a
      set x to 0
{more}  sequence t
    step b
      declare draw
  verify s
  verify t
  claim z: invariant x = 0 at the end of s"
        )
    };
    let caveat = "runs that declare a win, a loss or a draw do not count";
    never_says(&checked(&lines("")).text(), caveat);
    let also = "    step c\n      choose number k from 0 to 1 by chance\n      if k = 1\n        perform t\n";
    says(&checked(&lines(also)).text(), caveat);
}

#[test]
fn ends_that_differ_in_what_is_there_are_told_apart() {
    let tokens = "  entity Token, explore 2
  var n: integer, starts 0
  sequence s
    step a
      for each t: Token
        if n = 0
          remove t
          set n to 1
    step b
      set n to 0
  verify s";
    let report = checked(tokens).report();
    let row = |name: &str| {
        let mut rows = report.lines().map(str::trim);
        let found = rows.find(|row| row.starts_with(name) && row.contains("not there"));
        found.is_some_and(|row| row.replace("not there", "").contains("there"))
    };
    assert!(row("token 1") && row("token 2"), "{report}");
    let created = "  entity Token, explore 0, headroom 2
  reading r
    x1 \"x1\"
    x2 \"x2\"
  sequence s
    step a
      if r is x1
        create Token
  verify s";
    let text = checked(created).text();
    says(&text, "Where they end differently");
    says(&text, "there not there");
}

#[test]
fn ends_that_differ_in_what_an_observer_counts_are_told_apart() {
    let lines = "  entity Card, explore 2
    v: integer, explore 0 to 1
  zone row of Card
  zone out of Card, starts empty
  observer cnt \"the cards that left with a one\"
    sees count of c in out where c.v = 1
  sequence s
    step a
      for each c in row
        if out is empty
          move c to out
  verify s observing cnt";
    let text = checked(lines).text();
    says(&text, "Where they end differently");
    says(&text, "count of c in out where c.v = 1");
}

#[test]
fn it_is_said_in_which_of_two_scopes_boards_are_counted() {
    let lines = "  player P, explore 1 to 3
  var n: integer, explore 0 to 1
  sequence s
    step a
      if n = 1
        gap one \"one\"
  sequence big
    step b
      perform s
  sequence small
    step c
      perform s
  verify big up to P = 3 where (count of p: P) > 1
  verify small up to P = 1";
    let text = checked(lines).text();
    says(&text, "1 of 2 legal boards in the scope of small");
}

/// Two sets of boards are the same if there are as many, and not if there are as many words.
#[test]
fn a_finding_that_occurs_on_other_boards_has_changed() {
    let lines = |condition: &str| {
        format!(
            "  var a: integer, explore 0 to 4
  var b: integer, explore 0 to 4
  var c: integer, explore 0 to 4
  sequence s
    step x
      if {condition}
        gap g \"g\"
  verify s"
        )
    };
    let old = checked(&lines(
        "a * a + 3 * b + c * a = 7 or a * b * c = 8 or a + b * c = 5",
    ));
    let new = checked(&lines(
        "a * a + 2 * b + c * b = 9 or a * b * c = 12 or a * c + b = 6",
    ));
    let differ = |one: &Checked, other: &Checked| {
        one.with_sheet(|old| {
            other.with_sheet(|new| {
                let versions = Versions { old, new };
                let changes = Changes::of(versions);
                let text = changes_text(versions, &changes, &[], Style::default());
                (changes.each(), text)
            })
        })
    };
    let (changes, text) = differ(&old, &new);
    assert!(matches!(changes[..], [Change::Altered(_)]), "{changes:?}");
    says(&text, "on how many boards, before:");
    assert_eq!(differ(&old, &old).0, []);
}
