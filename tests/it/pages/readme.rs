//! The commands of the README's first ten minutes do what it shows.

use super::{follow, page};
use crate::folder::empty;

#[test]
fn the_first_ten_minutes_are_as_shown() {
    follow(&page("README.md"), &empty("readme"), 7);
}
