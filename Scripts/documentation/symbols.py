"""The public symbols of a module: graphs that `swift symbolgraph-extract` wrote, made ready for DocC.

What is an addition of Ossicle is decided here, by where it is declared: in a file `…+Ossicle.swift`, in an extension of the protocol
`OssicleAdditions`, or within a type that is an addition itself; or by its name, or by its doc comment, whose first
paragraph says "an addition of Ossicle".
"""
import json
import os
import re

HOST = "OssicleAdditions"
NOTE = "> Ossicle: An addition, which Apple's frameworks do not have. Code that both compile keeps it behind `#if os(Linux)`."
MEMBERSHIP = {"memberOf", "requirementOf", "optionalRequirementOf"}
ENDS = MEMBERSHIP | {"defaultImplementationOf", "overrides", "extensionTo", "conformsTo", "inheritsFrom"}


class Module:
    """The graphs of one module: its own, and one for each module that it extends."""

    def __init__(self, name, folder):
        self.name = name
        self.graphs = {}
        for file in sorted(os.listdir(folder)):
            if file == f"{name}.symbols.json" or file.startswith(f"{name}@"):
                with open(os.path.join(folder, file)) as opened:
                    self.graphs[file] = json.load(opened)
        self.hosted = set()
        self.move_additions()
        for graph in self.graphs.values():
            keep_declared(graph)
        self.graphs = {file: graph for file, graph in self.graphs.items() if graph["symbols"]}
        self.symbols = [symbol for graph in self.graphs.values() for symbol in graph["symbols"]]
        self.by_identifier = {identifier(symbol): symbol for symbol in self.symbols}
        self.parents = {edge["source"]: edge["target"] for graph in self.graphs.values()
                        for edge in graph["relationships"] if edge["kind"] in MEMBERSHIP}
        paths = {tuple(symbol["pathComponents"]): identifier(symbol) for symbol in self.symbols
                 if symbol["kind"]["identifier"] != "swift.extension"}
        for symbol in self.symbols:  # default implementations are members of nothing, but for their path
            holder = paths.get(tuple(symbol["pathComponents"][:-1]))
            if holder:
                self.parents.setdefault(identifier(symbol), holder)
        self.members = {}
        for symbol in self.symbols:
            if symbol["kind"]["identifier"] != "swift.extension":
                self.members.setdefault(self.parents.get(identifier(symbol)), []).append(symbol)

    def move_additions(self):
        """Members of `extension OssicleAdditions where Self: X` become members of X, where a client finds them."""
        own = self.graphs[f"{self.name}.symbols.json"]
        for graph in self.graphs.values():
            for symbol in list(graph["symbols"]):
                if symbol["pathComponents"][0] != HOST or len(symbol["pathComponents"]) < 2:
                    continue
                classes = [rule for rule in symbol.get("swiftExtension", {}).get("constraints", []) if rule["lhs"] == "Self"]
                if not classes or "::SYNTHESIZED::" in identifier(symbol):
                    continue
                symbol["pathComponents"][0] = classes[0]["rhs"]
                symbol.pop("swiftExtension")
                symbol.pop("swiftGenerics", None)
                self.hosted.add(identifier(symbol))
                graph["symbols"].remove(symbol)
                own["symbols"].append(symbol)
                graph["relationships"] = [edge for edge in graph["relationships"] if edge["source"] != identifier(symbol)]
                own["relationships"].append(
                    {"kind": "memberOf", "source": identifier(symbol), "target": classes[0]["rhsPrecise"]})

    def parent(self, symbol):
        return self.by_identifier.get(self.parents.get(identifier(symbol)))

    def is_addition(self, symbol):
        if identifier(symbol) in self.hosted or source_file(symbol).endswith("+Ossicle.swift"):
            return True
        if symbol["pathComponents"][0].startswith("Ossicle"):
            return True
        if re.search(r"addition\s+(of\s+Ossicle|to\s+Apple)", comment(symbol).split("\n\n")[0], re.I):
            return True
        parent = self.parent(symbol)
        return parent is not None and self.is_addition(parent)

    def siblings(self, symbol):
        return self.members.get(self.parents.get(identifier(symbol)), [])

    def link(self, symbol):
        """The path by which DocC finds it, with the hash that tells it from others of its name where there are some."""
        path = list(symbol["pathComponents"])
        path[-1] = path[-1].replace("/", "_")
        twins = [other for other in self.siblings(symbol) if other["pathComponents"][-1] == symbol["pathComponents"][-1]]
        return "/".join(path) + (f"-{short_hash(identifier(symbol))}" if len(twins) > 1 else "")

    def link_names(self):
        """Names in back ticks become links where they are those of a symbol of this module: a type, or a member of the same type."""
        tops = names_of(self.members.get(None, []))
        members = {holder: names_of(members) for holder, members in self.members.items() if holder}
        types = {symbol["pathComponents"][0]: identifier(symbol) for symbol in tops.values()}
        for symbol in self.symbols:
            holder = identifier(symbol) if identifier(symbol) in members else self.parents.get(identifier(symbol))

            def linked(match):
                name = match[1]
                first, _, rest = name.partition(".")
                found = members.get(holder, {}).get(name) or tops.get(name)
                if rest and first in types:
                    found = members.get(types[first], {}).get(rest)
                if found is None or found is symbol or found is self.parent(symbol):
                    return match[0]
                return f"``{self.link(found)}``"
            for row in symbol.get("docComment", {}).get("lines", []):
                if not row["text"].startswith("    "):
                    row["text"] = re.sub(r"(?<!`)`([A-Za-z_][\w.]*(?:\([\w:]*\))?)`(?!`)", linked, row["text"])

    def mark_additions(self):
        """The kind that DocC prints above a name says it, and a note below the text."""
        for symbol in self.symbols:
            if self.is_addition(symbol):
                symbol["kind"]["displayName"] += " · Addition of Ossicle"
                symbol.setdefault("docComment", {"lines": []})["lines"] += [line(""), line(NOTE)]

    def write(self, folder):
        for name, graph in self.graphs.items():
            with open(os.path.join(folder, name), "w") as opened:
                json.dump(graph, opened)


