"""What is known without simulation: image sources of boxes, statistical rooms, an exact edge. c = 343.2 m/s."""
import csv

import numpy as np

C = 343.2
# Air of 20 degrees and 50 % (ISO 9613-1), dB/m.
AIR = {500: 0.002728, 1000: 0.004665, 2000: 0.009887, 4000: 0.02967}


def image_sources(size, source, listener, absorption, seconds):
    """By octave, energy re the direct sound at 1 m in bins of 1 ms from the first sound on: every image that arrives in time."""
    reach = seconds * C + np.linalg.norm(np.subtract(source, listener))
    axes = []
    for length, s, l in zip(size, source, listener):
        count = int(reach / length) + 2
        index = np.arange(-count, count + 1)
        places = np.where(index % 2 == 0, index * length + s, (index + 1) * length - s)
        axes.append(((places - l) ** 2, np.abs(index)))
    bins = np.zeros(int(seconds * 1000) + 1)
    onset = np.linalg.norm(np.subtract(source, listener)) / C
    for square, order in zip(*axes[0]):
        squares = square + axes[1][0][:, None] + axes[2][0][None, :]
        orders = order + axes[1][1][:, None] + axes[2][1][None, :]
        places = (np.sqrt(squares) / C - onset) * 1000
        near = places < len(bins)
        np.add.at(bins, places[near].astype(int).clip(0), (1 - absorption) ** orders[near] / squares[near])
    lengths = C * (onset + (np.arange(len(bins)) + 0.5) / 1000)
    return {band: bins * 10 ** (-loss * lengths / 10) for band, loss in AIR.items()}


def image_response(size, source, listener, absorption, seconds, rate, loss):
    """The same images as one response: each a pulse, rounded to a sixteenth of a frame. Air of `loss` dB/m."""
    fine, reach = 16, seconds * C
    frames = int(seconds * rate)
    axes = []
    for length, s, l in zip(size, source, listener):
        count = int(reach / length) + 2
        index = np.arange(-count, count + 1)
        axes.append((np.where(index % 2 == 0, index * length + s, (index + 1) * length - s) - l, np.abs(index)))
    pulses = np.zeros(frames * fine)
    for x, order in zip(*axes[0]):
        lengths = np.sqrt(x * x + axes[1][0][:, None] ** 2 + axes[2][0][None, :] ** 2)
        orders = order + axes[1][1][:, None] + axes[2][1][None, :]
        places = np.rint(lengths / C * rate * fine).astype(int)
        near = places < len(pulses)
        np.add.at(pulses, places[near], ((1 - absorption) ** (orders / 2) / lengths * 10 ** (-loss * lengths / 20))[near])
    return np.fft.irfft(np.fft.rfft(pulses)[: frames // 2 + 1], frames)


def statistical(size, exponent, air):
    """Seconds, with the energy exponent of the walls and dB/m of the air: Sabine's with the absorption, Eyring's with -ln(1 - absorption)."""
    x, y, z = size
    surface, volume = 2 * (x * y + y * z + z * x), x * y * z
    return 24 * np.log(10) / C * volume / (surface * exponent + 4 * air / (10 / np.log(10)) * volume)


def coupled(scene, seconds, air=0.0):
    """Energy densities of two diffuse rooms after a pulse in the first, in bins of 1 ms, re the direct sound's energy at 1 m:
    V dE/dt = -(c/4) (A + S) E + (c/4) S E' with Eyring's absorption A."""
    (x, y, z), door = scene["size"], scene["door"]
    volume, opening = x * y * z, door * y
    walls = 2 * (x * y + y * z + z * x) - opening
    loss = [-walls * np.log(1 - absorption) + 4 * air / (10 / np.log(10)) * volume for absorption in scene["absorption"]]
    matrix = C / 4 / volume * np.array(
        [[-(loss[0] + opening), opening], [opening, -(loss[1] + opening)]])
    values, vectors = np.linalg.eig(matrix)
    weights = np.linalg.solve(vectors, np.array([4 * np.pi * C / volume, 0]))
    times = (np.arange(int(seconds * 1000)) + 0.5) / 1000
    return [np.real(sum(weights[k] * vectors[room, k] * np.exp(values[k] * times) for k in range(2))) / 1000 for room in range(2)]


def edge(table, case="D1_screen"):
    """dB re the free field by octave, of the exact solution of Biot and Tolstoy."""
    with open(table) as lines:
        rows = csv.DictReader(line for line in lines if not line.startswith("#"))
        return {int(row["freq_hz"]): float(row["bt_exact_db_re_free_field"]) for row in rows if row["case"] == case}
