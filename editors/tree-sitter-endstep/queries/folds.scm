; A heading with the lines under it, and what follows in the same column by itself.
[
  (board) (cases) (clause) (choose_one) (contract) (depending) (document) (entity) (example)
  (for_each) (given) (if) (may) (observer) (reading) (repeat) (restart) (sequence)
  (simultaneously) (step) (table) (trigger)
  (arm) (before_restarting) (choice_option) (otherwise) (otherwise_if)
] @fold
