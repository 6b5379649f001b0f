#!/usr/bin/env python3
"""Holds the names in documents against the code: names.py GRAPHS HELP.json TABLES.md DOCUMENT…

What stands in back ticks in the last columns of the tables of TABLES.md has to be there: names of symbols with their arguments' labels, words that
are names or labels of symbols, commands of `ossicle` and their options. In all documents the commands in blocks of `sh` have to be there, with
their options. Exit status 1 where one is missing.
"""
import glob
import json
import re
import sys

# Words of Swift and of the tool, variables that stand for an object, endings of files, and names of other things.
OTHERS = set("import print self engine event phase true false nil wav sofa svg json PHASE AVFAudio".split())


def code_spans(text):
    for line in text.splitlines():
        if line.startswith("|") and not re.match(r"\|[-| :]+$", line):
            cells = [cell for cell in re.split(r"(?<!\\)\|", line) if cell.strip()]
            for span in re.findall(r"`([^`]+)`", cells[-1]):
                yield span


def shell_commands(text):
    for block in re.findall(r"^```sh\n(.*?)^```$", text, re.M | re.S):
        for line in block.replace("\\\n", " ").splitlines():
            for command in re.findall(r"(?:^|\| |\$\()(?:\./)?(ossicle [a-z][^#|)>$]*)", line.strip()):
                yield command


def known_names(graphs):
    titles, words = set(), set()
    for path in glob.glob(f"{graphs}/*.symbols.json"):
        for symbol in json.load(open(path))["symbols"]:
            titles.add(".".join(symbol["pathComponents"]))
            for part in symbol["pathComponents"]:
                titles.add(part)
                words.update(re.findall(r"\w+", part))
    return titles, words


def options(command):
    """The options of each command, by its name."""
    dashes = {"long": "--", "short": "-", "longWithSingleDash": "-"}
    yield command["commandName"], {dashes[name["kind"]] + name["name"] for argument in command.get("arguments", [])
                                   for name in argument.get("names", [])}
    for inner in command.get("subcommands", []):
        yield from options(inner)


def faults(span, titles, words, commands):
    every = set().union(*commands.values())
    if span.startswith(("ossicle ", "-")):
        parts = span.split()
        if parts[0] == "ossicle" and parts[1] not in commands:
            yield f"no command {parts[1]}"
        there = commands.get(parts[1], every) if parts[0] == "ossicle" else every
        yield from (f"no option {part}" for part in parts if re.match(r"--?[a-z]", part) and part not in there)
        return
    call = re.fullmatch(r"(?:\w+\.)*(\w+\((?:\w+:)+\))", span)
    made = call and re.sub(r"^([A-Z]\w*)\(", r"\1.init(", call[1])
    if call and not {call[1], made} & titles:
        yield f"no symbol {call[1]}"
    elif not span.startswith(".") or span[1:] not in OTHERS:
        yield from (f"no name {word}" for word in re.findall(r"[A-Za-z_]\w+(?!\w|:\d)", span)
                    if word not in words | OTHERS | set(commands))


def main(graphs, help_file, tables, *documents):
    titles, words = known_names(graphs)
    commands = dict(options(json.load(open(help_file))["command"]))
    named = [(tables, span) for span in code_spans(open(tables).read())]
    named += [(document, command) for document in (tables, *documents) for command in shell_commands(open(document).read())]
    missing = [f"{document}: {name}: {fault}" for document, name in named for fault in faults(name, titles, words, commands)]
    if missing:
        sys.exit("Names of what is not there:\n  " + "\n  ".join(missing))


main(*sys.argv[1:])
