#!/usr/bin/env python3
"""Takes the blocks out of documents: blocks.py FOLDER PACKAGE DOCUMENT…

Writes what is to be run to FOLDER/<document>/<number>.<kind>.<line>[.<name>], and a package of all programs in Swift to PACKAGE. Files that
are as they were are left alone, so that a second build has nothing to do.
"""
import os
import re
import sys

MANIFEST = """// swift-tools-version:6.2
import PackageDescription

func product(_ name: String) -> Target.Dependency {{ .product(name: name, package: "Ossicle") }}

let package = Package(
    name: "Tutorials",
    traits: ["SystemLibraries", "FFmpeg", "FluidSynthSounds", .default(enabledTraits: [])],
    dependencies: [
        .package(
            name: "Ossicle", path: "../..",
            traits: [
                "SystemLibraries", .trait(name: "FFmpeg", condition: .when(traits: ["FFmpeg"])),
                .trait(name: "FluidSynthSounds", condition: .when(traits: ["FluidSynthSounds"])),
            ])
    ],
    targets: [
{targets}
    ],
    swiftLanguageModes: [.v6]
)
"""


def blocks(path):
    text = open(path).read()
    for block in re.finditer(r"^```(\w+)(?: (\S+))?\n(.*?)^```$", text, re.M | re.S):
        yield text[:block.start()].count("\n") + 1, *block.groups()


def put(path, text):
    """Writes a file unless it is there already."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    if not os.path.exists(path) or open(path).read() != text:
        open(path, "w").write(text)


def main(folder, package, documents):
    sources = {}
    for index, path in enumerate(documents):
        target = f"{folder}/{index:02}"
        os.makedirs(target)
        open(f"{target}/name", "w").write(path)
        for number, (line, language, name, body) in enumerate(blocks(path)):
            if language == "swift" and name == "Package.swift":
                open(f"{target}/{number:03}.manifest.{line}", "w").write(body)
            elif language == "swift":
                if not name or not re.fullmatch(r"Sources/\w+/[\w+]+\.swift", name):
                    sys.exit(f"{path}: the block of Swift in line {line} names no file: write ```swift Sources/NAME/FILE.swift.")
                if name in sources:
                    sys.exit(f"{path}: {name} in line {line} is there twice.")
                sources[name] = body
            elif name:
                open(f"{target}/{number:03}.file.{line}.{os.path.basename(name)}", "w").write(body)
            elif language in ("sh", "python"):
                open(f"{target}/{number:03}.{language}.{line}", "w").write(body)
    if sources:
        write_package(package, sources)
        open(f"{folder}/swift", "w").close()


def write_package(package, sources):
    for folder, _, files in os.walk(f"{package}/Sources"):
        for file in files:
            if os.path.relpath(f"{folder}/{file}", package) not in sources:
                os.remove(f"{folder}/{file}")
    for name, body in sources.items():
        put(f"{package}/{name}", body)
    targets = []
    for target in sorted({name.split("/")[1] for name in sources}):
        text = "".join(body for name, body in sources.items() if name.split("/")[1] == target)
        products = [name for name in ("PHASE", "AVFAudio", "AVFoundation") if re.search(rf"^import {name}$", text, re.M)]
        targets.append(f'        .executableTarget(name: "{target}", dependencies: [{", ".join(f"product({name!r})" for name in products)}]),'
                       .replace("'", '"'))
    put(f"{package}/Package.swift", MANIFEST.format(targets="\n".join(targets)))


main(sys.argv[1], sys.argv[2], sys.argv[3:])
