"""Plants faults that can be switched on one at a time into a copy of the repository.

    plant.py COPY

A fault in code is a condition that is negated or left out, a comparison that is off by one, a call that is skipped, or a
function that returns at once. `planted.tsv` lists them: number, place, function and what is wrong. Faults in statements are
made when a test runs them (statements.py).
"""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import tree_sitter_rust
from tree_sitter import Language, Node, Parser

ON, FLIP = "::svc_types::planted::on", "::svc_types::planted::flip"
OF_SERVER = ["billing", "blobs", "export", "features", "http", "mail", "outbound", "providers", "stripe", "webhooks", "x402"]
FOLDERS = [f"svc-server/crates/{name}/src" for name in ("core", "mcp", "mqtt")] + [f"svc-server/src/{name}" for name in OF_SERVER]
OF_TESTS = re.compile(r"/(tests?|testing)(/|\.rs)")
# No code that runs, or code where no function can be called.
SKIPPED = {"array_type", "attribute_item", "const_block", "const_item", "macro_definition", "macro_invocation", "static_item"}
RETURNS = {"bool": ["true", "false"], "Result<()>": ["Ok(())"], "Result<bool>": ["Ok(true)", "Ok(false)"]}
COMPARISONS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}
# What takes a closure that says yes or no.
CHOICES = {"all", "any", "filter", "is_none_or", "is_some_and", "retain"}


class Source:
    """A file, and what is inserted into it."""

    def __init__(self, path: Path, place: str, faults: list[str]) -> None:
        self.path, self.place, self.faults = path, place, faults
        self.text = path.read_bytes()
        self.function = ""
        # Where, whether it begins something, its rank among others there, and the text.
        self.inserted: list[tuple[int, bool, tuple[int, int], str]] = []

    def of(self, node: Node) -> str:
        return self.text[node.start_byte : node.end_byte].decode()

    def fault(self, node: Node, what: str) -> int:
        """The number of a new fault."""
        number, line = len(self.faults) + 1, node.start_point[0] + 1
        self.faults.append(f"{number}\t{self.place}:{line}\t{self.function}\t{' '.join(what.split())[:160]}")
        return number

    def wrap(self, node: Node, before: str, after: str) -> None:
        size, turn = node.end_byte - node.start_byte, len(self.inserted)
        self.inserted.append((node.start_byte, True, (-size, turn), before))
        self.inserted.append((node.end_byte, False, (size, -turn), after))

    def write(self) -> None:
        parts, at = [], 0
        for place, _, _, text in sorted(self.inserted):
            parts += [self.text[at:place], text.encode()]
            at = place
        self.path.write_bytes(b"".join([*parts, self.text[at:]]))


def plant(source: Source, node: Node) -> None:
    """Plants faults in a node and in all that is in it."""
    if node.type in SKIPPED or is_of_tests(source, node):
        return
    before = source.function
    match node.type:
        case "function_item":
            if any("const" in source.of(it) for it in node.children if it.type == "function_modifiers"):
                return
            source.function = source.of(child(node, "name"))
            plant_returns(source, node)
        case "if_expression":
            plant_condition(source, child(node, "condition"))
        case "binary_expression":
            plant_operator(source, node)
        case "expression_statement":
            plant_call(source, node)
        case "match_arm":
            guard = child(node, "pattern").child_by_field_name("condition")
            if guard and not binds(guard):
                source.wrap(guard, f"({ON}({source.fault(guard, f'always {source.of(guard)}')}) || (", "))")
        case "call_expression":
            plant_choice(source, node)
    for inner in node.children:
        plant(source, inner)
    source.function = before


def child(node: Node, name: str) -> Node:
    found = node.child_by_field_name(name)
    assert found, f"{node.type} has a {name}"
    return found


def is_of_tests(source: Source, node: Node) -> bool:
    above = node.prev_sibling
    while above and above.type in ("attribute_item", "line_comment"):
        if above.type == "attribute_item" and "test" in source.of(above):
            return True
        above = above.prev_sibling
    return False


def binds(node: Node) -> bool:
    """Whether a condition has a `let`, which can't be part of another expression."""
    if node.type in ("let_chain", "let_condition"):
        return True
    return any(binds(it) for it in node.children if it.type in ("binary_expression", "let_condition", "parenthesized_expression"))


