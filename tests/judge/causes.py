"""Which findings are told to have one cause (semantics.md, 10, "One cause").

Which of them is told first rests on how serious they are, which is not judged; but it is one of the same cause, is
itself told by no other, and is no claim where another one is none. What alone decides whether a claim is so is judged
elsewhere: here it is enough that the reading is named.
"""

TEXT = ("F0102", "F0103")
READINGS = ("F0401", "F0402", "F0403", "F0404", "F0406")
POINTS = ("F0201", "F0203", "F0306")
CLAIMED = ("F0610", "F0611", "F0612")
LOOPS = ("F0501", "F0502", "F0503", "F0504")


def runs(finding):
    """What shows it, but for what it is called."""
    witness = finding["witness"]
    return witness and (witness["kind"], [(run["board"], run["choices"], run["readings"]) for run in witness["runs"]])


def passes(finding):
    return set(finding["cause"].split(" + "))


def surely(one, other):
    """Whether they have one cause, by what need not be judged."""
    codes = {one["code"], other["code"]}
    if len(codes) == 1 and one["code"] in TEXT:
        return one["cause"].lower() == other["cause"].lower()
    same = one["subject"] == other["subject"]
    return same and (codes <= set(READINGS) or codes == {"F0203"})


def perhaps(one, other):
    """Whether they can have one cause."""
    if surely(one, other) or one["witness"] and runs(one) == runs(other):
        return True
    codes = [one["code"], other["code"]]
    if all(code in LOOPS for code in codes):
        mine, others = passes(one), passes(other)
        return mine <= others or others <= mine
    if all(code in POINTS + CLAIMED for code in codes):
        return True if any(code in CLAIMED for code in codes) else one["subject"] == other["subject"]
    if codes == ["F0702"] * 2:
        return True
    reading, rest = (one, other) if one["code"] in READINGS else (other, one)
    if reading["code"] not in READINGS:
        return False
    if rest["code"] in CLAIMED:
        return rest["readings"] != "under every reading"
    return rest["code"] == "F0202" and reading["subject"] == f"{rest['subject']} order"


def causes(checker):
    findings, tally = checker.report["findings"], checker.tally
    first = {f["fingerprint"]: f["same_cause_as"] or f["fingerprint"] for f in findings}
    for f in findings:
        leader = checker.by_print.get(first[f["fingerprint"]])
        title = checker.title(f)
        if leader is None or first[leader["fingerprint"]] != leader["fingerprint"]:
            tally.check("one cause", False, f"{title} has the cause of a finding that is not there, or is told by another")
            continue
        members = [g for g in findings if first[g["fingerprint"]] == leader["fingerprint"]]
        together, todo = [leader], [leader]
        while todo:
            here = todo.pop()
            more = [g for g in members if g not in together and perhaps(here, g)]
            together += more
            todo += more
        tally.check("one cause", f in together, lambda: f"{title} has the cause of {checker.title(leader)}, which has another")
        apart = next((g for g in findings if g not in members and surely(f, g)), None)
        tally.check("one cause", apart is None, lambda: f"{title} and {checker.title(apart)} have one cause")
        found = any(g["origin"] == "discovered" and g["severity"] == leader["severity"] for g in members if plain(g, members))
        tally.check("one cause", leader["origin"] == "discovered" or not found, lambda: (
            f"{title} has the cause of a claim, though what was found by itself tells it"))


def plain(finding, members):
    """Whether it only carries none of the others further."""
    if finding["code"] in LOOPS:
        return not any(g["code"] in LOOPS and passes(g) < passes(finding) for g in members)
    return not (finding["code"] in READINGS and finding["subject"].endswith(" order"))
