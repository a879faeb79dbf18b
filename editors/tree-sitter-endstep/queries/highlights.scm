; The colours of a specification. What stands further down prevails.

(comment) @comment
(text) @string
(int) @number
(bool) @boolean
(none) @constant.builtin
(name) @variable

; Words

[
  "accept" "board" "claim" "clause" "continuous" "define" "document" "entity" "event" "example"
  "experiment" "game" "include" "legal" "observer" "player" "question" "queue" "reading" "role"
  "sequence" "supply" "table" "trigger" "type" "var" "verify" "zone"
] @keyword

[
  "basis" "cancel" "changes" "cites" "contract" "defines" "ensures" "expect" "given" "ignores"
  "option" "refers" "restart" "restarting" "row" "says" "sees" "step" "unfinished" "uses" "waived"
  "yields"
] @keyword

[
  "announce" "create" "declare" "decrease" "distribute" "gap" "go" "increase" "leave" "let" "move"
  "pass" "perform" "remove" "resolve" "set" "shuffle" "transfer"
] @keyword
(nothing) @keyword
(pass) @keyword

[
  "cases" "choose" "depending" "if" "may" "otherwise" "simultaneously" "when"
] @keyword.conditional

["for" "repeat" "until" "while"] @keyword.repeat

[
  "and" "bottom" "count" "divided" "else" "every" "first" "half" "has" "holder" "is" "largest"
  "last" "neighbour" "next" "not" "old" "or" "over" "per" "previous" "size" "smallest" "some" "sum"
  "then" "top" "where"
] @keyword.operator
[(end) (direction)] @keyword.operator

["clamp" "max" "min"] @function.builtin

[
  "a" "after" "all" "an" "as" "assuming" "at" "because" "before" "but" "by" "default" "each"
  "explore" "from" "headroom" "holds" "in" "into" "like" "nest" "never" "number" "observing" "of"
  "on" "only" "out" "priority" "reach" "starts" "steps" "the" "throughout" "to" "up" "whenever"
  "with" "within" "without"
] @keyword.modifier

[
  "any" "carried" "change" "chosen" "conserves" "definition" "down" "draw" "empty" "end"
  "equivalent" "external" "idempotent" "invariant" "invented" "irrelevant" "least" "left"
  "listeners" "live" "loss" "lost" "most" "must" "note" "once" "order" "outcome" "own" "particular"
  "places" "position" "possible" "reachable" "rechecked" "reference" "removed" "reverse" "right"
  "rounded" "rule" "snapshot" "stable" "terminates" "text" "their" "those" "together" "unordered"
  "unreachable" "unspecified" "win"
] @constant.builtin

["everyone" "everything" "nobody" "none"] @constant.builtin
(chance) @constant.builtin

["integer" "one" "optional"] @type.builtin
(boolean_type) @type.builtin

; A word that is one thing here, and another elsewhere.
(clause_kind) @constant.builtin
(basis ["external" "gap" "invented" "text"] @constant.builtin)
(choose_one "one" @keyword.conditional)
(domain "until" @constant.builtin)
(range "to" @keyword.modifier)

; Signs

["=" "!=" "<" "<=" ">" ">=" "+" "-" "*"] @operator
["(" ")"] @punctuation.bracket
["," ":" "." "|"] @punctuation.delimiter

; Names

(clause_id) @label
(clause_id [(name) (int)] @label)
(clause_id "." @label)

(document name: (name) @module)
(type name: (name) @type)
(table name: (name) @type)
(entity name: (name) @type)
(named_type (name) @type)
(role sort: (name) @type)
(zone sort: (name) @type per: (name)? @type)
(event sort: (name) @type)
(binder sort: (name) @type)
(create sort: (name) @type)
(entities sort: (name) @type)

(type (name) @constant)
(type name: (name) @type)
(one_of_type (name) @constant)
(row name: (name) @constant)
(entities name: (name) @constant)
(reading_alt name: (name) @constant)
(per alternative: (name) @constant)
(depending (block (arm alternative: (name) @constant)))

(sequence name: (name) @function)
(step name: (name) @function)
(trigger name: (name) @function)
(event name: (name) @function)
(define name: (name) @function)
(continuous name: (name) @function)
(claim name: (name) @function)
(question name: (name) @function)
(experiment name: (name) @function)
(example name: (name) @function)
(board name: (name) @function)
(observer name: (name) @function)
(call function: (name) @function.call)
(announce event: (name) @function.call)
(perform sequence: (name) @function.call)

(param name: (name) @variable.parameter)
(binder name: (name) @variable.parameter)
(field field: (name) @property)
(field_decl name: (name) @property)
(column name: (name) @property)
(assignment name: (name) @property)
