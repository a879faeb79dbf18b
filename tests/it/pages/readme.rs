//! The commands of the README's first ten minutes do what it shows.

use super::{folder, follow, page};

#[test]
fn the_first_ten_minutes_are_as_shown() {
    follow(&page("README.md"), &folder("readme"), 7);
}
