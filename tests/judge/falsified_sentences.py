"""Corruptions of sentences about two runs, rounds, titles and caveats, for the self test."""

from __future__ import annotations

import re

from . import headings, sentences

# (kind, codes or none for all, pattern, what stands in its place), applied to the paragraph of a finding
PARAGRAPHS = (
    ("which came before which", ("F0203",), r"if (.+?) came before (.+?), it", r"if \2 came before \1, it"),
    ("order of a list", ("F0201", "F0202", "F0204"), r"stand in a list, and the text does not say that its order binds",
     "may be done in either order, and the document does not say which"),
    ("order of a list", ("F0201", "F0202", "F0204"), r"may be done in either order, and the document does not say which",
     "stand in a list, and the text does not say that its order binds"),
    ("sequence of a list", ("F0201", "F0202", "F0204"), r"(The steps \"[^\"]*\" and \"[^\"]*\" of )\S+", r"\1nothing"),
    ("values of a gap", ("F0305",), r"differently with (.+?) and with (.+?)\.", r"differently with \1 and with \1."),
    ("values of a gap", ("F0305",), r"differently with (.+?) and with (.+?)\.", r"differently with \2 and with \1."),
    ("which can end so", ("F0610", "F0611"), r"on the board below: (.+?) can end in a way in which (.+?) cannot",
     r"on the board below: \2 can end in a way in which \1 cannot"),
    ("done again", ("F0610", "F0611"), r"doing it again changes something\.", "done again, it ends in another way."),
    ("done again", ("F0610", "F0611"), r"done again, it ends in another way\.", "doing it again changes something."),
    ("value at the start", ("F0610", "F0611"), r"has a value at the start, and has none then", "has no value at the start, and has one then"),
    ("value at the start", ("F0610", "F0611"), r"has no value at the start, and has one then", "has a value at the start, and has none then"),
    ("whether it matters", ("F0303",), r"on some board it comes out differently depending on which one is followed",
     "on no board in scope was it seen to matter which one is followed"),
    ("no board", ("F0705",), r"No board within the explored sizes is both legal and one of those to be tried: (.+) was explored from none",
     r"At least one of the scopes of \1 has no board: none within its sizes is both legal and one of those to be tried"),
    ("two passages", ("F0402", "F0403"), r"One side \((.*?)\): (\"[^\"]*\")(.*) The other \((.*?)\): \"[^\"]*\"", r"One side (\1): \2\3 The other (\1): \2"),
    ("growth", ("F0505",), r"is larger by", "is smaller by"),
    ("growth", ("F0505",), r"is smaller by", "is larger by"),
    ("growth by how much", ("F0505",), r"(larger|smaller) by 1\b(?=.* on the way)", r"\1 by 2"),
    ("who decides in a round", ("F0505",), r"Nobody decides anything on the way\.", "Somebody or chance decides something on the way."),
    ("who decides in a round", ("F0505",), r"Somebody or chance decides something on the way\.", "Nobody decides anything on the way."),
    ("what a round changes", ("F0505",), r" grows by (\d+)", r" falls by \1"),
    ("what a round changes", ("F0505",), r" falls by (\d+)", r" grows by \1"),
    ("what a round changes", ("F0501", "F0502", "F0503", "F0504"), r"(?<=\w) becomes (\d+)", r" becomes 7\1"),
    ("clause of a change", (), r"What changes there rests on clauses? \S+?(?=[.;] ?)", "What changes there rests on clause z.99"),
    ("clause of a change", (), r"What changes there rests on no clause", "What changes there rests on clause z.99"),
    ("numbers of ways", ("F0405",), r"in the first (.+?) is not met", r"in 7 \1 is not met"),
    ("example under a reading", ("F0612",), r"comes out only if the reading \"([^\"]*)\" is taken", r"comes out only if the order of the steps of \1 binds, is taken"),
)


