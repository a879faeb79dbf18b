// The grammar of Endstep's specification language for editors.
//
// `docs/language.md` says which texts are specifications, and this file says the same in the same
// order. Nodes are called as in the compiler's tree (`crates/language/src/syntax/ast`): an
// `ExprKind::EndOf` there is an `end_of` here.
//
// Four things carry the rest:
//
// - Lines. `src/scanner.c` finds where lines begin and blocks end, and which lines go on, whatever
//   stands in them. Before each line of a block stands `_newline`, around a nested one `_indent`
//   and `_dedent`.
// - Words. Most keywords can be names. A word is a keyword where the grammar asks for it, and a
//   name elsewhere; so only where both may stand does a rule have to list the keywords that can be
//   names there (`as_name`). The words of `RESERVED` are never names.
// - Errors. After one, the parser looks for the beginning of its block among the sixteen things
//   that it read last. So that it finds it, the first words of a line that a long expression
//   follows are a rule of their own (`_claim`).
// - Choices that only a later word decides, such as `, then` after an order: `conflicts` lists
//   them, and both are followed until one ends.

/* global alias, choice, field, grammar, optional, prec, repeat, repeat1, seq, token */

const RESERVED = [
  'after', 'and', 'before', 'else', 'every', 'false', 'has', 'if', 'in', 'is', 'largest', 'none',
  'not', 'of', 'old', 'or', 'over', 'per', 'smallest', 'some', 'then', 'true', 'where',
];

// Keywords that can begin an expression, and can be names there.
const NAMES_IN_EXPRESSIONS = [
  'all', 'bottom', 'clamp', 'count', 'first', 'half', 'holder', 'last', 'max', 'min', 'neighbour',
  'next', 'previous', 'size', 'sum', 'top',
];

// From loosest to tightest. What comes last in a form takes as much as it can, so forms (0) are
// looser than all operators.
const PREC = { name: -1, or: 1, and: 2, not: 3, comparison: 4, sum: 5, product: 6 };

const comma_list = (rule) => seq(rule, repeat(seq(',', rule)));

// The lines nested under a heading.
const block_of = ($, line) =>
  seq($._indent, line, repeat(seq($._newline, line)), $._dedent);

const as_name = ($, words) => choice($.name, ...words.map((word) => alias(word, $.name)));

// One or both, in any order.
const in_any_order = (a, b) => choice(seq(a, optional(b)), seq(b, optional(a)));

// `per READING (x: a | y: b)`
const per = ($, rule) => {
  const alternative = seq(field('alternative', $.name), ':', field('value', rule));
  return seq(
    'per', field('reading', $.name),
    '(', alternative, repeat(seq('|', alternative)), ')',
  );
};

const binary = (level, left, operator, right) =>
  prec.left(level, seq(field('left', left), field('operator', operator), field('right', right)));

const clause = ($, block) =>
  seq(
    'clause', field('id', $.clause_id), '(', field('kind', $.clause_kind), ')',
    'at', field('locator', $.text),
    optional(field('body', alias(block, $.block))),
  );

const statements = ($) => field('body', alias($._statements, $.block));

const observed_on = ($) => [optional($._observing), optional(seq('on', field('board', $.name)))];

