#!/usr/bin/env python3
"""Makes what DocC converts for one module: catalogue.py MODULE GRAPHS CATALOGUE OUT

GRAPHS is the folder that `swift symbolgraph-extract` wrote to, CATALOGUE the module's `.docc` folder. In OUT afterwards: `graphs`, with
additions marked, and `MODULE.docc`, the catalogue with these parts filled in:

- `<!-- Folder -->` below a heading of the topics becomes the list of the symbols that the sources in that folder, or in the files of that
  name, declare, but for those that the page lists by hand. Long lists get a page of their own. A symbol that nothing lists is an error, so that
  what is new is given a place.
- The page of each class of Apple's with additions gets topics that tell the two apart.
"""
import os
import re
import shutil
import sys
from symbols import Module, identifier, source_file

LONGEST = 40


def place(module, symbol):
    """The folders below the module's, or the file where there is none: what a marker can name."""
    path = source_file(symbol).split(f"/{module.name}/")[-1].split("/DoubleSources/")[-1]
    folders, file = os.path.split(path)
    return folders or re.sub(r"\.swift$", "", file).split("+")[0]


def is_at(place, marker):
    return place == marker or place.startswith(marker + "/")


def fill(module, page, folder):
    """The root page with its markers replaced."""
    text = open(page).read()
    listed = set(re.findall(r"^- ``([^`]+)``", text, re.M))
    markers = re.findall(r"<!-- ([\w/]+) -->", text)
    groups, lost = {marker: [] for marker in markers}, []
    for symbol in module.members[None]:
        if module.link(symbol) in listed or symbol["pathComponents"][0] in listed:
            continue
        at = place(module, symbol)
        found = [marker for marker in markers if is_at(at, marker)]
        if found:
            groups[max(found, key=len)].append(symbol)
        else:
            lost.append(f"{symbol['pathComponents'][0]} ({at})")
    if lost:
        sys.exit(f"{page} lists neither these nor the folder of their sources:\n  " + "\n  ".join(sorted(lost)))

    def replaced(match):
        title, marker = match[1], match[2]
        if not groups[marker]:
            sys.exit(f"{page}: no source in {marker} declares a symbol that is not listed by hand.")
        links = topic_list(module, groups[marker])
        if len(groups[marker]) <= LONGEST:
            return f"### {title}\n\n{links}"
        name = f"{module.name}-{marker.replace('/', '-')}"
        with open(f"{folder}/{name}.md", "w") as out:
            out.write(f"# {title}\n\n{len(groups[marker])} symbols.\n\n## Topics\n\n### In alphabetical order\n\n{links}\n")
        return f"### {title}\n\n- <doc:{name}>"
    text = re.sub(r"### (.+)\n\n<!-- ([\w/]+) -->", replaced, text)
    open(page, "w").write(text)


def topic_list(module, symbols):
    kinds = ["class", "protocol", "struct", "enum", "typealias"]

    def order(symbol):
        kind = symbol["kind"]["identifier"].removeprefix("swift.")
        return (kinds.index(kind) if kind in kinds else len(kinds), symbol["pathComponents"][-1], identifier(symbol))
    return "\n".join(f"- ``{module.link(symbol)}``" for symbol in sorted(symbols, key=order))


def additions_pages(module, folder):
    """A page for each type of Apple's that has additions: its own members, those first that a page of the catalogue lists, then the others by
    their kinds; then the additions by their files."""
    for holder, members in module.members.items():
        owner = module.by_identifier.get(holder)
        added = [symbol for symbol in members if module.is_addition(symbol)]
        if owner is None or not added or module.is_addition(owner) or owner["kind"]["identifier"] == "swift.extension":
            continue
        page = f"{folder}/{'.'.join(owner['pathComponents'])}.md"
        text = open(page).read().rstrip() + "\n" if os.path.exists(page) else f"# ``{module.name}/{module.link(owner)}``\n\n## Topics\n"
        listed = set(re.findall(r"^- ``([^`]+)``", text, re.M))
        groups = {}
        for symbol in members:
            if symbol not in added and symbol["pathComponents"][-1] not in listed:
                groups.setdefault(plural(symbol["kind"]["displayName"]), []).append(symbol)
        for symbol in added:
            groups.setdefault(heading(source_file(symbol), owner["pathComponents"][-1]), []).append(symbol)
        for title, symbols in groups.items():
            text += f"\n### {title}\n\n{topic_list(module, symbols)}\n"
        with open(page, "w") as out:
            out.write(text)


def plural(kind):
    return kind[:-1] + "ies" if kind.endswith("y") else kind + "s"


def heading(file, owner):
    """`PHASEEngine+Outputs+Ossicle.swift` is about outputs, `PHASEReports+Ossicle.swift` about reports, `PHASEEngine+Ossicle.swift` about
    nothing in particular."""
    stem = os.path.basename(file).removesuffix(".swift").removesuffix("+Ossicle")
    theme = re.sub(r"^(PHASE|AVAudio|Audio)", "", stem.removeprefix(owner)).strip("+")
    return "Additions of Ossicle" + (f": {theme.lower()}" if re.fullmatch(r"[A-Z][a-z]+", theme) else "")


def main(name, graphs, catalogue, out):
    module = Module(name, graphs)
    shutil.rmtree(out, ignore_errors=True)
    os.makedirs(f"{out}/graphs")
    folder = f"{out}/{name}.docc"
    shutil.copytree(catalogue, folder)
    fill(module, f"{folder}/{name}.md", folder)
    additions_pages(module, folder)
    module.link_names()
    module.mark_additions()
    module.write(f"{out}/graphs")


main(*sys.argv[1:])
