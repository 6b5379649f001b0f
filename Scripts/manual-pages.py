#!/usr/bin/env python3
"""Writes a manual page (man(7)) for the tool and one for each of its commands: manual-pages.py FOLDER VERSION <help.json"""
import json
import sys

# Exit statuses, as Documentation/CommandLine.md has them.
STATUSES = [
    ("0", "Success."),
    ("1", "Something failed: a file, a device, a finding of lint that is an error. Standard error says what and how to mend it."),
    ("3", "Some of many rows or files failed, the others are done."),
    ("64", "Arguments that make no sense."),
    ("128 + n", "A signal n ended the program; no file is left half written."),
]


def escaped(text):
    """Backslashes and hyphens as they are, no line that begins as a request, and ASCII alone."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    lines = "".join(c if ord(c) < 128 else f"\\[u{ord(c):04X}]" for c in text).split("\n")
    return "\n".join("\\&" + line if line[:1] in (".", "'") else line for line in lines)


def label(argument):
    """How an argument is written: bold names, an italic value."""
    value = "\\fI" + escaped(argument.get("valueName", "value")) + "\\fR"
    if argument["kind"] == "positional":
        return value
    names = [("--" if name["kind"] == "long" else "-") + name["name"] for name in argument.get("names", [])]
    names.sort(key=len)
    words = ", ".join("\\fB" + escaped(name) + "\\fR" for name in names)
    return words + (" " + value if argument["kind"] == "option" else "")


def synopsis(path, arguments):
    parts = ["\\fB" + escaped(" ".join(path)) + "\\fR"]
    if any(argument["kind"] != "positional" for argument in arguments):
        parts.append("[\\fIoptions\\fR]")
    for argument in (a for a in arguments if a["kind"] == "positional"):
        word = label(argument) + (" ..." if argument.get("isRepeating") else "")
        parts.append("[" + word + "]" if argument.get("isOptional") else word)
    return " ".join(parts)


def described(argument):
    text = argument.get("abstract", "")
    if argument.get("allValues"):
        text += " One of " + ", ".join(argument["allValues"]) + "."
    if argument.get("defaultValue"):
        text += " Default: " + argument["defaultValue"] + "."
    return text


def page(command, path, version):
    name = "-".join(path)
    arguments = [a for a in command.get("arguments", []) if a.get("shouldDisplay", True)]
    lines = [f'.TH "{name.upper()}" "1" "" "ossicle {version}" "Ossicle"', ".SH NAME"]
    lines += [escaped(f"{name} - {command.get('abstract', '')}").replace("\\-", "-", name.count("-")), ".SH SYNOPSIS"]
    lines += [synopsis(path, arguments)]
    if command.get("discussion"):
        lines += [".SH DESCRIPTION", escaped(command["discussion"])]
    commands = [c for c in command.get("subcommands", []) if c.get("shouldDisplay", True) and c["commandName"] != "help"]
    if commands:
        lines += [".SH COMMANDS"]
        for other in commands:
            lines += [".TP", f"\\fB{escaped('-'.join(path + [other['commandName']]))}\\fR(1)", escaped(other.get("abstract", ""))]
    if arguments:
        lines += [".SH OPTIONS"]
        for argument in arguments:
            lines += [".TP", label(argument), escaped(described(argument))]
    lines += [".SH EXIT STATUS"]
    for status, meaning in STATUSES:
        lines += [".TP", f"\\fB{status}\\fR", escaped(meaning)]
    others = ["ossicle"] if len(path) > 1 else ["-".join(path + [c["commandName"]]) for c in commands]
    if others:
        lines += [".SH SEE ALSO", ", ".join(f"\\fB{escaped(other)}\\fR(1)" for other in others)]
    return name, "\n".join(lines) + "\n", commands


def main():
    folder, version = sys.argv[1:]
    open_ = [(json.load(sys.stdin)["command"], [])]
    while open_:
        command, above = open_.pop()
        path = above + [command["commandName"]]
        name, text, commands = page(command, path, version)
        with open(f"{folder}/{name}.1", "w", encoding="utf-8") as file:
            file.write(text)
        open_ += [(other, path) for other in commands]


main()
