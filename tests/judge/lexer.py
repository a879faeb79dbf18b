"""From a text to logical lines, each with its tokens and the lines nested under it (docs/language.md)."""

from __future__ import annotations

import re

from .model import SpecError, Span

TOKEN = re.compile(
    r"""(?P<space>[ \t]+)|(?P<comment>--.*)|(?P<word>[A-Za-z_][A-Za-z0-9_]*)|(?P<int>[0-9]+)
    |(?P<text>"(?:[^"\\]|\\["\\n])*")|(?P<sign><=|>=|!=|[(),:.|+\-*=<>])""",
    re.X,
)
RESERVED = frozenset(
    """after and before else every false has if in is largest none not of old or over per smallest some
    then true where""".split()
)
GOES_ON_AFTER = frozenset([",", ":", "and", "or", "+", "-", "*", "=", "!=", "<", "<=", ">", ">="])
GOES_ON_WITH = frozenset([",", "and", "or", "where", "has", "then", "else"])
MAX_BYTES = 4 << 20
MAX_BLOCKS = 64


class Token:
    """A token: kind is 'word', 'int', 'text' or 'sign'."""

    __slots__ = ("kind", "text", "line", "column", "end")

    def __init__(self, kind: str, text: str, line: int, column: int):
        self.kind = kind
        self.text = text
        self.line = line
        self.column = column
        self.end = column + len(text)

    def __repr__(self) -> str:
        return self.text


class Line:
    """A logical line: its tokens, the lines nested under it, and the documentation above it."""

    __slots__ = ("tokens", "block", "indent", "file", "file_number")

    def __init__(self, tokens, indent, file, file_number):
        self.tokens = tokens
        self.block = []
        self.indent = indent
        self.file = file
        self.file_number = file_number

    def span(self, low: int = 0, high: int | None = None) -> Span:
        """The place from token `low` up to and without token `high`."""
        tokens = self.tokens
        first = tokens[min(low, len(tokens) - 1)]
        last = tokens[(len(tokens) if high is None else max(high, low + 1)) - 1] if low < len(tokens) else first
        number = (self.file_number << 44) | (first.line << 16) | first.column
        return Span(self.file, first.line, first.column, last.line, last.end, number)

    def words(self, low: int = 0, high: int | None = None) -> str:
        return "".join(token.text for token in self.tokens[low:high])

    def written(self, low: int = 0, high: int | None = None) -> str:
        """The text from one token to another, with the white space that it has, but on one line."""
        parts = []
        before = None
        for token in self.tokens[low:high]:
            if before is not None and (token.line != before.line or token.column > before.end):
                parts.append(" ")
            parts.append(token.text)
            before = token
        return "".join(parts)

    def heading(self) -> str:
        """The words of the line, and of the options or cases right under it."""
        parts = [line.words() for line in self.block if line.begins_with("option", "when")]
        return self.words() + "".join(parts)

    def begins_with(self, *words: str) -> bool:
        return bool(self.tokens) and self.tokens[0].text in words

    def all_words(self) -> str:
        """The words of the line and of all that is nested under it."""
        return self.words() + "".join(line.all_words() for line in self.block)


def unquote(text: str) -> str:
    return re.sub(r"\\(.)", lambda m: "\n" if m.group(1) == "n" else m.group(1), text[1:-1])


def tokens_of(text: str, line: int, file: str) -> list:
    tokens = []
    at = 0
    while at < len(text):
        match = TOKEN.match(text, at)
        if match is None:
            raise SpecError(f"unexpected {text[at]!r}", "E0102", Span(file, line, at + 1, line, at + 2, 0))
        kind = match.lastgroup
        if kind not in ("space", "comment"):
            tokens.append(Token(kind, match.group(), line, at + 1))
        at = match.end()
    return tokens


def lines_of(text: str, file: str, file_number: int) -> list:
    """The lines of a file that are nested under nothing."""
    if len(text.encode("utf-8")) > MAX_BYTES:
        raise SpecError(f"{file}: larger than 4 MiB")
    logical = []
    depth = 0
    for number, raw in enumerate(text.lstrip("\ufeff").split("\n"), 1):
        raw = raw.rstrip("\r")
        stripped = raw.lstrip(" \t")
        if not stripped or stripped.startswith("--"):
            continue
        indent = len(raw) - len(stripped)
        if "\t" in raw[:indent]:
            raise SpecError("a tab in the indentation", "E0103", Span(file, number, 1, number, indent + 1, 0))
        tokens = tokens_of(raw, number, file)
        if logical:
            line = logical[-1]
            closes = depth > 0 and tokens[0].text == ")" and indent == line.indent
            goes_on = (
                depth > 0 or line.tokens[-1].text in GOES_ON_AFTER or tokens[0].text in GOES_ON_WITH
            ) and indent > line.indent
            if closes or goes_on:
                line.tokens.extend(tokens)
                depth += _open(tokens)
                continue
        logical.append(Line(tokens, indent, file, file_number))
        depth = _open(tokens)
    return _nest(logical)


def _open(tokens) -> int:
    return sum(1 if t.text == "(" else -1 if t.text == ")" else 0 for t in tokens if t.kind == "sign")


def _nest(logical: list) -> list:
    top: list = []
    stack: list = []  # lines whose block may go on
    for line in logical:
        while stack and stack[-1].indent >= line.indent:
            stack.pop()
        siblings = stack[-1].block if stack else top
        if siblings and siblings[0].indent != line.indent or not stack and line.indent:
            raise SpecError("this line is nested under nothing that fits", "E0104", line.span())
        siblings.append(line)
        stack.append(line)
        if len(stack) > MAX_BLOCKS:
            raise SpecError("too many blocks in each other", "E0105", line.span())
    return top
