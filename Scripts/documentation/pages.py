#!/usr/bin/env python3
"""Makes articles of the documents, for DocC: pages.py REPOSITORY OUT.docc

Documentation/*.md become articles of their names, Documentation/Tutorials/*.md of theirs behind `Tutorial-`, and Documentation/Ossicle.docc
is the page they hang from. Links among documents become links among articles; what they link to elsewhere in the repository is no part of the site
and keeps its text alone.
"""
import os
import re
import shutil
import sys
from markdown import anchors, outside_code


def article(path):
    folder, file = os.path.split(path)
    stem = file.removesuffix(".md")
    return f"Tutorial-{stem}" if folder.endswith("Tutorials") else stem


def fragment(title):
    """The anchor that DocC gives a heading."""
    text = re.sub(r"['\"“”‘’`]", "", title)
    return re.sub(r"-+", "-", re.sub(r"[^\w().,:+=–—&/]+", "-", text)).strip("-")


def converted(text, path, articles, documents):
    folder = os.path.dirname(path)

    def link(match):
        image, label, target = match[1], match[2], match[3]
        if re.match(r"[a-z]+:", target):
            return match[0]
        if image:
            return f"![{label}]({os.path.basename(target)})"
        file, _, anchor = target.partition("#")
        found = os.path.normpath(os.path.join(folder, file)) if file else path
        if found not in articles:
            return label
        title = next((title for title, slug in anchors(documents[found]) if slug == anchor), None)
        return f"[{label}](doc:{articles[found]}{'#' + fragment(title) if title else ''})"
    text = outside_code(text, lambda part: re.sub(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^()\s]+)\)", link, part))
    return re.sub(r"^(```\w+) \S+$", r"\1", text, flags=re.M)


def main(house, out):
    shutil.rmtree(out, ignore_errors=True)
    shutil.copytree(f"{house}/Documentation/Ossicle.docc", out)
    paths = [os.path.join(folder, file) for folder in (f"{house}/Documentation", f"{house}/Documentation/Tutorials")
             for file in sorted(os.listdir(folder)) if file.endswith(".md") and file != "README.md"]
    articles = {path: article(path) for path in paths}
    documents = {path: open(path).read() for path in paths}
    for path in paths:
        with open(f"{out}/{articles[path]}.md", "w") as opened:
            opened.write(converted(documents[path], path, articles, documents))
    for file in os.listdir(f"{house}/Documentation/Pictures"):
        shutil.copy(f"{house}/Documentation/Pictures/{file}", out)


main(sys.argv[1], sys.argv[2])
