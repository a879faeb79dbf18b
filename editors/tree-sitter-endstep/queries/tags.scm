; What a specification declares, for outlines and for jumping to it.

(document name: (name) @name) @definition.module
(clause id: (clause_id) @name) @definition.section

(type name: (name) @name) @definition.type
(table name: (name) @name) @definition.type
(entity name: (name) @name) @definition.class
(field_decl name: (name) @name) @definition.field

(var name: (name) @name) @definition.constant
(role name: (name) @name) @definition.constant
(zone name: (name) @name) @definition.constant
(queue name: (name) @name) @definition.constant
(reading name: (name) @name) @definition.constant
(board name: (name) @name) @definition.constant

(define name: (name) @name) @definition.function
(continuous name: (name) @name) @definition.function
(event name: (name) @name) @definition.function
(trigger name: (name) @name) @definition.function
(sequence name: (name) @name) @definition.function
(step name: (name) @name) @definition.function
(experiment name: (name) @name) @definition.function

(claim name: (name) @name) @definition.method
(question name: (name) @name) @definition.method
(example name: (name) @name) @definition.method

(call function: (name) @name) @reference.call
(perform sequence: (name) @name) @reference.call
(announce event: (name) @name) @reference.call
