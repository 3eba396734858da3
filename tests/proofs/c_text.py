# SPDX-License-Identifier: MIT
"""Runs the text of C functions on symbolic values, so that a proof is about the very source, not about a copy of it.

As much of C as the kernels need: integers with C's conversions, pointers into byte arrays, structs by value, control
flow. A condition that depends on symbolic values is followed both ways (`Run.paths`). Whatever C leaves undefined, or
is outside of the bytes given, is a `Fault`.
"""
import re

import z3


class Fault(Exception):
    """Undefined behaviour, or bytes touched that were not given."""


# ---- values --------------------------------------------------------------------------------------


class Type:
    def __init__(self, bits, signed):
        self.bits, self.signed = bits, signed


U8, U16, U32, U64 = (Type(bits, False) for bits in (8, 16, 32, 64))
I8, I32, I64 = Type(8, True), Type(32, True), Type(64, True)
TYPES = {
    "uint8_t": U8,
    "unsigned char": U8,
    "char": I8,
    "uint16_t": U16,
    "uint32_t": U32,
    "unsigned": U32,
    "unsigned int": U32,
    "int": I32,
    "int32_t": I32,
    "uint64_t": U64,
    "size_t": U64,
    "uintptr_t": U64,
    "long long": I64,
    "bool": U8,
    "unsigned long long": U64,
    "__mmask64": U64,
    "__mmask32": U32,
    "__mmask16": U16,
}


class Num:
    """An integer of a C type; its value is a Python integer or a z3 bit vector."""

    def __init__(self, type_, value):
        if isinstance(value, int):
            value &= (1 << type_.bits) - 1
            if type_.signed and value >> (type_.bits - 1):
                value -= 1 << type_.bits
        else:
            value = z3.simplify(value)
            if z3.is_bv_value(value):
                value = value.as_signed_long() if type_.signed else value.as_long()
        self.type, self.value = type_, value

    @property
    def known(self):
        return isinstance(self.value, int)

    @property
    def bv(self):
        return z3.BitVecVal(self.value, self.type.bits) if self.known else self.value

    def to(self, type_):
        if self.known or type_.bits == self.type.bits:
            return Num(type_, self.value)
        more = type_.bits - self.type.bits
        if more < 0:
            return Num(type_, z3.Extract(type_.bits - 1, 0, self.value))
        return Num(type_, (z3.SignExt if self.type.signed else z3.ZeroExt)(more, self.value))


def integer(value):
    return Num(I32, value)


def truth(value):
    """A condition as a Python or z3 truth value."""
    if isinstance(value, Num):
        return value.value != 0
    if value is None or isinstance(value, Pointer):
        return value is not None
    return value


def promote(a):
    return a.to(I32) if a.type.bits < 32 else a


def flag(condition):
    """A truth value as C's int."""
    if isinstance(condition, bool):
        return integer(int(condition))
    return Num(I32, z3.If(condition, z3.BitVecVal(1, 32), z3.BitVecVal(0, 32)))


