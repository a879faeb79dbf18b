//! What is different is told so that it is seen: in which things that were created two ends differ, in which way a board
//! is legal, under which title findings stand.

use super::{never_says, printed, says, told};

/// On each board there is a loop, under one way to read it and not under the other.
#[test]
fn a_loop_under_every_reading_need_not_be_one_of_the_board_that_is_shown() {
    let text = |repeat: &str| {
        format!(
            "game \"Loops\"\nplayer Player, explore 1\nvar n: integer from 0 to 1\nreading r\n  one \"one\"\n  two \
             \"two\"\nsequence s\n  basis text\n  step a\n    repeat while {repeat}\n      nothing\nverify s\n"
        )
    };
    let here =
        "There is a loop there under every reading of the text, though it need not be this one.";
    let somewhere = "Under every reading of the text some board has a loop there.";
    let apart = told(&text("(if r is one then n = 0 else n = 1)"));
    says(&apart, somewhere);
    never_says(&apart, here);
    let both = told(&text("n = 0 and (r is one or r is two)"));
    says(&both, here);
    never_says(&both, somewhere);
    // Of other readings nothing was asked.
    let asked = text("n = 0 and r is one") + "claim t: terminates s where r is one\n";
    let asked = told(&asked);
    says(&asked, "every run of s ends");
    never_says(&asked, here);
    never_says(&asked, somewhere);
}
