// Finds where lines begin, which lines go on, and where blocks begin and end, with the rules of
// `crates/language/src/syntax/lex/lines.rs`; and comments, which lie between these.
//
// Where lines and blocks begin and end depends on the text alone, never on what the parser expects:
// so blocks end where they end also after an error, and an error spoils only its own line.
//
//     sequence cleanup          _newline  (before its first word)
//       step destroy            _indent
//         for each c in board   _indent
//             where c.ready     _line_goes_on
//           nothing             _indent, and at its end twice _dedent
//       -- nobody is left       comment
//       step report             _newline
//
// At the first word of each line of the text the scanner looks through all of that line: it
// remembers which brackets are open at its end, and whether it ends so that the next one goes on.
// Then all that it has to know where the line ends is in its state.
//
// Each byte is read a bounded number of times: once by the parser's own lexer, once by that look
// ahead, and once where comments are looked past, which happens once for each row of comments.

#include "tree_sitter/alloc.h"
#include "tree_sitter/parser.h"

#include <string.h>

enum TokenType {
  NEWLINE,
  INDENT,
  DEDENT,
  LINE_GOES_ON,
  COMMENT,
  END,
  DIRECTION,
  IS_NONE,
  WRONG,
  NOTHING,
};

// The compiler reads 64 blocks in each other.
enum { MAX_BLOCKS = 65 };

// Where the scanner stands.
enum Place {
  // Before the first word of a line, perhaps with comments before it.
  BETWEEN,
  // The same, and the comments up to that word belong to no block that ends.
  BETWEEN_KEPT,
  // Directly before a first word that belongs to no block, which was said.
  WARNED,
  // After the first word of a line.
  INSIDE,
};

enum { OPEN = 1, GOES_ON = 2 };

typedef struct {
  // The indentation of each open block, strictly increasing. The last line stands in the last one.
  uint32_t blocks[MAX_BLOCKS];
  // The brackets that are open at the end of the line of the text that was read last.
  uint32_t brackets;
  // How many blocks are open.
  uint8_t count;
  // A `Place`.
  uint8_t place;
  // Whether the line that was read last is `OPEN`, and by itself `GOES_ON`.
  uint8_t line;
  // What begins the line of which it was said that it belongs to no block.
  uint8_t pending;
} Scanner;

static bool is_digit(int32_t c) { return c >= '0' && c <= '9'; }

