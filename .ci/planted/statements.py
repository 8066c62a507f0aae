"""Faults in one SQL statement: a condition or an assignment is left out, a comparison, sign or order is the other one."""

import re
from dataclasses import dataclass, field

TOKEN = re.compile(r"'(?:[^']|'')*'|\$\d+|[A-Za-z_][\w.]*|\d+|<=|>=|<>|!=|\|\||\S")
COMPARISONS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}
SIGNS = {"+": "-", "-": "+"}
OTHERS = {"desc": "asc", "min": "max", "max": "min"}
# Words that end a condition.
ENDS = {"as", "cross", "do", "else", "end", "except", "for", "from", "group", "having", "inner", "intersect", "join", "left"}
ENDS |= {"limit", "offset", "on", "order", "returning", "select", "set", "then", "union", "values", "when", "where", "window"}


@dataclass
class Clause:
    """Conditions in a row, joined by `and` or `or`."""

    # Whether it is only one if there are several: otherwise it may be a list of values.
    is_group: bool = False
    begin: int | None = None
    joined_by: str | None = None
    # Of each condition: begin, end, and what joins it before and behind.
    conditions: list[tuple[int, int, str | None, str | None]] = field(default_factory=list)

    def end(self, at: int, joined_by: str | None) -> None:
        if self.begin is not None:
            self.conditions.append((self.begin, at, self.joined_by, joined_by))
        self.begin, self.joined_by = None, joined_by


class Statement:
    """A statement, read once from its beginning to its end."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = [(found.group(), found.start(), found.end()) for found in TOKEN.finditer(text)]
        self.changed: dict[str, str] = {}
        self.group(0, None)

    def word(self, number: int) -> str:
        return self.tokens[number][0].lower() if 0 <= number < len(self.tokens) else ""

    def change(self, what: str, begin: int, end: int, to: str) -> None:
        text = self.text[:begin] + to + self.text[end:]
        if text != self.text:
            self.changed.setdefault(text, " ".join(what.split())[:160])

    def group(self, number: int, clause: Clause | None) -> int:
        """Reads to the end of what is in parentheses, and returns its number."""
        end, is_between, column, value = 0, False, "", None
        is_setting = False
        while number < len(self.tokens) and self.word(number) != ")":
            word, begin = self.word(number), self.tokens[number][1]
            if clause and clause.begin is None and word not in ("and", "or") and word not in ENDS:
                clause.begin = begin
            if word == "(":
                is_query = self.word(number + 1) in ("select", "values", "with")
                number = self.group(number + 1, Clause(is_group=True) if clause and not is_query else None)
            elif word == "case":
                number = self.end_of_case(number)
            elif clause and word in ("and", "or") and not is_between:
                clause.end(end, word)
            elif clause and word in ENDS and self.word(number - 1) != "distinct":
                self.leave_out(clause, end)
                clause = None
            is_between = word == "between" or is_between and word != "and"
            if is_setting and (word == "," or word in ENDS):
                self.keep(column, value, end)
                column, value, is_setting = "", None, word == ","
            elif is_setting:
                column = column or word
                value = self.tokens[number][2] if word == "=" and value is None else value
            if word in ("where", "having") or word == "on" and self.word(number + 1) != "conflict":
                clause = Clause()
            is_setting = is_setting or word == "set"
            self.turn(number)
            end = self.tokens[min(number, len(self.tokens) - 1)][2]
            number += 1
        if clause:
            self.leave_out(clause, end)
        if is_setting:
            self.keep(column, value, end)
        return number

    def end_of_case(self, number: int) -> int:
        depth = 0
        while True:
            depth += {"case": 1, "end": -1}.get(self.word(number), 0)
            if not depth:
                return number
            number += 1

    def leave_out(self, clause: Clause, end: int) -> None:
        """Leaves each condition out: it is true among those joined by `and`, and false beside an `or`."""
        clause.end(end, None)
        if clause.is_group and len(clause.conditions) < 2:
            return
        for begin, until, before, behind in clause.conditions:
            condition = self.text[begin:until]
            neutral = "and false" if "or" in (before, behind) else "or true"
            self.change(f"without: {condition}", begin, until, f"({condition} {neutral})")

    def keep(self, column: str, value: int | None, end: int) -> None:
        """Keeps the value of a column that is set."""
        if value is not None:
            self.change(f"not set: {column}", value, end, f" {column}")

    def turn(self, number: int) -> None:
        """Changes a comparison, a sign, an order, or which of several is chosen."""
        if number >= len(self.tokens):
            return
        text, begin, end = self.tokens[number]
        word = text.lower()
        near = self.text[max(0, begin - 40) : end + 40]
        is_call = self.word(number + 1) == "("
        if word in COMPARISONS:
            self.change(f"{COMPARISONS[word]} in: {near}", begin, end, COMPARISONS[word])
        elif word in SIGNS and re.match(r"[\w$)]", self.word(number - 1)):
            self.change(f"{SIGNS[word]} in: {near}", begin, end, SIGNS[word])
        elif word == "desc" or word in OTHERS and is_call:
            self.change(f"{OTHERS[word]} in: {near}", begin, end, OTHERS[word])


def faults(text: str) -> list[tuple[str, str]]:
    """What is wrong, and the text with it."""
    return [(what, changed) for changed, what in Statement(text).changed.items()]