def arithmetic(op, a, b):
    if isinstance(a, Pointer) or isinstance(b, Pointer) or a is None or b is None:
        return pointer_arithmetic(op, a, b)
    a, b = promote(a), promote(b)
    if op in ("<<", ">>"):
        if not b.known:
            raise Fault("a shift by an unknown amount")
        if not 0 <= b.value < a.type.bits:
            raise Fault(f"a shift of {a.type.bits} bits by {b.value}")
        if op == "<<":
            return Num(a.type, a.value << b.value)
        if a.known or a.type.signed:
            return Num(a.type, a.value >> b.value)
        return Num(a.type, z3.LShR(a.value, b.value))
    # The usual arithmetic conversions: the wider type wins, among equals the unsigned one.
    common = a.type if a.type.bits > b.type.bits or (a.type.bits == b.type.bits and not a.type.signed) else b.type
    a, b = a.to(common), b.to(common)
    x, y = (a.value, b.value) if a.known and b.known else (a.bv, b.bv)
    known = a.known and b.known
    if op in ("==", "!=", "<", "<=", ">", ">="):
        if op == "==":
            return flag(x == y)
        if op == "!=":
            return flag(x != y)
        if known or common.signed:
            return flag({"<": x < y, "<=": x <= y, ">": x > y, ">=": x >= y}[op])
        return flag({"<": z3.ULT, "<=": z3.ULE, ">": z3.UGT, ">=": z3.UGE}[op](x, y))
    if op in ("/", "%"):
        if not b.known or b.value == 0:
            raise Fault("a division by zero or by an unknown number")
        if known and x >= 0 and y > 0:
            return Num(common, x // y if op == "/" else x % y)
        if common.signed:
            raise Fault("a division of signed numbers")
        return Num(common, z3.UDiv(x, y) if op == "/" else z3.URem(x, y))
    result = {
        "+": lambda: x + y,
        "-": lambda: x - y,
        "*": lambda: x * y,
        "&": lambda: x & y,
        "|": lambda: x | y,
        "^": lambda: x ^ y,
    }[op]()
    number = Num(common, result)
    if known and common.signed and number.value != result:
        raise Fault(f"a signed overflow: {x} {op} {y}")
    return number


# ---- memory --------------------------------------------------------------------------------------


class Memory:
    """An array of bytes. Reading or writing outside, and reading what was never written, are faults."""

    def __init__(self, cells, name="memory"):
        self.cells, self.name = list(cells), name

    def read(self, at):
        if not 0 <= at < len(self.cells) or self.cells[at] is None:
            raise Fault(f"{self.name}: byte {at} of {len(self.cells)} is read")
        return self.cells[at]

    def write(self, at, byte):
        if not 0 <= at < len(self.cells):
            raise Fault(f"{self.name}: byte {at} of {len(self.cells)} is written")
        self.cells[at] = byte


class Pointer:
    """`step` is the size of what it points to; of a table of tables, that of a row. A pointer that was made an integer
    may leave its memory."""

    def __init__(self, memory, at=0, step=1, is_integer=False):
        self.memory, self.at, self.step, self.is_integer = memory, at, step, is_integer

    def plus(self, offset):
        at = self.at + offset * self.step
        if not self.is_integer and not 0 <= at <= len(self.memory.cells):
            raise Fault(f"{self.memory.name}: a pointer to {at} of {len(self.memory.cells)}")
        return Pointer(self.memory, at, self.step, self.is_integer)

    def read(self, count):
        return [self.memory.read(self.at + i) for i in range(count)]

    def write(self, cells):
        for i, cell in enumerate(cells):
            self.memory.write(self.at + i, cell)


def pointer_arithmetic(op, a, b):
    if op in ("==", "!=") and (a is None or b is None):
        same = a is b or (isinstance(a, Num) and a.value == 0) or (isinstance(b, Num) and b.value == 0 and a is None)
        return flag(same if op == "==" else not same)
    if isinstance(b, Pointer) and op == "+":
        a, b = b, a
    if isinstance(b, Num) and a is None and b.known and b.value == 0:
        return None  # NULL + 0
    if isinstance(a, Pointer) and isinstance(b, Num) and op in "+-":
        if not b.known:
            raise Fault("an unknown offset")
        return a.plus(b.value if op == "+" else -b.value)
    raise Fault(f"pointers: {op}")


def join(cells, big_endian=False):
    """The number whose bytes these are, the first one lowest (or highest)."""
    cells = cells if big_endian else cells[::-1]
    return z3.Concat(*[z3.BitVecVal(c, 8) if isinstance(c, int) else c for c in cells]) if len(cells) > 1 else cells[0]


def split(number, big_endian=False):
    cells = [z3.simplify(z3.Extract(8 * i + 7, 8 * i, number.bv)) for i in range(number.type.bits // 8)]
    return cells[::-1] if big_endian else cells


class Reference:
    """What & gives of a variable."""

    def __init__(self, scope, name):
        self.scope, self.name = scope, name


# ---- text ----------------------------------------------------------------------------------------

TOKEN = re.compile(
    r"""\s*(?:(0[xX][0-9a-fA-F]+[uUlL]*|\d+[uUlL]*)|('(?:\\.|[^'\\])+')|([A-Za-z_]\w*)"""
    r"""|(\.\.\.|->|\+\+|--|<<=|>>=|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|[-+*/%&|^~!<>=?:;,.(){}\[\]]))"""
)
BINARY = [
    ["||"],
    ["&&"],
    ["|"],
    ["^"],
    ["&"],
    ["==", "!="],
    ["<", "<=", ">", ">="],
    ["<<", ">>"],
    ["+", "-"],
    ["*", "/", "%"],
]
LEVEL = {op: level for level, ops in enumerate(BINARY) for op in ops}
ASSIGN = {"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="}
ESCAPES = {"n": 10, "t": 9, "r": 13, "0": 0, "\\": 92, "'": 39, '"': 34, "b": 8, "f": 12}


def tokens_of(text):
    tokens, at, text = [], 0, text.strip()
    while at < len(text):
        match = TOKEN.match(text, at)
        if not match:
            raise SyntaxError(f"not understood: {text[at:at + 40]!r}")
        number, char, name, sign = match.groups()
        if number:
            digits = number.rstrip("uUlL")
            value, suffix = int(digits, 0), number[len(digits) :].lower()
            wide = "l" in suffix or value > 0xFFFFFFFF
            unsigned = "u" in suffix or (not wide and value > 0x7FFFFFFF)
            tokens.append(("number", Num({(0, 0): I32, (0, 1): U32, (1, 0): I64, (1, 1): U64}[wide, unsigned], value)))
        elif char:
            tokens.append(("number", integer(ESCAPES[char[2]] if char[1] == "\\" else ord(char[1]))))
        else:
            tokens.append(("name", name) if name else ("sign", sign))
        at = match.end()
    return tokens + [("end", None)]


def without_comments(text):
    return re.sub(r"/\*.*?\*/", " ", text, flags=re.S)


def preprocessed(text, defined):
    """The text that the conditions leave, and its macros: name to (parameters or None, body)."""
    macros, lines, taken = {}, [], []  # of each open #if: whether this branch counts, whether one has counted
    for line in without_comments(text).replace("\\\n", " ").splitlines():
        directive = re.match(r"\s*#\s*(\w+)\s*(.*)", line)
        if not directive:
            if all(counts for counts, _ in taken):
                lines.append(line)
            continue
        word, rest = directive.groups()
        if word in ("if", "ifdef", "ifndef", "elif"):
            if word == "ifdef" or word == "ifndef":
                rest = ("!" if word == "ifndef" else "") + f"defined({rest.strip()})"
            rest = re.sub(r"defined\s*\(?\s*(\w+)\s*\)?", lambda m: str(m[1] in defined), rest)
            rest = re.sub(
                r"\b(?!True\b|False\b|and\b|or\b|not\b)[A-Za-z_]\w*", lambda m: str(defined.get(m[0], 0)), rest
            )
            rest = rest.replace("&&", " and ").replace("||", " or ")
            condition = bool(eval(re.sub(r"!(?!=)", " not ", rest).strip()))  # numbers and truth values alone are left
            if word == "elif":
                counted = taken.pop()[1]
                taken.append((condition and not counted, counted or condition))
            else:
                taken.append((condition, condition))
        elif word == "else":
            counted = taken.pop()[1]
            taken.append((not counted, True))
        elif word == "endif":
            taken.pop()
        elif word == "define" and all(counts for counts, _ in taken):
            name, parameters, body = re.match(r"(\w+)(?:\(([^)]*)\))?\s*(.*)", rest).groups()
            macros[name] = (None if parameters is None else [p.strip() for p in parameters.split(",")], body)
    return "\n".join(lines), macros


def replaced(text, old, new):
    """(text with `old`, white space aside, replaced by `new`; how often it stood there)"""
    pattern = r"\s*".join(re.escape(token) for token in re.findall(r"\w+|[^\w\s]", old))
    return re.subn(pattern, lambda _: new, text)


class Parser:
    def __init__(self, tokens, is_type):
        self.tokens, self.at, self.is_type = tokens, 0, is_type

    def peek(self, ahead=0):
        return self.tokens[min(self.at + ahead, len(self.tokens) - 1)][1]

    def kind(self, ahead=0):
        return self.tokens[min(self.at + ahead, len(self.tokens) - 1)][0]

    def next(self):
        self.at += 1
        return self.tokens[self.at - 1][1]

    def take(self, *signs):
        if self.kind() in ("sign", "name") and self.peek() in signs:
            return self.next()
        return None

    def expect(self, sign):
        if not self.take(sign):
            raise SyntaxError(f"{sign!r} is missing before {self.tokens[self.at:self.at + 8]}")

    # A type: its words, and whether it is a pointer.
    def starts_type(self, ahead=0):
        return self.kind(ahead) == "name" and (
            self.peek(ahead) in ("const", "static", "struct") or self.is_type(self.peek(ahead))
        )

    def type_(self):
        words, stars = [], 0
        while self.kind() == "name" and (self.peek() in ("const", "static", "struct") or self.is_type(self.peek())):
            word = self.next()
            if word not in ("const", "static", "struct"):
                words.append(word)
        while self.take("*"):
            stars += 1
            self.take("const")
        return " ".join(words), stars

    def primary(self):
        if self.kind() == "number":
            return ("number", self.next())
        if self.kind() == "name":
            return ("name", self.next())
        self.expect("(")
        inner = self.expression()
        self.expect(")")
        return inner

    def postfix(self):
        node = self.primary()
        while True:
            if self.take("("):
                arguments = []
                while not self.take(")"):
                    arguments.append(self.assignment())
                    self.take(",")
                node = ("call", node, arguments)
            elif self.take("["):
                node = ("index", node, self.expression())
                self.expect("]")
            elif self.take(".") or self.take("->"):
                node = ("member", node, self.next())
            elif self.kind() == "sign" and self.peek() in ("++", "--"):
                node = ("step", self.next(), node, False)
            else:
                return node

    def unary(self):
        if self.kind() == "sign" and self.peek() == "(" and self.starts_type(1):
            self.next()
            type_ = self.type_()
            self.expect(")")
            if self.peek() == "{" and self.kind() == "sign":
                return ("compound", type_, self.initializer())
            return ("cast", type_, self.unary())
        if self.kind() == "sign" and self.peek() in ("++", "--"):
            return ("step", self.next(), self.unary(), True)
        if self.kind() == "sign" and self.peek() in "-~!*&+":
            return ("unary", self.next(), self.unary())
        if self.kind() == "name" and self.peek() == "sizeof":
            self.next()
            return ("sizeof", self.unary())
        return self.postfix()

    def binary(self, level=0):
        if level == len(BINARY):
            return self.unary()
        node = self.binary(level + 1)
        while self.kind() == "sign" and LEVEL.get(self.peek()) == level:
            node = ("binary", self.next(), node, self.binary(level + 1))
        return node

    def assignment(self):
        node = self.binary()
        if self.take("?"):
            yes = self.expression()
            self.expect(":")
            return ("choice", node, yes, self.assignment())
        if self.kind() == "sign" and self.peek() in ASSIGN:
            return ("assign", self.next(), node, self.assignment())
        return node

    def expression(self):
        node = self.assignment()
        while self.take(","):
            node = ("comma", node, self.assignment())
        return node

    def initializer(self):
        if not self.take("{"):
            return self.assignment()
        parts = []
        while not self.take("}"):
            if self.take("."):
                name = self.next()
                self.expect("=")
                parts.append(("field", name, self.initializer()))
            else:
                parts.append(self.initializer())
            self.take(",")
        return ("list", parts)

    def declaration(self):
        is_static = self.kind() == "name" and self.peek() == "static"
        words, stars = self.type_()
        declared = []
        while True:
            name, size = self.next(), None
            if self.take("["):
                size = self.expression()
                self.expect("]")
            declared.append((name, (words, stars, is_static), size, self.initializer() if self.take("=") else None))
            if not self.take(","):
                break
            stars = 0
            while self.take("*"):
                stars += 1
        self.expect(";")
        return ("declare", declared)

    def statement(self):
        if self.take("{"):
            inner = []
            while not self.take("}"):
                inner.append(self.statement())
            return ("block", inner)
        if self.take(";"):
            return ("block", [])
        if self.take("if"):
            self.expect("(")
            condition = self.expression()
            self.expect(")")
            yes = self.statement()
            return ("if", condition, yes, self.statement() if self.take("else") else None)
        if self.take("while"):
            self.expect("(")
            condition = self.expression()
            self.expect(")")
            return ("for", None, condition, None, self.statement())
        if self.take("for"):
            self.expect("(")
            first = self.statement() if self.peek() != ";" else self.next() and None
            condition = self.expression() if self.peek() != ";" else None
            self.expect(";")
            step = self.expression() if self.peek() != ")" else None
            self.expect(")")
            return ("for", first, condition, step, self.statement())
        for word in ("return", "break", "continue"):
            if self.take(word):
                value = self.expression() if self.peek() != ";" else None
                self.expect(";")
                return (word, value)
        if self.starts_type() and self.kind(1) in ("name", "sign") and self.peek(1) != "(":
            return self.declaration()
        node = self.expression()
        self.expect(";")
        return ("expression", node)


# ---- running -------------------------------------------------------------------------------------


class Return(Exception):
    pass


class Break(Exception):
    pass


class Continue(Exception):
    pass


STRUCTS = {"quern_line": ["newlines", "start"], "quern_span": ["length", "why"], "block": ["v"]}
CONSTANTS = {
    "NULL": None,
    "true": integer(1),
    "false": integer(0),
    "QUERN_STOP_END": integer(0),
    "QUERN_STOP_ILL_FORMED": integer(1),
    "QUERN_STOP_TRUNCATED": integer(2),
}


def with_includes(files):
    """The files, each behind those of src/ that it includes."""
    found = []

    def visit(path):
        if path in found or not path.exists():
            return
        root = next(parent for parent in path.parents if parent.name == "src")
        for name in re.findall(r'#\s*include\s+"([^"]+)"', path.read_text()):
            visit(root / name)
        if path not in found:
            found.append(path)

    for path in files:
        if not path.exists():
            raise LookupError(f"{path} is not there")
        visit(path)
    return found


class Source:
    """The functions, macros, enums and tables of some files. `mutations` are (function, old text, new text)."""

    def __init__(self, files, defined=None, mutations=(), opaque=(), text_mutations=()):
        self.files, self.defined = list(files), dict(defined or {})
        self.text, self.macros = "", {}
        self.opaque, self.mutations, self.text_mutations = set(opaque), list(mutations), list(text_mutations)
        self.met = set()  # mutations that were met with
        self.array_fields = {("block", "v")}
        for path in with_includes(self.files):
            text = without_comments(path.read_text())
            for _, old, new in self.text_mutations:
                text, count = replaced(text, old, new)
                if count == 1:
                    self.met.add(old)
            text, macros = preprocessed(text, self.defined)
            self.text += text + "\n"
            self.macros.update(macros)
        if len(self.met) != len(self.text_mutations):
            raise LookupError(f"this text does not stand once in the files: {self.text_mutations[0][1]}")
        self.text = re.sub(r"QUERN_KERNEL\((\w+)\)", r"\1", self.text)
        self.functions = {}
        self.structs = dict(STRUCTS)
        for name, body in re.findall(r"typedef\s+struct\s+(\w+)\s*\{([^{}]*)\}", self.text):
            self.structs[name] = re.findall(r"(\w+)(?:\s*\[\w+\])?\s*[,;]", body)
            self.array_fields |= {(name, field) for field in re.findall(r"(\w+)\s*\[\w+\]\s*[,;]", body)}

    def changed(self):
        """Whether every mutation was met with."""
        return len(self.met) == len(self.mutations) + len(self.text_mutations)

    def on_machine(self, **defined):
        """The same, compiled for another machine."""
        other = Source(self.files, {**self.defined, **defined}, self.mutations, self.opaque, self.text_mutations)
        other.met = self.met
        return other

    def is_type(self, word):
        return (
            word in TYPES
            or word in self.structs
            or word in self.opaque
            or word in ("void", "long", "unsigned", "quern_style")
        )

    def parser(self, text):
        return Parser(tokens_of(text), self.is_type)

    def body_at(self, start):
        depth, at = 0, start
        while True:
            depth += {"{": 1, "}": -1}.get(self.text[at], 0)
            at += 1
            if depth == 0:
                return self.text[start:at]

    def mutated(self, name, body):
        for function, old, new in self.mutations:
            if function == name:
                body, count = replaced(body, old, new)
                if count != 1:
                    raise LookupError(f"{name} holds this text {count} times, not once: {old}")
                self.met.add(old)
        return body

    def raw(self, name):
        """The text of a function's body."""
        match = re.search(r"\b" + re.escape(name) + r"\([^(){};]*\)\s*(?=\{)", self.text)
        return self.mutated(name, self.body_at(match.end()))

    def function(self, name):
        if name not in self.functions:
            match = re.search(r"([\w \*]+?)\b" + re.escape(name) + r"\(([^(){};]*)\)\s*(?=\{)", self.text)
            if not match:
                return None
            body = self.body_at(match.end())
            body = self.mutated(name, body)
            parameters = []
            for parameter in match[2].split(","):
                words = re.sub(r"\bconst\b|\*|\[\w*\]", " ", parameter).split()
                parameters.append(
                    (words[-1] if len(words) > 1 else None, " ".join(words[:-1]), "*" in parameter or "[" in parameter)
                )
            result = re.sub(r"\b(static|inline|const|QUERN_\w+)\b", " ", match[1]).replace("*", " * ").split()
            self.functions[name] = (" ".join(result), [p for p in parameters if p[0]], self.parser(body).statement())
        return self.functions[name]

    def table(self, name):
        """A constant array, or the names of an enum, at file scope."""
        match = re.search(r"(\w+)\s+" + re.escape(name) + r"\[\d*\](?:\[(\d+)\])?\s*=\s*(?=\{)", self.text)
        if not match:
            return None
        parts = self.parser(self.body_at(match.end())).initializer()[1]
        if match[2]:
            return [cell for row in parts for cell in row[1]], int(match[2]), match[1]
        return parts, 1, match[1]

    def enumerator(self, name):
        match = re.search(r"\b" + re.escape(name) + r"\s*=\s*([^,}]+)[,}]", self.text)
        return self.parser(match[1]).expression() if match else None


class Run:
    """One way through a program. `builtins` are functions on values, and come first."""

    def __init__(self, source, builtins=None):
        self.source, self.builtins, self.constants = source, dict(builtins or {}), dict(CONSTANTS)
        self.choices, self.conditions, self.pending = [], [], []
        self.big_endian = bool(source.defined.get("QUERN_BIG_ENDIAN"))

    @staticmethod
    def paths(source, builtins, act):
        """All ways through `act(run)`: (condition, result). A fault on a way that can be gone is raised."""
        pending = [[]]
        while pending:
            run = Run(source, builtins)
            run.choices, run.pending = pending.pop(), pending
            result = act(run)
            yield (z3.And(*run.conditions) if run.conditions else z3.BoolVal(True)), result

    def decide(self, condition):
        condition = truth(condition)
        if isinstance(condition, bool):
            return condition
        condition = z3.simplify(condition)
        if z3.is_true(condition) or z3.is_false(condition):
            return z3.is_true(condition)
        k = len(self.conditions)
        if k == len(self.choices):
            solver = z3.SolverFor("QF_BV")
            solver.add(*self.conditions)
            can = [solver.check(c) == z3.sat for c in (condition, z3.Not(condition))]
            if all(can):
                self.pending.append(self.choices + [False])
            self.choices = self.choices + [can[0]]
        choice = self.choices[k]
        self.conditions.append(condition if choice else z3.Not(condition))
        return choice

    def one_of(self, number, most):
        """The number, made known by going a way for each of its values up to `most`."""
        for k in range(most + 1):
            if self.decide(number.bv == k):
                return Num(number.type, k)
        raise Fault("a number is out of its range")

    # -- calls

    def call(self, name, *arguments):
        if name in self.builtins:
            return self.builtins[name](*arguments)
        if name in ("QUERN_LIKELY", "QUERN_UNLIKELY"):
            return arguments[0]
        if name in ("UINT64_C", "UINT32_C"):
            return arguments[0].to(U64 if name == "UINT64_C" else U32)
        if name in ("memcpy", "QUERN_MEMCPY"):
            return self.memcpy(*arguments)
        if name in self.source.macros and self.source.macros[name][0] is not None:
            parameters, body = self.source.macros[name]
            scope = {p: (None, a) for p, a in zip(parameters, arguments)}
            return self.value(self.source.parser(body).expression(), scope)
        return self.call_text(name, *arguments)

    def call_text(self, name, *arguments):
        """Calls a function of the source, even where there is a model of it."""
        function = self.source.function(name)
        if not function:
            raise LookupError(f"no model and no text of {name}")
        result, parameters, body = function
        scope = {}
        for (parameter, type_, pointer), argument in zip(parameters, arguments, strict=True):
            scope[parameter] = (None if pointer else TYPES.get(type_), None)
            self.store(scope, parameter, argument)
        try:
            self.run(body, scope)
        except Return as returned:
            value = returned.args[0]
            return value.to(TYPES[result]) if isinstance(value, Num) and result in TYPES else value
        return None

    def memcpy(self, to, of, size):
        count = size.value
        if isinstance(to, Reference):
            self.store(to.scope, to.name, Num(Type(8 * count, False), join(of.read(count), self.big_endian)))
        elif isinstance(of, Reference):
            to.write(split(self.load(of.scope, of.name), self.big_endian))
        elif count:
            to.write(of.read(count))

    # -- variables: name to (type or None, value)

    def array(self, name, parts, type_, count, row=1):
        """Of numbers, in memory; what is not given is 0."""
        values = [self.value(part, {}).to(type_) for part in parts]
        values += [Num(type_, 0)] * ((count or 0) - len(values))
        cells = [cell for value in values for cell in split(value, self.big_endian)]
        return Pointer(Memory(cells, name), step=type_.bits // 8 * row)

    def store(self, scope, name, value):
        type_ = scope[name][0]
        if isinstance(value, dict):
            value = {field: list(part) if isinstance(part, list) else part for field, part in value.items()}
        scope[name] = (type_, value.to(type_) if type_ and isinstance(value, Num) else value)

    def load(self, scope, name):
        if name in scope:
            return scope[name][1]
        constants = self.constants
        if name not in constants:
            if name in self.builtins:
                return self.builtins[name]
            if name in self.source.defined:
                constants[name] = integer(self.source.defined[name])
            elif name in self.source.macros:
                constants[name] = self.value(self.source.parser(self.source.macros[name][1]).expression(), {})
            elif (table := self.source.table(name)) is not None:
                parts, row, type_ = table
                constants[name] = self.array(name, parts, TYPES[type_], None, row)
            elif (constant := self.source.enumerator(name)) is not None:
                constants[name] = self.value(constant, {})
            else:
                raise LookupError(f"unknown: {name}")
        return constants[name]

    def assign(self, node, scope, value):
        if node[0] == "name":
            self.store(scope, node[1], value)
        elif node[0] == "index":
            base, index = self.value(node[1], scope), self.value(node[2], scope)
            if isinstance(base, list):
                base[index.value] = value
            else:
                base.plus(index.value).write([value.to(U8).bv])
        elif node[0] == "unary" and node[1] == "*":
            target = self.value(node[2], scope)
            if isinstance(target, Reference):
                self.store(target.scope, target.name, value)
            else:
                target.write([value.to(U8).bv])
        elif node[0] == "member":
            struct = self.value(node[1], scope)
            struct[node[2]] = value.to(U64) if isinstance(value, Num) else value
        else:
            raise SyntaxError(f"no place: {node[0]}")

    # -- expressions

    def value(self, node, scope):
        kind = node[0]
        if kind == "number":
            return node[1]
        if kind == "name":
            return self.load(scope, node[1])
        if kind == "call":
            return self.call(node[1][1], *[self.value(argument, scope) for argument in node[2]])
        if kind == "binary":
            op = node[1]
            if op in ("&&", "||"):
                left = self.decide(self.value(node[2], scope))
                if left == (op == "||"):
                    return integer(int(left))
                return flag(truth(self.value(node[3], scope)))
            return arithmetic(op, self.value(node[2], scope), self.value(node[3], scope))
        if kind == "unary":
            return self.unary(node[1], node[2], scope)
        if kind == "cast":
            value = self.value(node[2], scope)
            name, stars = node[1]
            if isinstance(value, Pointer) and (stars or name == "uintptr_t"):
                return Pointer(value.memory, value.at, is_integer=value.is_integer or name == "uintptr_t")
            return value.to(TYPES[name]) if not stars and name in TYPES and isinstance(value, Num) else value
        if kind == "choice":
            return self.value(node[2] if self.decide(self.value(node[1], scope)) else node[3], scope)
        if kind == "index":
            base, index = self.value(node[1], scope), self.value(node[2], scope)
            if isinstance(base, list):
                if not 0 <= index.value < len(base) or base[index.value] is None:
                    raise Fault(f"element {index.value} of {len(base)}")
                return base[index.value]
            if not index.known:
                raise Fault("an unknown index")
            element = base.plus(index.value)
            if base.step > 1:
                return Pointer(element.memory, element.at)
            return Num(U8, element.read(1)[0])
        if kind == "member":
            return self.value(node[1], scope)[node[2]]
        if kind == "assign":
            value = self.value(node[3], scope)
            if node[1] != "=":
                value = arithmetic(node[1][:-1], self.value(node[2], scope), value)
            self.assign(node[2], scope, value)
            return value
        if kind == "step":
            before = self.value(node[2], scope)
            after = arithmetic(node[1][0], before, integer(1))
            self.assign(node[2], scope, after)
            return after if node[3] else before
        if kind == "compound":
            return self.struct(node[1][0], node[2], scope)
        if kind == "sizeof":
            value = self.value(node[1], scope) if node[1][0] != "name" or scope[node[1][1]][1] is not None else None
            return Num(U64, (value.type if value else scope[node[1][1]][0]).bits // 8)
        if kind == "comma":
            self.value(node[1], scope)
            return self.value(node[2], scope)
        raise SyntaxError(kind)

    def unary(self, op, operand, scope):
        if op == "&":
            if operand[0] == "index":
                return self.value(operand[1], scope).plus(self.value(operand[2], scope).value)
            if operand[0] == "member":
                return self.value(operand, scope)
            if operand[0] == "name" and isinstance(self.load(scope, operand[1]), (dict, list)):
                return self.load(scope, operand[1])
            return Reference(scope, operand[1])
        value = self.value(operand, scope)
        if op == "!":
            condition = truth(value)
            return flag(not condition if isinstance(condition, bool) else z3.Not(condition))
        if op == "*":
            return self.load(value.scope, value.name) if isinstance(value, Reference) else Num(I8, value.read(1)[0])
        value = promote(value)
        return Num(value.type, {"~": lambda x: ~x, "-": lambda x: -x, "+": lambda x: x}[op](value.value))

    def struct(self, name, initializer, scope):
        fields = self.source.structs[name]
        result = {}
        for field, part in zip(fields, initializer[1]):
            if part[0] == "field":
                field, part = part[1:]
            value = [self.value(p, scope) for p in part[1]] if part[0] == "list" else self.value(part, scope)
            result[field] = value.to(U64) if isinstance(value, Num) else value
        return result

    # -- statements

    def run(self, node, scope):
        kind = node[0]
        if kind == "block":
            inner = scope
            for statement in node[1]:
                self.run(statement, inner)
        elif kind == "declare":
            for name, (words, stars, is_static), size, initializer in node[1]:
                type_ = None if stars else TYPES.get(words)
                scope[name] = (type_, None)
                if size is not None and is_static:
                    scope[name] = (None, self.array(name, initializer[1], type_, self.value(size, scope).value))
                elif size is not None:
                    count = self.value(size, scope).value
                    values = [self.value(part, scope) for part in initializer[1]] if initializer else []
                    scope[name] = (None, [v.to(type_) if type_ else v for v in values] + [None] * (count - len(values)))
                elif initializer is not None:
                    is_list = initializer[0] == "list"
                    self.store(
                        scope,
                        name,
                        self.struct(words, initializer, scope) if is_list else self.value(initializer, scope),
                    )
                elif words in self.source.structs and not stars:
                    scope[name] = (
                        None,
                        {
                            field: [None] * 64 if (words, field) in self.source.array_fields else None
                            for field in self.source.structs[words]
                        },
                    )
        elif kind == "expression":
            self.value(node[1], scope)
        elif kind == "if":
            branch = node[2] if self.decide(self.value(node[1], scope)) else node[3]
            if branch:
                self.run(branch, scope)
        elif kind == "for":
            if node[1]:
                self.run(node[1], scope)
            while node[2] is None or self.decide(self.value(node[2], scope)):
                try:
                    self.run(node[4], scope)
                except Break:
                    break
                except Continue:
                    pass
                if node[3]:
                    self.value(node[3], scope)
        elif kind == "return":
            raise Return(self.value(node[1], scope) if node[1] else None)
        elif kind == "break":
            raise Break
        elif kind == "continue":
            raise Continue
        else:
            raise SyntaxError(kind)
