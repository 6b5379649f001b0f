#!/usr/bin/env python3
"""Finishes the site that `docc merge` made and follows its links: site.py SITE SHELL BASE_PATH

The navigator gets one tree, the documents with the frameworks below them: merged archives have a tree each, of which a browser shows the
first that it has loaded. Each page gets the file that servers without rules look for: one file, the same for all, as links to one. The site's first
page leads to the documents. Exit status 1 where a link leads nowhere.
"""
import glob
import json
import os
import shutil
import sys

FIRST = "/documentation/ossicle"


def join_trees(site):
    path = f"{site}/index/index.json"
    index = json.load(open(path))
    modules = index["interfaceLanguages"]["swift"][0]["children"]
    root = next(module for module in modules if module["path"] == FIRST)
    trees = {module["path"]: module for module in modules if module is not root}
    for child in root["children"]:
        tree = trees.pop(child.get("path"), None)
        if tree:
            child.update(tree, type="collection")
    if trees:
        sys.exit(f"The first page does not list {', '.join(tree['title'] for tree in trees.values())}: add to Documentation/Ossicle.docc/Ossicle.md.")
    index["interfaceLanguages"] = {"swift": [root]}
    json.dump(index, open(path, "w"))


def link_pages(site, shell):
    own = shutil.copy(shell, f"{site}/shell.html")
    for path in glob.glob(f"{site}/data/documentation/**/*.json", recursive=True):
        page = f"{site}/{os.path.relpath(path, f'{site}/data')[:-5]}/index.html"
        os.makedirs(os.path.dirname(page), exist_ok=True)
        os.link(own, page)


def write_first_page(site, base):
    target = f"{base}{FIRST}/"
    with open(f"{site}/index.html", "w") as out:
        out.write(f'<!doctype html><title>Ossicle</title><meta http-equiv="refresh" content="0; url={target}"><a href="{target}">Ossicle</a>\n')


def found_anchors(node):
    """Of all headings in a page, however deep."""
    if isinstance(node, dict):
        if "anchor" in node:
            yield node["anchor"]
        for value in node.values():
            yield from found_anchors(value)
    elif isinstance(node, list):
        for value in node:
            yield from found_anchors(value)


def dead_links(site):
    pages = {"/" + os.path.relpath(path, f"{site}/data")[:-5]: json.load(open(path))
             for path in glob.glob(f"{site}/data/**/*.json", recursive=True)}
    anchors = {}
    for page, content in pages.items():
        for reference in content.get("references", {}).values():
            urls = [reference.get("url", "")] + [variant["url"] for variant in reference.get("variants", [])]
            for url in filter(lambda url: url.startswith("/"), urls):
                target, _, anchor = url.partition("#")
                if not target.startswith("/documentation"):
                    if not os.path.exists(site + target):
                        yield f"{page}: {url}"
                elif target not in pages or not os.path.exists(f"{site}{target}/index.html"):
                    yield f"{page}: {url}"
                elif anchor:
                    if target not in anchors:
                        anchors[target] = set(found_anchors({key: value for key, value in pages[target].items() if key != "references"}))
                    if anchor not in anchors[target]:
                        yield f"{page}: {url}"
        for identifier in named(content):
            if identifier not in content.get("references", {}):
                yield f"{page}: {identifier}"


def named(content):
    """What a page's topics and related symbols list."""
    for kind in ("topicSections", "seeAlsoSections", "relationshipsSections"):
        for section in content.get(kind, []):
            yield from section["identifiers"]


def main(site, shell, base):
    join_trees(site)
    link_pages(site, shell)
    write_first_page(site, base)
    dead = sorted(set(dead_links(site)))
    if dead:
        sys.exit("Links of the site that lead nowhere:\n  " + "\n  ".join(dead[:50]))
    print(f"{len(glob.glob(f'{site}/data/**/*.json', recursive=True))} pages")


main(sys.argv[1], sys.argv[2], sys.argv[3].rstrip("/"))
