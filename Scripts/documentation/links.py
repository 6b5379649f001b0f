#!/usr/bin/env python3
"""Follows the links of Markdown files within the repository: links.py FILE…

Files and folders have to be there, and the headings that links name. Addresses elsewhere are not asked for. Exit status 1 where a link leads nowhere.
"""
import os
import re
import sys
from markdown import anchors, outside_code


def targets(text):
    found = []
    outside_code(text, lambda part: found.extend(re.findall(r"\]\(([^()\s]+)\)", re.sub(r"`[^`]*`", "", part))) or part)
    return found


def dead_links(path):
    for target in targets(open(path).read()):
        if re.match(r"[a-z]+:", target):
            continue
        file, _, anchor = target.partition("#")
        found = os.path.normpath(os.path.join(os.path.dirname(path), file)) if file else path
        if not os.path.exists(found):
            yield f"{path}: {target}"
        elif anchor and found.endswith(".md") and anchor not in {slug for _, slug in anchors(open(found).read())}:
            yield f"{path}: {target}"


dead = [link for path in sys.argv[1:] for link in dead_links(path)]
if dead:
    sys.exit("Links that lead nowhere:\n  " + "\n  ".join(dead))
