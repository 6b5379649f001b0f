"""Measures Ossicle, pyroomacoustics and acoustic-spaces beside what is known, and writes the tables of Documentation/Accuracy.md and its pictures.

Run as: python3 Benchmarks/Rivals/accuracy OSSICLE HOUSE [--quick]; Scripts/make-accuracy does it with the rivals in reach. A program that fails at a scene
is said to, with its words.
"""
import argparse
import os
import re
import sys

import numpy as np

import engines
import measure
import pictures
import scenes
import truth

OCTAVES = (125, 250, 500, 1000, 2000, 4000, 8000)
QUANTITIES = (("t20", "T20 / s", 2), ("t30", "T30 / s", 2), ("edt", "EDT / s", 2), ("c80", "C80 / dB", 1), ("d50", "D50", 2), ("g", "G / dB", 1))


def attempt(program, what, work):
    """What a program says of a scene, or nil and its words."""
    try:
        return work(), None
    except Exception as error:  # Whatever another program raises is its answer.
        words = f"{type(error).__name__}: {error}".splitlines()[0][:120]
        print(f"{program.name}, {what}: {words}", file=sys.stderr)
        return None, words


def average(bands):
    found = [measure.metrics(bins) for bins in bands]
    return {name: float(np.mean([each[name] for each in found])) for name in found[0]}


def row(name, values):
    cells = ["–" if values is None or np.isnan(values[key]) else f"{values[key]:.{digits}f}".replace("-", "−") for key, _, digits in QUANTITIES]
    return f"| {name} | " + " | ".join(cells) + " |"


def table(rows):
    head = "| | " + " | ".join(title for _, title, _ in QUANTITIES) + " |\n|---|" + "---|" * len(QUANTITIES)
    return "\n".join([head, *rows])


def boxes(programs, count):
    lines, errors = [], {program.name: [] for program in programs}
    for place, (name, scene) in enumerate(scenes.BOXES.items()):
        size = " × ".join(f"{side:g}" for side in scene["size"])
        images = (scene["size"], scene["source"], scene["listener"], scene["absorption"], 1.7 if name == "R1" else 1.1)
        exact = average(truth.image_sources(*images).values())
        one = measure.of_bands({band: truth.image_response(*images, engines.RATE, loss) for band, loss in truth.AIR.items()}, engines.RATE)
        statistics = [
            np.mean([truth.statistical(scene["size"], exponent, air) for air in truth.AIR.values()])
            for exponent in (scene["absorption"], -np.log(1 - scene["absorption"]))]
        mirrors, matt = [row("all image sources", exact), row("their response at this place", one)], []
        for program in programs:
            for scattering, rows in ((0, mirrors), (1, matt)):
                found, _ = attempt(program, f"box {name}", lambda: measure.of_responses(program.box(scene, scattering, count), engines.RATE))
                rows.append(row(program.name, found))
                if found and scattering == 0:
                    errors[program.name].append((place, 100 * (found["t20"] / exact["t20"] - 1)))
        lines.append(
            f"**{name}**, {size} m, absorption {scene['absorption']:g}. Walls that mirror, beside the sum of all image sources:\n\n{table(mirrors)}\n\n"
            f"Walls that scatter all; Sabine's formula gives {statistics[0]:.2f} s and Eyring's {statistics[1]:.2f} s:\n\n{table(matt)}")
    plot = pictures.Plot(
        "T20 of boxes that mirror, error re all image sources", "room", "%", (-0.5, len(scenes.BOXES) - 0.5), (-40, 40),
        [(place, name) for place, name in enumerate(scenes.BOXES)], [(value, f"{value:+d}".replace("-", "−")) for value in range(-40, 41, 10)])
    plot.band(-5, 5)
    for offset, (name, points) in enumerate(errors.items()):
        plot.dots(name, [(place + 0.12 * (offset - 1), error) for place, error in points])
    return "\n\n".join(lines), plot.svg