static bool is_word(int32_t c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool at_line_end(TSLexer *lexer) {
  return lexer->lookahead == '\n' || lexer->lookahead == '\r' || lexer->eof(lexer);
}

static void to_line_end(TSLexer *lexer) {
  while (!at_line_end(lexer)) {
    lexer->advance(lexer, false);
  }
}

static void skip_line_end(TSLexer *lexer, bool skip) {
  if (lexer->lookahead == '\r') {
    lexer->advance(lexer, skip);
  }
  if (lexer->lookahead == '\n') {
    lexer->advance(lexer, skip);
  }
}

// Skips the indentation; a tab reaches to the next even column.
static uint32_t indentation(TSLexer *lexer, bool skip, bool *tab) {
  uint32_t column = 0;
  for (;; lexer->advance(lexer, skip)) {
    if (lexer->lookahead == ' ') {
      column += 1;
    } else if (lexer->lookahead == '\t') {
      column = (column + 2) & ~(uint32_t)1;
      *tab = true;
    } else {
      return column;
    }
  }
}

// The words that are looked for are shorter than this; of a longer one the start is kept.
enum { WORD_SIZE = 12 };

static void read_word(TSLexer *lexer, char word[WORD_SIZE]) {
  unsigned length = 0;
  memset(word, 0, WORD_SIZE);
  for (; is_word(lexer->lookahead); lexer->advance(lexer, false)) {
    if (length + 1 < WORD_SIZE) {
      word[length++] = (char)lexer->lookahead;
    }
  }
}

static bool is_one_of(const char *word, const char *const *words) {
  for (; *words; words++) {
    if (strcmp(word, *words) == 0) {
      return true;
    }
  }
  return false;
}

static const char *const BEGIN_CONTINUATION[] = {"and", "or", "where", "has", "then", "else", NULL};
static const char *const END_CONTINUED[] = {"and", "or", NULL};

// Reads a quoted text, or up to the end of the line.
static void read_text(TSLexer *lexer) {
  lexer->advance(lexer, false);
  while (!at_line_end(lexer)) {
    int32_t c = lexer->lookahead;
    lexer->advance(lexer, false);
    if (c == '"') {
      return;
    }
    if (c == '\\' && !at_line_end(lexer)) {
      lexer->advance(lexer, false);
    }
  }
}

// A token of a line, as far as it matters for where the line ends.
typedef struct {
  // An operator after which a line goes on as `+`; `(`, `)`, `,` and `:` as themselves; others as 0.
  char sign;
  // Only for words.
  char word[WORD_SIZE];
  // Whether it is the comment at the end of the line.
  bool comment;
} Token;

static Token read_sign(TSLexer *lexer) {
  Token token = {0};
  int32_t c = lexer->lookahead;
  lexer->advance(lexer, false);
  bool equal = lexer->lookahead == '=';
  switch (c) {
    case '(':
    case ')':
    case ',':
    case ':':
      token.sign = (char)c;
      break;
    case '-':
      token.comment = lexer->lookahead == '-';
      token.sign = '+';
      break;
    case '+':
    case '*':
      token.sign = '+';
      break;
    case '<':
    case '>':
    case '=':
    case '!':
      if (equal) {
        lexer->advance(lexer, false);
      }
      // `==` and `!` are no signs of the language.
      token.sign = (c == '=' && equal) || (c == '!' && !equal) ? 0 : '+';
      break;
    default:
      break;
  }
  return token;
}

// Reads a token; the lexer stands at its first character.
static Token read_token(TSLexer *lexer) {
  Token token = {0};
  if (lexer->lookahead == '"') {
    read_text(lexer);
  } else if (is_digit(lexer->lookahead)) {
    // A number with letters behind it is no word.
    char word[WORD_SIZE];
    read_word(lexer, word);
  } else if (is_word(lexer->lookahead)) {
    read_word(lexer, token.word);
  } else {
    token = read_sign(lexer);
  }
  return token;
}

static bool continues(Token token) {
  return token.sign == '+' || token.sign == ',' || token.sign == ':' ||
         is_one_of(token.word, END_CONTINUED);
}

static void skip_blanks(TSLexer *lexer, bool skip) {
  while (lexer->lookahead == ' ' || lexer->lookahead == '\t') {
    lexer->advance(lexer, skip);
  }
}

// Looks through the rest of a line whose first token was read.
static void read_line(Scanner *scanner, TSLexer *lexer, Token token) {
  bool goes_on = false;
  while (!token.comment) {
    if (token.sign == '(') {
      scanner->brackets += 1;
    } else if (token.sign == ')' && scanner->brackets > 0) {
      scanner->brackets -= 1;
    }
    goes_on = continues(token);
    skip_blanks(lexer, false);
    if (at_line_end(lexer)) {
      break;
    }
    token = read_token(lexer);
  }
  scanner->line = goes_on ? OPEN | GOES_ON : OPEN;
}

static uint32_t innermost(const Scanner *scanner) {
  return scanner->count > 0 ? scanner->blocks[scanner->count - 1] : 0;
}

// Whether a line goes on with one that begins so.
static bool goes_on(const Scanner *scanner, uint32_t column, Token first) {
  if (!(scanner->line & OPEN)) {
    return false;
  }
  if (scanner->brackets > 0 && first.sign == ')') {
    return column >= innermost(scanner);
  }
  if (column <= innermost(scanner)) {
    return false;
  }
  return scanner->brackets > 0 || (scanner->line & GOES_ON) || first.sign == ',' ||
         is_one_of(first.word, BEGIN_CONTINUATION);
}

// Skips empty lines; returns the indentation of the line that comes next.
static uint32_t next_line(TSLexer *lexer, bool skip, bool *tab) {
  for (;;) {
    *tab = false;
    uint32_t column = indentation(lexer, skip, tab);
    if (lexer->eof(lexer) || !at_line_end(lexer)) {
      return column;
    }
    skip_line_end(lexer, skip);
  }
}

// Whether the innermost block ends before the next line that is no comment. The lexer stands in a
// comment.
static bool ends_after_comments(const Scanner *scanner, TSLexer *lexer) {
  Token token;
  uint32_t column;
  do {
    to_line_end(lexer);
    bool tab;
    column = next_line(lexer, false, &tab);
    if (lexer->eof(lexer)) {
      return true;
    }
    token = read_token(lexer);
  } while (token.comment);
  return !goes_on(scanner, column, token) && column <= scanner->blocks[scanner->count - 2];
}

static bool found(TSLexer *lexer, enum TokenType type) {
  lexer->result_symbol = type;
  return true;
}

static bool end_block(Scanner *scanner, TSLexer *lexer) {
  scanner->count -= 1;
  scanner->line = 0;
  scanner->brackets = 0;
  scanner->place = BETWEEN;
  return found(lexer, DEDENT);
}

// A comment that fills a line; the lexer stands behind its first hyphen.
static bool scan_comment(Scanner *scanner, TSLexer *lexer, uint32_t column) {
  if (scanner->place == BETWEEN && scanner->count > 1 && column < innermost(scanner)) {
    if (ends_after_comments(scanner, lexer)) {
      return end_block(scanner, lexer);
    }
    // A token without text that only says so: the comment is read next.
    scanner->place = BETWEEN_KEPT;
    return found(lexer, LINE_GOES_ON);
  }
  to_line_end(lexer);
  lexer->mark_end(lexer);
  return found(lexer, COMMENT);
}

// Begins a line, or goes on with one; the lexer stands behind its first token.
static bool scan_line(Scanner *scanner, TSLexer *lexer, uint32_t column, bool wrong, Token first) {
  enum TokenType type = NEWLINE;
  if (goes_on(scanner, column, first)) {
    type = LINE_GOES_ON;
  } else {
    scanner->brackets = 0;
    if (scanner->count == 0) {
      wrong = wrong || column > 0;
      scanner->blocks[scanner->count++] = column;
    } else if (column > innermost(scanner)) {
      if (scanner->count < MAX_BLOCKS) {
        type = INDENT;
        scanner->blocks[scanner->count++] = column;
      } else {
        wrong = true;
      }
    }
  }
  read_line(scanner, lexer, first);
  scanner->pending = type;
  scanner->place = wrong ? WARNED : INSIDE;
  return found(lexer, wrong ? WRONG : type);
}

// What comes after the end of a line, or at the start of the text.
static bool scan_between(Scanner *scanner, TSLexer *lexer) {
  // If a block ends, it ends here.
  lexer->mark_end(lexer);
  bool tab;
  uint32_t column = next_line(lexer, true, &tab);
  if (lexer->eof(lexer)) {
    return scanner->count > 1 ? end_block(scanner, lexer) : false;
  }
  bool is_outer = scanner->count > 0 && column < innermost(scanner);
  if (!is_outer) {
    lexer->mark_end(lexer);
  }
  bool is_hyphen = lexer->lookahead == '-';
  Token first = is_hyphen ? read_sign(lexer) : (Token){0};
  if (first.comment) {
    return scan_comment(scanner, lexer, column);
  }
  bool wrong = tab;
  if (is_outer) {
    if (scanner->count > 1 && column <= scanner->blocks[scanner->count - 2]) {
      return end_block(scanner, lexer);
    }
    // Between two blocks, and read as a line of the inner one; or the whole text is indented.
    wrong = wrong || scanner->count > 1;
    scanner->blocks[scanner->count - 1] = column;
    if (!is_hyphen) {
      lexer->mark_end(lexer);
    }
  }
  if (!is_hyphen) {
    first = read_token(lexer);
  }
  return scan_line(scanner, lexer, column, wrong, first);
}

// A number with letters behind it is neither a number nor a name.
static bool scan_number(TSLexer *lexer) {
  while (is_digit(lexer->lookahead)) {
    lexer->advance(lexer, false);
  }
  if (!is_word(lexer->lookahead)) {
    return false;
  }
  while (is_word(lexer->lookahead)) {
    lexer->advance(lexer, false);
  }
  lexer->mark_end(lexer);
  return found(lexer, WRONG);
}

static const char *const RESERVED[] = {
    "after", "and",  "before", "else", "every", "false", "has",      "if",   "in",   "is",   "largest", "none",
    "not",   "of",   "old",    "or",   "over",  "per",   "smallest", "some", "then", "true", "where",   NULL,
};
static const char *const ENDS[] = {"top", "bottom", "first", "last", NULL};

// The next token of the line, perhaps on the next line of the text; at its end one without a sign.
static Token peek(const Scanner *scanner, TSLexer *lexer) {
  for (;;) {
    skip_blanks(lexer, false);
    if (at_line_end(lexer)) {
      bool tab;
      // What was counted is what is open here.
      uint32_t column = scanner->brackets > 0 ? next_line(lexer, false, &tab) : 0;
      bool is_inner = column > innermost(scanner) || lexer->lookahead == '-';
      if (scanner->brackets == 0 || lexer->eof(lexer) || !is_inner) {
        return (Token){0};
      }
    }
    Token token = read_token(lexer);
    if (!token.comment) {
      return token;
    }
    to_line_end(lexer);
  }
}

static bool is_binder(const Scanner *scanner, TSLexer *lexer) {
  Token name = peek(scanner, lexer);
  if (!name.word[0] || is_one_of(name.word, RESERVED)) {
    return false;
  }
  Token next = peek(scanner, lexer);
  return next.sign == ':' || strcmp(next.word, "in") == 0;
}

static bool is_named_turn(const Scanner *scanner, TSLexer *lexer, const char *word) {
  return strcmp(peek(scanner, lexer).word, word) != 0 &&
         strcmp(peek(scanner, lexer).word, word) == 0;
}

// A word that begins a form if what follows is a binder, or a name and `after` or `before`; and
// `none` as a test.
static bool scan_word(const Scanner *scanner, TSLexer *lexer, const bool *valid) {
  if (!valid[END] && !valid[DIRECTION] && !valid[IS_NONE]) {
    return false;
  }
  char word[WORD_SIZE];
  read_word(lexer, word);
  lexer->mark_end(lexer);
  if (is_one_of(word, ENDS)) {
    return is_binder(scanner, lexer) && found(lexer, END);
  }
  if (strcmp(word, "next") == 0) {
    return is_named_turn(scanner, lexer, "after") && found(lexer, DIRECTION);
  }
  if (strcmp(word, "previous") == 0) {
    return is_named_turn(scanner, lexer, "before") && found(lexer, DIRECTION);
  }
  // After an error everything is valid, also what no rule takes; then it is the value.
  return strcmp(word, "none") == 0 && valid[IS_NONE] && !valid[WRONG] && found(lexer, IS_NONE);
}

// Between two words of a line: the comment at its end, and words that cannot be told otherwise.
static bool scan_inside(Scanner *scanner, TSLexer *lexer, const bool *valid) {
  if (is_digit(lexer->lookahead)) {
    return scan_number(lexer);
  }
  if (is_word(lexer->lookahead)) {
    return scan_word(scanner, lexer, valid);
  }
  if (lexer->lookahead != '-') {
    return false;
  }
  lexer->advance(lexer, false);
  if (lexer->lookahead != '-') {
    return false;
  }
  to_line_end(lexer);
  lexer->mark_end(lexer);
  scanner->place = BETWEEN;
  return found(lexer, COMMENT);
}

void *tree_sitter_endstep_external_scanner_create(void) {
  return ts_calloc(1, sizeof(Scanner));
}

void tree_sitter_endstep_external_scanner_destroy(void *payload) { ts_free(payload); }

unsigned tree_sitter_endstep_external_scanner_serialize(void *payload, char *buffer) {
  const Scanner *scanner = payload;
  unsigned size = 0;
  buffer[size++] = (char)scanner->place;
  buffer[size++] = (char)scanner->line;
  buffer[size++] = (char)scanner->pending;
  memcpy(buffer + size, &scanner->brackets, sizeof scanner->brackets);
  size += sizeof scanner->brackets;
  memcpy(buffer + size, scanner->blocks, scanner->count * sizeof scanner->blocks[0]);
  return size + scanner->count * (unsigned)sizeof scanner->blocks[0];
}

void tree_sitter_endstep_external_scanner_deserialize(
    void *payload, const char *buffer, unsigned length) {
  Scanner *scanner = payload;
  memset(scanner, 0, sizeof *scanner);
  const unsigned head = 3 + sizeof scanner->brackets;
  if (length < head) {
    return;
  }
  scanner->place = (uint8_t)buffer[0];
  scanner->line = (uint8_t)buffer[1];
  scanner->pending = (uint8_t)buffer[2];
  memcpy(&scanner->brackets, buffer + 3, sizeof scanner->brackets);
  unsigned count = (length - head) / (unsigned)sizeof scanner->blocks[0];
  scanner->count = (uint8_t)(count < MAX_BLOCKS ? count : MAX_BLOCKS);
  memcpy(scanner->blocks, buffer + head, scanner->count * sizeof scanner->blocks[0]);
}

bool tree_sitter_endstep_external_scanner_scan(
    void *payload, TSLexer *lexer, const bool *valid_symbols) {
  Scanner *scanner = payload;
  if (scanner->place == WARNED) {
    scanner->place = INSIDE;
    return found(lexer, scanner->pending);
  }
  if (scanner->place == INSIDE) {
    skip_blanks(lexer, true);
    if (!at_line_end(lexer)) {
      return scan_inside(scanner, lexer, valid_symbols);
    }
    scanner->place = BETWEEN;
  }
  return scan_between(scanner, lexer);
}