def paragraphs(report):
    for n, finding in enumerate(report["findings"]):
        text = finding["text"]
        if finding["suggested"] or finding["written"] or finding["code"] in ("F0402", "F0403") and not finding["witness"]:
            continue
        for kind, codes, pattern, other in PARAGRAPHS:
            if codes and finding["code"] not in codes or kind == "which can end so" and either_way(finding):
                continue
            false = re.sub(pattern, other, text, count=1)
            if kind == "clause of a change" and (not finding["witness"] or finding["witness"]["kind"] == "again"):
                continue
            if kind == "what a round changes" and "created" in text:
                continue
            if false != text:
                def said(r, n=n, false=false):
                    r["findings"][n]["text"] = false

                yield kind, said
        yield from of_title(n, finding)
        yield from of_words(n, finding)
        yield from of_orders(n, finding)


def either_way(finding):
    """Whether two sequences of one name are compared."""
    found = sentences.CANNOT.search(finding["text"])
    return found is not None and found[1] == found[2]


def of_title(n, finding):
    if finding["code"] not in headings.CLAIMS:
        return

    def suffix(r):
        title = finding["title"]
        own = next((words for words in headings.SUFFIXES if title.endswith(words)), "")
        r["findings"][n]["title"] = title.removesuffix(own) + (
            " under some readings of the text" if headings.SUFFIXES.get(own) != "some" else " if the text is read in one way")

    yield "title", suffix


def of_words(n, finding):
    occurs = finding["occurs"]
    words = occurs["words"] if occurs else ""
    if not words.startswith("just those"):
        return

    def unreadable(r):
        r["findings"][n]["occurs"]["words"] = "just those on which all is as it should be"

    yield "words that cannot be read", unreadable
    if "at most one " in words:
        def two(r):
            r["findings"][n]["occurs"]["words"] = words.replace("at most one ", "at most two ", 1)

        yield "a number as a word", two


def of_orders(n, finding):
    """Lines of a trace about how a zone lies, and rows of what was created."""
    witness = finding["witness"]
    if not witness or finding["code"] == "F0612" or witness["kind"] in ("growth", "again"):
        return
    for k, run in enumerate(witness["runs"]):
        for m, moment in enumerate(run["trace"] or ()):
            for c, text in enumerate(moment["changes"]):
                found = re.fullmatch(r"(.+, now in this order: )(.+, .+)", text)
                if found and "created" not in text and run["outcome"] in ("end", "win", "loss", "draw", "gap", "range"):
                    def back(r, k=k, m=m, c=c, found=found):
                        lines = r["findings"][n]["witness"]["runs"][k]["trace"][m]["changes"]
                        lines[c] = found[1] + ", ".join(reversed(found[2].split(", ")))

                    yield "how a zone lies", back
    rows = witness["differences"]
    if witness["kind"] == "versus" and any("created" in "".join(row.values()) for row in rows):
        def another(r):
            r["findings"][n]["witness"]["differences"].append({"what": "age of created 9", "first": "1", "second": "2"})

        yield "rows of what was created", another
    ends = [run["outcome"] for run in witness["runs"]]
    if witness["kind"] == "versus" and ends == ["end", "end"]:
        def outcome(r):
            r["findings"][n]["witness"]["differences"].append({"what": "outcome", "first": "it ends normally", "second": "it ends"})

        yield "row about the outcome", outcome


def caveats(report):
    for n, answer in enumerate(report["answers"]):
        if headings.NOT_COUNTED.search(answer["caveat"] or ""):
            def silent(r, n=n):
                r["answers"][n]["caveat"] = None

            def other(r, n=n):
                r["answers"][n]["caveat"] = "runs that stop or never end do not count: F0999"

            yield "caveat left out", silent
            yield "caveat", other
        elif answer["kind"] in ("order", "reading", "terminates"):
            def told(r, n=n):
                r["answers"][n]["caveat"] = "runs that stop or never end do not count: F0302"

            yield "caveat", told


def said(report):
    yield from paragraphs(report)
    yield from caveats(report)


# What reports of a corpus have; what only random specifications have is tried where they are.
SENTENCES = {kind for kind, *_ in PARAGRAPHS} - {"example under a reading", "numbers of ways", "value at the start"} | {
    "title", "words that cannot be read", "a number as a word", "how a zone lies", "row about the outcome",
    "caveat left out", "caveat", "rows of what was created"}

__all__ = ["said", "SENTENCES"]