def barrier(programs, house):
    exact = truth.edge(os.path.join(house, "Tests/Tables/diffraction-check.csv"))
    distance = np.linalg.norm(np.subtract(scenes.BARRIER["source"], scenes.BARRIER["listener"]))
    rows = ["| | " + " | ".join(f"{band} Hz" for band in OCTAVES) + " |\n|---|" + "---|" * len(OCTAVES)]

    def line(name, values):
        return f"| {name} | " + " | ".join("–" if value is None else f"{value:.1f}".replace("-", "−") for value in values) + " |"

    rows.append(line("exact, at the centre", [exact[band] for band in OCTAVES]))
    plot = pictures.Plot(
        "Behind a screen of 2 m: level re the open field", "octave / Hz", "dB", (-0.3, len(OCTAVES) - 0.7), (-30, 0),
        [(place, str(band)) for place, band in enumerate(OCTAVES)], [(value, f"{value}".replace("-", "−")) for value in range(-30, 1, 5)])
    plot.line("truth", list(enumerate(exact[band] for band in OCTAVES)))
    for program in programs:
        response, words = attempt(program, "barrier", lambda: program.barrier(scenes.BARRIER))
        if response is None:
            rows.append(line(program.name + (" (failed)" if words else " (has no diffraction)"), [None] * len(OCTAVES)))
            continue
        levels = [level + 20 * np.log10(distance) for level in measure.band_levels(response, engines.RATE, OCTAVES)]
        rows.append(line(program.name, levels))
        plot.line(program.name, list(enumerate(levels)))
    return "\n".join(rows), plot.svg


def coupled(programs, count):
    per_band = [truth.coupled(scenes.COUPLED, 3, air) for air in truth.AIR.values()]
    known = [average([rooms[room] for rooms in per_band]) for room in range(2)]
    rows = ["| | T20 / s, first room | T20 / s, second | T30 / s, first | T30 / s, second |\n|---|---|---|---|---|"]

    def line(name, found):
        cells = ["–" if each is None else f"{each[key]:.2f}" for key in ("t20", "t30") for each in found]
        return f"| {name} | " + " | ".join(cells) + " |"

    rows.append(line("two diffuse rooms", known))
    for program in programs:
        found = [
            attempt(program, "coupled rooms", lambda: measure.of_responses(program.coupled(scenes.COUPLED, listener, count), engines.RATE))[0]
            for listener in scenes.COUPLED["listeners"]]
        rows.append(line(program.name, found))
    return "\n".join(rows)


def replace(page, part, text):
    begin, end = f"<!-- {part}: written by Scripts/make-accuracy -->", f"<!-- {part}: end -->"
    if begin not in page or end not in page:
        sys.exit(f"Documentation/Accuracy.md has no part “{part}”: put “{begin}” and “{end}” into it.")
    return re.sub(re.escape(begin) + ".*?" + re.escape(end), lambda _: f"{begin}\n{text}\n{end}", page, flags=re.DOTALL)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("ossicle")
    parser.add_argument("house")
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()
    count = 1 if options.quick else 3
    programs = [engines.Ossicle(options.ossicle), engines.Pyroomacoustics(), engines.AcousticSpaces()]
    path = os.path.join(options.house, "Documentation/Accuracy.md")

    def put(part, text, svg=None):
        with open(path) as file:
            page = replace(file.read(), part, text)
        with open(path, "w") as file:
            file.write(page)
        if svg:
            with open(os.path.join(options.house, f"Documentation/Pictures/accuracy-{part}.svg"), "w") as file:
                file.write(svg)

    put("how", (
        f"{count} response{'s' if count > 1 else ''} of each program and scene, seeds from 1 on, {engines.RAYS} rays, image sources to order 3, "
        f"{engines.RATE} Hz."))
    put("barrier", *barrier(programs, options.house))
    put("coupled", coupled(programs, count))
    put("boxes", *boxes(programs, count))


main()
