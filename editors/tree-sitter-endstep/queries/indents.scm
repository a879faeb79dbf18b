; For Neovim (nvim-treesitter): what stands under a heading is indented. As in languages that mark
; blocks by indentation only, the line decides about the next one; so a heading whose block is not
; written yet has the words for it.
[
  (board) (cases) (clause) (choose_one) (contract) (depending) (document) (entity) (example)
  (for_each) (given) (if) (may) (observer) (reading) (repeat) (restart) (sequence)
  (simultaneously) (step) (table) (trigger)
  (arm) (before_restarting) (choice_option) (otherwise) (otherwise_if)
] @indent.begin

; What goes on after it stands in the column of its statement.
["otherwise"] @indent.branch

; A line that goes on is indented by more than the block under it.
((paren) @indent.align
  (#set! indent.open_delimiter "(")
  (#set! indent.close_delimiter ")"))
((arguments) @indent.align
  (#set! indent.open_delimiter "(")
  (#set! indent.close_delimiter ")"))

(comment) @indent.auto
(text) @indent.auto