module.exports = grammar({
  name: 'endstep',

  // `_line_goes_on` stands before the first word of each such line. `_wrong` is found before a line
  // that belongs to no block, and instead of `1st`; no rule takes it. `_nothing` is never found.
  // An `end` is the first word of `first c in z`, and a `direction` that of `next p after q`, which
  // are names if what follows is something else. After `is`, `none` is always a test (`_is_none`).
  externals: ($) => [
    $._newline, $._indent, $._dedent, $._line_goes_on, $.comment, $.end, $.direction, $._is_none,
    $._wrong, $._nothing,
  ],

  extras: ($) => [/[ \t\r\n]/, $.comment, $._line_goes_on],

  word: ($) => $.name,

  reserved: { global: () => RESERVED },

  conflicts: ($) => [
    [$.if], [$.may],
    [$.integer_type], [$._explored], [$.one_of_type],
    [$.ranked], [$.players_order],
  ],

  rules: {
    file: ($) => repeat(seq($._newline, $._item)),

    // Words, numbers and texts

    name: () => /[A-Za-z_][A-Za-z0-9_]*/,
    int: () => /[0-9]+/,
    text: () => token(seq('"', repeat(choice(/[^"\\\n]/, /\\["\\n]/)), '"')),
    clause_id: ($) => seq($.name, repeat(seq('.', choice($.name, $.int)))),

    // Files and items

    _item: ($) =>
      choice(
        $.game, $.include, $.document, alias($._clause_of_items, $.clause), $.sequence,
        $._declaration,
      ),

    _items: ($) => block_of($, $._item),

    _declaration: ($) =>
      choice(
        $.type, $.table, $.entity, $.var, $.role, $.zone, $.define, $.continuous, $.legal, $.queue,
        $.event, $.reading, $.trigger, $.observer, $.verify, $.experiment, $.claim, $.question,
        $.board, $.example, $.accept,
      ),

    game: ($) => seq('game', field('title', $.text)),
    include: ($) => seq('include', field('path', $.text)),
    document: ($) =>
      seq(
        'document', field('name', $.name), field('title', $.text),
        optional(field('body', alias($._items, $.block))),
      ),

    // Clauses

    _clause_of_items: ($) => clause($, $._items_of_clause),
    _items_of_clause: ($) => block_of($, choice($._clause_line, $._annotation, $._item)),

    _clause_of_sequence: ($) => clause($, $._lines_of_clause),
    _lines_of_clause: ($) => block_of($, choice($._clause_line, $._seq_line)),

    _clause_of_statements: ($) => clause($, $._statements_of_clause),
    _statements_of_clause: ($) => block_of($, choice($._clause_line, $._stmt)),

    clause_kind: () => choice('rule', 'definition', 'example', 'claim', 'note', 'reference'),

    _clause_line: ($) =>
      choice($.says, $.waived, $.refers, $.defines, $.uses, $.yields),

    says: ($) => seq('says', $.text),
    waived: ($) => seq('waived', $.text),
    refers: ($) => seq('refers', 'to', choice($.clause_id, $.text)),
    defines: ($) => seq('defines', comma_list($.text)),
    uses: ($) => seq('uses', comma_list($.text)),
    yields: ($) => seq('yields', 'to', $.clause_id),

    _annotation: ($) => choice($.cites, $.basis),
    cites: ($) => seq('cites', comma_list($.clause_id)),
    basis: ($) =>
      seq('basis', choice('text', 'external', 'gap', 'invented'), optional($.text)),

    // Types

    _type_expr: ($) => choice($.boolean_type, $.integer_type, $.one_of_type, $.named_type),

    boolean_type: () => 'boolean',

    // Whether a comma goes on with the type is decided by the word after it.
    integer_type: ($) =>
      seq('integer', optional(seq('from', $.range)), optional(in_any_order($._explored, $._reached))),
    _explored: ($) =>
      seq(
        ',', 'explore', choice($._sum, $.range),
        repeat(seq(',', choice($._number_sum, alias($._number_range, $.range)))),
      ),
    _reached: ($) => seq(',', 'reach', $.range),

    one_of_type: ($) => seq('one', 'of', comma_list($.name)),
    named_type: ($) => choice(seq('optional', $.name), as_name($, ['one'])),

    range: ($) => seq(field('low', $._sum), 'to', field('high', $._sum)),

    // What stands after a comma in a list of values begins with a number.
    _number_range: ($) => seq(field('low', $._number_sum), 'to', field('high', $._sum)),
    _number_sum: ($) => choice($._number_product, alias($._number_add, $.binary)),
    _number_add: ($) => binary(PREC.sum, $._number_sum, choice('+', '-'), $._product),
    _number_product: ($) =>
      choice($._number_postfix, $.negate, alias($._number_multiply, $.binary)),
    _number_multiply: ($) =>
      binary(PREC.product, $._number_product, choice('*', $._divided_by), $._operand),
    _number_postfix: ($) => choice($.int, alias($._number_field, $.field)),
    _number_field: ($) => seq(field('of', $._number_postfix), '.', field('field', $.name)),

    _initial: ($) =>
      in_any_order(
        seq(',', 'default', field('default', $._expr)),
        seq(',', 'starts', field('starts', $._expr)),
      ),

    params: ($) => seq('(', optional(comma_list($.param)), ')'),
    param: ($) => seq(field('name', $.name), ':', field('type', $._type_expr)),

    // Declarations

    type: ($) => seq('type', field('name', $.name), 'is', 'one', 'of', comma_list($.name)),

    table: ($) => seq('table', field('name', $.name), field('body', alias($._table, $.block))),
    _table: ($) => block_of($, choice($.column, $.row)),
    column: ($) =>
      seq(
        field('name', as_name($, ['row'])), ':', field('type', $._type_expr),
        optional(seq(',', 'default', field('default', $._expr))),
      ),
    row: ($) => seq('row', field('name', $.name), optional($.with)),

    entity: ($) =>
      seq(
        choice('entity', 'player'), field('name', $.name),
        optional($._number),
        optional(in_any_order(seq(',', 'explore', $._size_bound), seq(',', 'headroom', $.int))),
        optional(field('body', alias($._fields, $.block))),
      ),
    _number: ($) => seq('from', $.int, 'to', $.int),
    _size_bound: ($) => choice(seq($.int, optional(seq('to', $.int))), seq('up', 'to', $.int)),
    _fields: ($) => block_of($, $.field_decl),
    field_decl: ($) =>
      seq(field('name', $.name), ':', field('type', $._type_expr), optional($._initial)),

    var: ($) =>
      seq(
        choice('var', 'supply'), field('name', $.name),
        ':', field('type', $._type_expr), optional($._initial),
      ),
    role: ($) =>
      seq(
        'role', field('name', $.name), ':', field('sort', $.name),
        optional(seq(',', 'starts', field('starts', $._expr))),
      ),
    zone: ($) =>
      seq(
        'zone', field('name', $.name), 'of', field('sort', $.name),
        optional(seq('per', field('per', $.name))),
        repeat(seq(',', $.zone_option)),
      ),
    zone_option: ($) =>
      choice(
        seq('starts', 'empty'), seq('holds', 'at', 'most', $.int),
        seq('explore', 'at', 'most', $.int), 'unordered',
      ),

    define: ($) => seq($._define, field('value', $._expr)),
    _define: ($) => seq('define', field('name', $.name), optional($.params), '='),
    continuous: ($) => seq($._continuous, field('value', $._expr)),
    _continuous: ($) =>
      seq(
        'continuous', field('name', $.name), optional($.params),
        ':', field('type', $._type_expr), '=',
      ),
    legal: ($) => seq($._legal, field('condition', $._expr)),
    _legal: ($) =>
      seq(choice('legal', seq('explore', 'only')), field('name', $.name), ':'),

    queue: ($) =>
      seq(
        'queue', field('name', $.name), ',', $.discipline,
        optional(seq(',', 'explore', 'up', 'to', $.int)),
      ),
    discipline: () =>
      choice(
        seq('first', 'in', 'first', 'out'), seq('last', 'in', 'first', 'out'),
        seq('by', 'priority'),
      ),
    event: ($) =>
      seq(
        'event', field('name', $.name), optional(alias($._raised_params, $.params)),
        ',', optional($._whenever), choice(seq('in', field('queue', $.name)), seq('at', 'once')),
        optional($._listeners),
      ),
    _whenever: ($) => seq('whenever', field('condition', $._expr), ','),
    _listeners: ($) => seq(',', 'listeners', optional($._listener), field('order', $._order)),
    _raised_params: ($) => seq('(', optional(comma_list(alias($._raised, $.param))), ')'),
    _raised: ($) =>
      seq(
        field('name', $.name), ':', field('type', $._type_expr),
        optional(seq('=', field('value', $._expr))),
      ),
    _listener: ($) => seq(as_name($, ['left', 'right', 'those']), ':', field('sort', $.name)),

    reading: ($) =>
      seq('reading', field('name', $.name), field('body', alias($._alternatives, $.block))),
    _alternatives: ($) => block_of($, $.reading_alt),
    reading_alt: ($) =>
      seq(
        field('name', $.name), field('text', $.text),
        optional(seq('cites', comma_list($.clause_id))),
      ),

    trigger: ($) =>
      seq(
        'trigger', field('name', $.name), optional($._listening), $._heard,
        optional($._priority), statements($),
      ),
    _listening: ($) => seq('for', 'each', $.binder, ','),
    _heard: ($) => seq('on', field('event', $.name), optional($.names), optional($._where)),
    names: ($) => seq('(', optional(comma_list($.name)), ')'),
    _priority: ($) => seq(',', 'priority', optional('-'), $.int),

    // Sequences

    sequence: ($) =>
      seq(
        'sequence', field('name', $.name), optional($.params),
        optional($._steps), optional($._over),
        optional(field('body', alias($._seq_lines, $.block))),
      ),
    _steps: ($) => seq(',', 'steps', choice($.list_policy, 'unspecified')),
    _over: ($) => seq(',', 'over', $.nest_over),
    list_policy: ($) =>
      choice(
        seq('in', 'order'), seq('in', 'any', 'order'),
        seq('in', 'an', 'order', 'chosen', 'by', $._decider),
      ),
    nest_over: ($) =>
      seq(
        'each', $.binder, optional(seq(',', field('order', $._order))),
        ',', 'nest', choice('steps', 'places', 'unspecified'),
      ),
    _seq_lines: ($) => block_of($, $._seq_line),
    _seq_line: ($) =>
      choice(
        alias($._clause_of_sequence, $.clause), $._annotation, $.step, $.restart, $.contract,
        $._declaration,
      ),

    step: ($) => seq('step', field('name', $.name), field('body', alias($._step, $.block))),
    _step: ($) => block_of($, choice($._stmt, $.ensures)),
    ensures: ($) => seq('ensures', field('condition', $._expr)),

    restart: ($) =>
      seq('restart', 'when', field('when', $._expr), field('body', alias($._restart, $.block))),
    _restart: ($) => block_of($, choice($.cancel, $.unfinished, $.before_restarting)),
    cancel: ($) => seq('cancel', $._cancel),
    _cancel: ($) =>
      choice(
        seq('at', 'once'), seq('at', 'end', 'of', choice('step', 'pass')),
        alias($._per_cancel, $.per),
      ),
    _per_cancel: ($) => per($, $._cancel),
    unfinished: ($) => seq('unfinished', $._unfinished),
    _unfinished: ($) => choice('lost', 'carried', alias($._per_unfinished, $.per)),
    _per_unfinished: ($) => per($, $._unfinished),
    before_restarting: ($) => seq('before', 'restarting', statements($)),

    contract: ($) => seq('contract', field('body', alias($._contract, $.block))),
    _contract: ($) => block_of($, choice($.changes, $.ensures)),
    changes: ($) => seq('changes', field('place', $._place), optional($._within)),
    _within: ($) => seq('within', $.range),

    // Statements

    _statements: ($) => block_of($, $._stmt),

    _stmt: ($) =>
      choice(
        $.nothing, $.pass, alias($._clause_of_statements, $.clause), $._annotation, $.let, $.set,
        $.increase, $.decrease, $.transfer, $.move, $.move_all, $.shuffle, $.create, $.remove,
        $.announce, $.perform, $.resolve, $.leave, $.go_to, $.declare, $.gap, $.choose,
        $.choose_number, $.distribute, $.if, $.cases, $.depending, $.for_each, $.simultaneously,
        $.repeat, $.choose_one, $.may,
      ),

    nothing: () => 'nothing',
    pass: () => 'pass',
    let: ($) => seq('let', field('name', $.name), '=', field('value', $._expr)),
    set: ($) => seq('set', field('place', $._place), 'to', field('value', $._expr)),
    increase: ($) =>
      seq(
        'increase', field('place', $._place), 'by', field('amount', $._expr),
        optional(seq(',', 'at', 'most', field('bound', $._expr))),
      ),
    decrease: ($) =>
      seq(
        'decrease', field('place', $._place), 'by', field('amount', $._expr),
        optional(seq(',', 'at', 'least', field('bound', $._expr))),
      ),
    transfer: ($) =>
      seq(
        'transfer', field('amount', $._expr),
        'from', field('from', $._place), 'to', field('to', $._place),
      ),
    move: ($) => seq('move', field('moved', $._expr), 'to', $.target),
    move_all: ($) => seq('move', 'all', 'of', field('moved', $._operand), 'to', $.target),
    target: ($) =>
      choice(
        $._operand, seq('before', $._operand), seq('after', $._operand),
        // Not the one that lies there, as in an expression.
        prec(1, seq(choice('top', 'bottom', 'first', 'last'), 'of', $._operand)),
      ),
    shuffle: ($) => seq('shuffle', field('zone', $._operand)),
    create: ($) =>
      seq(
        'create', field('sort', $.name), optional(seq('as', field('name', $.name))),
        optional(seq('in', $.target)), optional($.with),
      ),
    with: ($) => seq('with', comma_list($.assignment)),
    assignment: ($) => seq(field('name', $.name), '=', field('value', $._expr)),
    remove: ($) => seq('remove', field('removed', $._expr)),
    announce: ($) => seq('announce', field('event', $.name), optional($.arguments)),
    perform: ($) => seq('perform', field('sequence', $.name), optional($.arguments)),
    resolve: ($) =>
      seq('resolve', optional(seq('next', 'of')), field('queue', as_name($, ['next']))),
    leave: ($) => seq('leave', field('sequence', $.name)),
    go_to: ($) => seq('go', 'to', field('step', $.name)),
    declare: ($) => seq('declare', $.outcome, optional($.whom)),
    outcome: () => choice('win', 'loss', 'draw', 'end'),
    whom: ($) => seq('for', choice('everyone', $._expr)),

    gap: ($) =>
      seq(
        'gap', field('name', $.name), optional(field('text', $.text)),
        optional(choice(
          seq('may', 'change', field('place', $._place), optional($._within)),
          seq('and', 'go', 'on', optional(seq('assuming', field('assuming', $.text)))),
        )),
      ),

    choose: ($) => seq('choose', alias($._choose_binder, $.binder), $._by),
    choose_number: ($) => seq('choose', 'number', field('name', $.name), 'from', $.range, $._by),
    distribute: ($) =>
      seq(
        'distribute', field('amount', $._expr), 'over', $.binder,
        'into', field('into', $._place), $._by,
        optional(seq(',', 'at', 'most', field('bound', $._expr), 'each')),
      ),

    if: ($) =>
      seq(
        'if', field('condition', $._expr), statements($),
        repeat(seq($._newline, $.otherwise_if)),
        optional(seq($._newline, $.otherwise)),
      ),
    otherwise_if: ($) => seq('otherwise', 'if', field('condition', $._expr), statements($)),
    otherwise: ($) => seq('otherwise', statements($)),

    cases: ($) =>
      seq(
        'cases', optional(choice(seq('in', 'order'), seq('chosen', $._by))),
        field('body', alias($._cases, $.block)),
      ),
    _cases: ($) =>
      seq(
        $._indent,
        choice(
          seq($.arm, repeat(seq($._newline, $.arm)), optional(seq($._newline, $.otherwise))),
          $.otherwise,
        ),
        $._dedent,
      ),
    arm: ($) => seq('when', field('guard', $._expr), statements($)),

    depending: ($) =>
      seq('depending', 'on', field('reading', $.name), field('body', alias($._depending, $.block))),
    _depending: ($) => block_of($, alias($._depending_arm, $.arm)),
    _depending_arm: ($) => seq('when', field('alternative', $.name), statements($)),

    for_each: ($) =>
      seq(
        'for', 'each', $.binder,
        optional(seq(',', field('order', $._order))),
        optional(seq(',', field('domain', $._domain))),
        statements($),
      ),
    simultaneously: ($) => seq('simultaneously', statements($)),
    repeat: ($) =>
      seq(
        'repeat',
        choice(
          seq('until', 'stable'), seq('until', field('condition', $._expr)),
          seq('while', field('condition', $._expr)),
        ),
        statements($),
      ),

    choose_one: ($) => seq('choose', 'one', $._by, field('body', alias($._options, $.block))),
    _options: ($) => block_of($, $.choice_option),
    choice_option: ($) => seq('option', field('label', $.text), optional($._where), statements($)),

    may: ($) =>
      seq(
        'may', $._by, optional(field('label', $.text)), statements($),
        optional(seq($._newline, $.otherwise)),
      ),

    // Who decides, in which order, over which elements

    _by: ($) => seq('by', $._decider),
    _decider: ($) => field('decider', choice($.everyone, $.chance, $.nobody, $._expr)),
    everyone: () => seq('everyone', 'together'),
    chance: () => 'chance',
    nobody: () => seq('nobody', 'in', 'particular'),

    _order: ($) =>
      choice(
        $.any_order, $.zone_order, $.players_order, $.chosen_order, $.own_order, $.ranked,
        alias($._per_order, $.per),
      ),
    _per_order: ($) => per($, $._order),
    any_order: () => seq('in', 'any', 'order'),
    zone_order: ($) =>
      seq(choice(seq('left', 'to', 'right'), seq('right', 'to', 'left')), optional($._from)),
    players_order: ($) =>
      seq(
        'in', optional('reverse'), 'player', 'order',
        optional($._of), optional($._from), optional($._then),
      ),
    _of: ($) => seq('of', field('of', $._operand)),
    chosen_order: ($) => seq('in', 'an', 'order', 'chosen', $._by),
    own_order: () => seq('in', 'an', 'order', 'of', 'their', 'own'),
    ranked: ($) =>
      seq(
        choice(
          seq(choice('largest', 'smallest'), field('by', $._operand)),
          seq('those', 'where', field('by', $._expr)),
        ),
        'first', optional($._then),
      ),
    _from: ($) => seq('from', field('from', $._expr)),
    _then: ($) => seq(',', 'then', field('then', $._order)),

    _domain: ($) => choice($.domain, alias($._per_domain, $.per)),
    _per_domain: ($) => per($, $._domain),
    domain: () =>
      choice(
        'snapshot', 'rechecked', seq('live', optional(seq('by', 'position'))),
        seq('until', 'all', 'pass'),
      ),

    // Expressions

    _expr: ($) => choice($._conjunction, alias($._or, $.binary)),
    _or: ($) => binary(PREC.or, $._expr, 'or', $._conjunction),

    _conjunction: ($) => choice($._negation, alias($._and, $.binary)),
    _and: ($) => binary(PREC.and, $._conjunction, 'and', $._negation),

    _negation: ($) => choice($._comparison, $.not),
    not: ($) => prec(PREC.not, seq('not', $._negation)),

    _comparison: ($) => choice($._sum, alias($._compared, $.binary), $.is),
    _compared: ($) =>
      prec.right(PREC.comparison, seq(
        field('left', $._sum), field('operator', $._comparison_operator),
        field('right', $._sum), optional($._second_comparison),
      )),
    _comparison_operator: () => choice('=', '!=', '<', '<=', '>', '>='),
    is: ($) =>
      prec.right(PREC.comparison, seq(
        field('subject', $._sum), 'is', optional('not'),
        choice(
          alias($._is_none, 'none'), 'empty', 'removed',
          seq(choice('in', 'before', 'after'), $._operand), $._sum,
        ),
        optional($._second_comparison),
      )),
    // `a < b < c` is an error, also where the first two are the end of a form.
    _second_comparison: ($) => seq(choice($._comparison_operator, 'is'), $._nothing),

    _sum: ($) => choice($._product, alias($._add, $.binary)),
    _add: ($) => binary(PREC.sum, $._sum, choice('+', '-'), $._product),

    _product: ($) => choice($._operand, alias($._multiply, $.binary)),
    _multiply: ($) => binary(PREC.product, $._product, choice('*', $._divided_by), $._operand),
    _divided_by: () => seq('divided', 'by'),

    _operand: ($) => choice($.negate, $._form, $._postfix),
    negate: ($) => seq('-', $._operand),

    _postfix: ($) => choice($._primary, $.field),
    field: ($) => seq(field('of', $._postfix), '.', field('field', $.name)),

    _primary: ($) =>
      choice($.int, $.bool, $.none, $._name, $.call, $.builtin, $.paren, alias($._per_expr, $.per)),
    bool: () => choice('true', 'false'),
    none: () => 'none',
    _name: ($) => choice($.name, $._keyword_as_name),
    _keyword_as_name: ($) =>
      prec(PREC.name, choice(...NAMES_IN_EXPRESSIONS.map((word) => alias(word, $.name)))),
    call: ($) => seq(field('function', $._name), $.arguments),
    builtin: ($) => seq(field('function', choice('min', 'max', 'clamp')), $.arguments),
    arguments: ($) => seq('(', optional(comma_list($._expr)), ')'),
    paren: ($) => seq('(', $._expr, ')'),
    _per_expr: ($) => per($, $._expr),

    _place: ($) => choice($._name, $.call, $.field),

    _form: ($) =>
      choice(
        $.cond, $.half, $.count, $.sum, $.extreme, $.quantified, $.end_of, $.endmost, $.size,
        $.holder, $.turn, $.neighbour, $.old,
      ),
    cond: ($) =>
      seq(
        'if', field('condition', $._expr), 'then', field('yes', $._expr),
        'else', field('no', $._expr),
      ),
    half: ($) =>
      prec.right(seq('half', 'of', $._operand, optional(seq('rounded', choice('up', 'down'))))),
    count: ($) => seq('count', 'of', $.binder),
    sum: ($) => seq('sum', 'of', field('value', $._expr), 'over', $.binder),
    extreme: ($) =>
      seq(choice('largest', 'smallest'), field('value', $._expr), 'over', $.binder),
    quantified: ($) => seq($._every, field('condition', $._expr)),
    _every: ($) => seq(choice('every', 'some'), $.binder, 'has'),
    end_of: ($) => seq(choice('top', 'bottom', 'first', 'last'), 'of', $._operand),
    endmost: ($) => seq($.end, $.binder),
    size: ($) => seq('size', 'of', $._operand),
    holder: ($) => seq('holder', 'of', $._operand),
    turn: ($) =>
      choice(
        seq('next', 'after', field('from', $._operand)),
        seq('previous', 'before', field('from', $._operand)),
        seq(
          $.direction, field('name', $.name), choice('before', 'after'),
          field('from', $._operand), $._where,
        ),
      ),
    neighbour: ($) => seq('neighbour', choice('before', 'after'), $._operand),
    old: ($) => seq('old', $._operand),

    binder: ($) => seq(field('name', $.name), $._range_of_binder),
    _choose_binder: ($) => seq(field('name', as_name($, ['number', 'one'])), $._range_of_binder),
    _sight_binder: ($) => seq(field('name', $._name), $._range_of_binder),
    _range_of_binder: ($) =>
      prec.right(seq(choice(seq($._of_sort, optional($._in_zone)), $._in_zone), optional($._where))),
    _of_sort: ($) => seq(':', field('sort', $.name)),
    _in_zone: ($) => seq('in', field('zone', $._operand)),
    _where: ($) => seq('where', field('condition', $._expr)),

    // What is asked

    observer: ($) =>
      seq(
        'observer', field('name', $.name), field('why', $.text),
        optional(field('body', alias($._sights, $.block))),
      ),
    _sights: ($) => block_of($, choice($.sees, $.ignores)),
    sees: ($) =>
      choice(
        seq('sees', 'everything'),
        seq('sees', $._expr, optional($._as_set)),
        seq('sees', alias($._sight_binder, $.binder), 'by', $._expr, optional($._as_set)),
      ),
    _as_set: () => seq('as', 'a', 'set'),
    ignores: ($) => seq('ignores', $._expr),

    verify: ($) =>
      seq(
        'verify', field('sequence', $.name), optional($._observing), optional($._sizes),
        optional($._contracts), optional($._where),
      ),
    _sizes: ($) => seq('up', 'to', comma_list(alias($._size, $.assignment))),
    _contracts: ($) => seq('with', comma_list($.name), 'by', 'contract'),
    _observing: ($) => seq('observing', field('observer', $.name)),
    _size: ($) => seq(field('name', $.name), '=', field('value', $.int)),

    experiment: ($) =>
      seq(
        'experiment', field('name', $.name), ':', field('sequence', $.name),
        'but', comma_list($.alteration),
      ),
    alteration: ($) =>
      choice(
        seq('steps', $.list_policy),
        seq('without', $.name),
        seq('never', 'restarting'),
        seq(
          as_name($, ['never']),
          choice('first', 'last', seq(choice('before', 'after', 'for'), $.name)),
        ),
      ),

    claim: ($) => seq($._claim, $._claimed, ...observed_on($)),
    _claim: ($) => seq('claim', field('name', $.name), ':'),
    question: ($) =>
      seq($._question, choice($._claimed, $.extreme_in, $.extreme_after), ...observed_on($)),
    _question: ($) => seq('question', field('name', $.name), ':'),
    _claimed: ($) =>
      choice(
        $.order_irrelevant, $.equivalent, $.terminates, $.invariant, $.must, $.reachable,
        $.reachable_after, $.conserves, $.idempotent,
      ),
    order_irrelevant: ($) => seq('order', 'irrelevant', 'in', $.step_ref),
    equivalent: ($) => seq('equivalent', $.name, ',', $.name, optional($._where)),
    terminates: ($) => seq('terminates', field('sequence', $.name), optional($._where)),
    invariant: ($) =>
      seq(
        'invariant', field('value', $._expr),
        choice(
          seq('at', 'the', 'end', 'of'), seq('at', 'every', 'step', 'of'), 'throughout',
        ),
        field('sequence', $.name),
      ),
    must: ($) => seq('must', field('value', $._expr), $._after_sequence),
    reachable: ($) => seq(choice('reachable', 'unreachable'), field('value', $._expr), $._in_sequence),
    reachable_after: ($) => seq('reachable', field('value', $._expr), $._after_sequence),
    extreme_in: ($) =>
      seq(choice('largest', 'smallest'), field('value', $._expr), $._in_sequence),
    extreme_after: ($) =>
      seq(choice('largest', 'smallest'), field('value', $._expr), $._after_sequence),
    conserves: ($) => seq('conserves', field('value', $._expr), $._in_sequence),
    idempotent: ($) => seq('idempotent', $.step_ref),
    _in_sequence: ($) => seq('in', field('sequence', $.name)),
    _after_sequence: ($) => seq('after', field('sequence', $.name), optional($._where)),
    step_ref: ($) =>
      seq(field('sequence', $.name), optional(seq('.', field('step', $.name)))),

    accept: ($) =>
      seq(
        'accept', field('code', $.name), optional(seq('at', $.clause_id)),
        'because', field('because', $.text),
      ),

    // Boards and examples

    board: ($) =>
      seq(
        'board', field('name', $.name), optional(seq('like', field('like', $.name))),
        optional(field('body', alias($._board_lines, $.block))),
      ),
    _board_lines: ($) => block_of($, choice($.entities, alias($.assignment, $.value))),
    entities: ($) =>
      seq(
        field('sort', $.name), comma_list(field('name', $.name)),
        optional(seq('in', field('zone', $._operand))), optional($.with),
      ),

    example: ($) =>
      seq(
        'example', field('name', $.name),
        optional(field('body', alias($._example_lines, $.block))),
      ),
    _example_lines: ($) => block_of($, $._example_line),
    _example_line: ($) =>
      choice(
        alias($._on_board, $.on), $.given, $.perform, alias($._reading_is, $.holds),
        alias($._chosen, $.chosen), alias($._after, $.after), $.expect,
      ),
    _on_board: ($) => seq('on', field('board', $.name)),
    given: ($) => seq('given', field('body', alias($._board_lines, $.block))),
    _reading_is: ($) =>
      seq('reading', field('reading', $.name), 'is', field('alternative', $.name)),
    _chosen: ($) => seq('choose', $.text),
    _after: ($) => seq('after', $.step_ref, 'expect', field('condition', $._expr)),
    expect: ($) =>
      seq(
        'expect',
        choice(
          seq('outcome', $.outcome, optional($.whom)),
          seq(optional('possible'), 'gap', choice($.name, $.text)),
          seq(optional('possible'), field('condition', $._expr)),
        ),
      ),
  },
});
