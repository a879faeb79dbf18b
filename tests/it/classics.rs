//! State spaces whose size is known: published, or a matter of arithmetic. Where each number comes
//! from stands at the top of its file under `tests/classics/`.

use super::counted::{counted, is};

/// Peterson 1981; the number follows from the algorithm, see the file.
#[test]
fn petersons_mutual_exclusion() {
    is("peterson", None, (10, 16, 0));
}

/// Model Checking Contest, Philosophers-PT-000005; and 3^5, with two deadlocks.
#[test]
fn dining_philosophers_can_starve() {
    let account = is("philosophers", None, (243, 945, 2));
    let ends: Vec<_> = account.ends.values().collect();
    assert_eq!(ends, [&2], "nothing but the deadlocks is an end");
    assert_eq!(account.space.depth, 5);
}

/// The Lucas number L(5).
#[test]
fn philosophers_with_both_forks_do_not_starve() {
    is("philosophers_both", None, (11, 30, 0));
}

/// Ciardo and Tilgner 1996; counted by others, too. What the Model Checking Contest publishes is
/// below.
#[test]
fn kanban() {
    is("kanban", Some("one"), (160, 616, 0));
    is("kanban", Some("two"), (4600, 28_120, 0));
    let account = is("kanban", Some("three"), (58_400, 446_400, 0));
    // In eight states there is only one thing to do: nothing is chosen there.
    let choices: Vec<_> = account.space.choices.values().collect();
    assert_eq!(choices, [&58_392]);
}

/// Model Checking Contest, TokenRing-PT-005; and Dijkstra's n * K legitimate states.
#[test]
fn dijkstras_token_ring() {
    is("token_ring", Some("different"), (166, 365, 0));
    is("token_ring", Some("stable"), (36, 36, 0));
}

/// 8^5 states and five ways out of each; the longest shortest way is seven steps of each counter.
#[test]
fn counters() {
    let account = is("counters_5", None, (32_768, 163_840, 0));
    assert_eq!(account.space.depth, 35);
}

/// Orders of n elements: 2^n - n states, n * 2^(n-1) - n transitions.
#[test]
fn cards_in_any_order() {
    for (board, n) in [("cards_4", 4), ("cards_8", 8), ("cards_12", 12)] {
        let most = (1 << n) - n;
        let account = is("cards", Some(board), (most, n * (1 << (n - 1)) - n, 0));
        assert_eq!(account.space.depth, n - 1);
        let ended: Vec<_> = account.space.steps.values().collect();
        assert_eq!(ended, [&1], "all orders come to the same");
    }
    is("cards", None, (12, 28, 0));
}

/// A limit that is just wide enough is no limit; one that is not is said.
#[test]
fn a_limit_is_exact() {
    let whole = counted("philosophers", None, 243);
    assert!(whole.shortfalls.is_empty());
    let part = counted("philosophers", None, 242);
    assert!(!part.shortfalls.is_empty());
    assert_eq!(part.space.states, 242);
}