def plant_returns(source: Source, function: Node) -> None:
    returned, body = function.child_by_field_name("return_type"), function.child_by_field_name("body")
    kind = source.of(returned) if returned else ""
    values = ["None"] if kind.startswith("Option<") else RETURNS.get(kind, [])
    faults = [f" if {ON}({source.fault(function, f'returns {value}')}) {{ return {value}; }}" for value in values]
    if body and faults:
        source.inserted.append((body.start_byte + 1, True, (0, 0), "".join(faults)))


def plant_condition(source: Source, condition: Node) -> None:
    if not binds(condition):
        source.wrap(condition, f"{FLIP}({source.fault(condition, f'not: {source.of(condition)}')}, ", ")")


def plant_operator(source: Source, node: Node) -> None:
    operator, sides = source.of(child(node, "operator")), [child(node, "left"), child(node, "right")]
    if binds(node):
        return
    if operator in ("&&", "||"):
        for side in sides:
            number = source.fault(side, f"without {operator}: {source.of(side)}")
            source.wrap(side, f"({ON}({number}) || (" if operator == "&&" else f"(!{ON}({number}) && (", "))")
    elif operator in COMPARISONS:
        other = COMPARISONS[operator]
        number = source.fault(node, f"{other} instead of {operator}: {source.of(node)}")
        left, right = map(source.of, sides)
        source.wrap(node, f"(if {ON}({number}) {{ {left} {other} {right} }} else {{ ", " })")


def plant_call(source: Source, statement: Node) -> None:
    """Skips a call for its effect, whose failure ends the function."""
    call = statement.children[0]
    if call.type == "try_expression" and statement.children[-1].type == ";":
        number = source.fault(statement, f"without: {source.of(call)}")
        source.wrap(statement, f"if !{ON}({number}) {{ ", " }")


def plant_choice(source: Source, call: Node) -> None:
    function, given = child(call, "function"), child(call, "arguments").named_children
    if function.type != "field_expression" or source.of(child(function, "field")) not in CHOICES:
        return
    if len(given) == 1 and given[0].type == "closure_expression":
        body = child(given[0], "body")
        if body.type != "block":
            source.wrap(body, f"({ON}({source.fault(body, f'always: {source.of(body)}')}) || (", "))")


def edit(path: Path, *changes: tuple[str, str]) -> None:
    text = path.read_text()
    for old, new in changes:
        assert old in text, f"{path} has {old}"
        text = text.replace(old, new, 1)
    path.write_text(text)


def add_switches(copy: Path) -> None:
    """Adds the switches, and takes PostgreSQL from the tests: one engine is enough, and several times as quick."""
    (copy / "svc-types/src/planted.rs").write_text((Path(__file__).parent / "planted.rs").read_text())
    edit(copy / "svc-types/src/lib.rs", ("pub mod page;", "pub mod page;\npub mod planted;"))
    edit(copy / "Cargo.toml", ('unsafe_code = "forbid"', 'unsafe_code = "allow"'))
    store = copy / "svc-server/crates/store/src"
    prepare = "self.connection.prepare_with_flags(text, flags)"
    edit(store / "db/sqlite/prepared.rs", (prepare, prepare.replace("text", "svc_types::planted::sql(text)")))
    start = "None => find_programs().map(|programs| Cluster::start(&programs, None)),"
    edit(store / "testing/postgres.rs", (start, f"None => find_programs().filter(|_| false){start[23:]}"))


def sources(copy: Path) -> Iterator[Path]:
    for folder in FOLDERS:
        yield from (path for path in sorted((copy / folder).rglob("*.rs")) if not OF_TESTS.search(str(path)))


def main() -> None:
    copy, parser = Path(sys.argv[1]), Parser(Language(tree_sitter_rust.language()))
    faults: list[str] = []
    for path in sources(copy):
        source = Source(path, str(path.relative_to(copy)), faults)
        plant(source, parser.parse(source.text).root_node)
        source.write()
    add_switches(copy)
    (copy / "planted.tsv").write_text("".join(f"{fault}\n" for fault in faults))
    print(f"{len(faults)} faults in code")


main()