def keep_declared(graph):
    """Leaves out what the compiler adds to every type from protocols, which has its page at the protocol, and extensions that
    have lost their members."""
    symbols = [symbol for symbol in graph["symbols"] if "::SYNTHESIZED::" not in identifier(symbol)]
    holders = {edge["target"] for edge in graph["relationships"]
               if edge["kind"] in MEMBERSHIP and "::SYNTHESIZED::" not in edge["source"]}
    graph["symbols"] = [symbol for symbol in symbols
                        if symbol["kind"]["identifier"] != "swift.extension" or identifier(symbol) in holders]
    kept = {identifier(symbol) for symbol in graph["symbols"]}
    graph["relationships"] = [edge for edge in graph["relationships"] if edge["kind"] not in ENDS or edge["source"] in kept]


def identifier(symbol):
    return symbol["identifier"]["precise"]


def source_file(symbol):
    return symbol.get("location", {}).get("uri", "")


def short_hash(text):
    """FNV-1 of 32 bits, folded to 24, in base 36: how DocC tells overloads apart."""
    value = 2166136261
    for byte in text.encode():
        value = (value * 16777619) & 0xffffffff ^ byte
    value, digits = value >> 24 ^ value & 0xffffff, ""
    while value:
        value, digit = divmod(value, 36)
        digits = "0123456789abcdefghijklmnopqrstuvwxyz"[digit] + digits
    return digits


def names_of(symbols):
    """Symbols by their names, with and without arguments, those that have them alone."""
    found = {}
    for symbol in symbols:
        title = symbol["pathComponents"][-1]
        for name in {title, title.split("(")[0]}:
            found.setdefault(name, []).append(symbol)
    return {name: symbols[0] for name, symbols in found.items() if len(symbols) == 1}


def line(text):
    origin = {"line": 0, "character": 0}
    return {"text": text, "range": {"start": origin, "end": origin}}


def comment(symbol):
    return "\n".join(line["text"] for line in symbol.get("docComment", {}).get("lines", []))
