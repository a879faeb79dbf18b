; Names that stand for one thing within a part of the text: parameters, what a binder or a `let`
; names, and what is chosen or created. What is named under a clause is known after it as well.

[
  (sequence) (define) (continuous) (event) (trigger) (step) (before_restarting)
  (arm) (choice_option) (otherwise) (otherwise_if) (for_each) (simultaneously) (repeat)
  (count) (sum) (extreme) (quantified) (endmost) (turn) (sees) (distribute)
] @local.scope
(if body: (block) @local.scope)
(may body: (block) @local.scope)

(param name: (name) @local.definition.parameter)
(binder name: (name) @local.definition.var)
(turn name: (name) @local.definition.var)
(trigger (names (name) @local.definition.parameter))
(let name: (name) @local.definition.var)
(choose_number name: (name) @local.definition.var)
(create name: (name) @local.definition.var)

(name) @local.reference
