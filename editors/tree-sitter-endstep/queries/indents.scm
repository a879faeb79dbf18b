; How lines are indented, for nvim-treesitter. A heading without lines under it is a fault, so that the
; first line under a new heading is indented by hand.

[
  (board) (cases) (clause) (choose_one) (contract) (depending) (document) (entity) (example)
  (for_each) (given) (if) (may) (observer) (reading) (repeat) (restart) (sequence)
  (simultaneously) (step) (table) (trigger)
  (arm) (before_restarting) (choice_option)
] @indent.begin
(cases (block (otherwise) @indent.begin))

; It stands in the column of its statement, and what is under it is indented by that.
(if [(otherwise) (otherwise_if)] @indent.branch)
(may (otherwise) @indent.branch)

; A line that goes on is indented by more than a block.
((paren) @indent.align
  (#set! indent.open_delimiter "(")
  (#set! indent.close_delimiter ")"))
((arguments) @indent.align
  (#set! indent.open_delimiter "(")
  (#set! indent.close_delimiter ")"))

(comment) @indent.auto
