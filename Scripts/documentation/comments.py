#!/usr/bin/env python3
"""Holds that every public declaration has a doc comment: comments.py GRAPHS MODULE…

GRAPHS is the folder that `swift symbolgraph-extract` wrote to. A member that fulfils a requirement of a protocol or overrides another has the comment of
that one there. Exit status 1 where a declaration has none; each is named with its file and line.
"""
import sys
from symbols import Module, comment, source_file


def bare(module):
    """The declarations without a comment, as file, line and name."""
    for symbol in module.symbols:
        if symbol["kind"]["identifier"] != "swift.extension" and not comment(symbol).strip():
            line = symbol.get("location", {}).get("position", {}).get("line", -1) + 1
            yield source_file(symbol).split("/Sources/")[-1], line, ".".join(symbol["pathComponents"])


def main(graphs, *modules):
    found = sorted(found for module in modules for found in bare(Module(module, graphs)))
    if found:
        rows = "\n  ".join(f"Sources/{file}:{line}: {name}" for file, line, name in found)
        sys.exit(f"{len(found)} public declarations have no doc comment:\n  {rows}")


main(*sys.argv[1:])
