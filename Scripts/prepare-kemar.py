#!/usr/bin/env python3
"""Prepare the default head: a compact resource made from the KEMAR measurements of the MIT Media Lab.

    pip install numpy h5py
    Scripts/prepare-kemar.py [input.sofa [output.hrtf]]

Input   MIT_KEMAR_normal_pinna.sofa of Debian's package libmysofa1: 710 directions, 512 taps, 44.1 kHz.
        W. G. Gardner and K. D. Martin, "HRTF Measurements of a KEMAR Dummy-Head Microphone", MIT Media Lab
        Perceptual Computing Technical Report 280, 1994. Copyright 1994 by the MIT Media Laboratory; provided free with
        no restrictions on use, provided the authors are cited.
Output  Sources/RealTime/COssicle/Resources/kemar.hrtf. The same input gives the same bytes.
        Tests/Tables/kemar-diffuse-field.csv, the equalisation, for tests that compare with the measurement as it was.
        Tests/Tables/kemar-ears.csv, what the measurement has between the ears at low frequencies, whatever the spectrum.

What is done to each of the responses
  1. Ears made mirror images: magnitude (in dB) and delay of the left ear at azimuth a and of the right ear at -a are
     averaged. Only the left half of the sphere is stored; in the median plane both ears are equal.
  2. Delay: by how much the phase of the response from 200 to 1500 Hz, where the ear hears it, is later than that of its
     minimum-phase version, to 1/64 sample. All frequencies alike: over the whole range the few strongest decide, and the
     delay leaps by two samples from one direction to the next.
  3. Diffuse-field equalisation: magnitudes are divided by their power average over the sphere (solid-angle weights, third
     octave smoothing, from 400 Hz on at most 12 dB either way).
  4. Low end: the loudspeaker of the measurement ends near 130 Hz. Below 125 Hz the level in dB falls to 0 with the square
     of the frequency, as that of a small body does.
  5. Minimum phase (real cepstrum) straight at 44.1 and at 48 kHz; of that the 128 taps whose spectrum is nearest, each
     frequency with a weight of 1/(f + 100 Hz), so that the low octaves keep their phase, and exactly 0 dB at 0 Hz.
  6. Two places without a measurement are filled by the mean in dB: behind at 50 degrees up (between azimuths 176 and
     184), and straight down (the lowest ring, -40 degrees).

Format, little-endian
  8 bytes  "OSSIHRTF"
  u32      version (1), directions D, taps T, rates R
  u32 x R  sample rates in Hz
  f32 x 3D unit vectors of the directions: x right, y up, z back (so all x <= 0; 0 exactly in the median plane)
  f32 x 2D delay in seconds, left then right; the smallest is 0
  R times  D x (left, right) x { f32 scale, i16 x T }; tap = scale * value
  u64      FNV-1a of everything before
"""
import struct
import sys
from pathlib import Path

import h5py
import numpy as np

TAPS, RATES, SIZE, LOW_END = 128, (44100, 48000), 8192, 125
SOURCE = "/usr/share/libmysofa/MIT_KEMAR_normal_pinna.sofa"
ROOT = Path(__file__).resolve().parent.parent
TARGET = ROOT / "Sources/RealTime/COssicle/Resources/kemar.hrtf"
EQUALISATION = ROOT / "Tests/Tables/kemar-diffuse-field.csv"
EARS = ROOT / "Tests/Tables/kemar-ears.csv"


def decibels(magnitude):
    return 20 * np.log10(np.maximum(magnitude, 1e-9))


def minimum_phase(level_db):
    """Impulse response (SIZE samples) with the given levels on bins 0...SIZE/2 and the least possible delay."""
    log_magnitude = np.maximum(level_db, level_db.max(axis=-1, keepdims=True) - 80) * (np.log(10) / 20)
    cepstrum = np.fft.irfft(log_magnitude, SIZE)
    cepstrum[..., 1:SIZE // 2] *= 2
    cepstrum[..., SIZE // 2 + 1:] = 0
    return np.fft.irfft(np.exp(np.fft.rfft(cepstrum)), SIZE)


def minimum_phase_spectrum(level_db):
    return np.fft.rfft(minimum_phase(level_db))


def delays_of(responses, levels_db, frequencies):
    """Lag in samples that brings the minimum-phase version over each response, from 200 to 1500 Hz."""
    inside = (frequencies >= 200) & (frequencies <= 1500)
    cross = (np.fft.rfft(responses, SIZE) * np.conj(minimum_phase_spectrum(levels_db)))[..., inside]
    cross /= np.maximum(np.abs(cross), 1e-30)
    turn = 2j * np.pi / SIZE * np.flatnonzero(inside)

    def best(values, lags):
        turns = np.exp(turn[:, None] * lags)
        return lags[np.argmax(np.real(values @ turns), axis=-1)]

    coarse = best(cross, np.arange(256))
    return coarse + best(cross * np.exp(coarse[..., None] * turn), np.arange(-64, 65) / 64)


def diffuse_field_db(levels_db, elevations, frequencies):
    """Power average over the sphere, third-octave smoothed, within 12 dB of its middle level."""
    rings = np.unique(elevations)
    edges = np.concatenate(([-90.0], (rings[1:] + rings[:-1]) / 2, [90.0]))
    weight = np.zeros(len(elevations))
    for low, high, ring in zip(edges, edges[1:], rings):
        members = elevations == ring
        weight[members] = (np.sin(np.radians(high)) - np.sin(np.radians(low))) / 2 / members.sum()
    power = np.einsum("d,def->f", weight, 10 ** (levels_db / 10)) / 2
    summed = np.concatenate(([0.0], np.cumsum(power)))
    step = frequencies[1]
    low = np.clip(np.floor(frequencies * 2 ** (-1 / 6) / step).astype(int), 0, len(power) - 1)
    high = np.clip(np.ceil(frequencies * 2 ** (1 / 6) / step).astype(int) + 1, 1, len(power))
    smooth = 10 * np.log10((summed[high] - summed[low]) / (high - low))
    octaves = np.geomspace(200, 16000, 200)
    middle = np.interp(octaves, frequencies, smooth).mean()
    # What loudspeakers lack at the low end is no part of a head, however much it is.
    return np.where(frequencies < 400, smooth, np.clip(smooth, middle - 12, middle + 12))


def continue_low_end(levels_db, frequencies):
    """Below 125 Hz as the square of the frequency, from the mean of a third octave; a raised cosine over half an octave."""
    position = np.log2(np.maximum(frequencies, 1) / LOW_END)
    level = levels_db[..., np.abs(position) <= 1 / 6].mean(axis=-1, keepdims=True)
    measured = 0.5 - 0.5 * np.cos(np.pi * np.clip(2 * position + 0.5, 0, 1))
    continued = level * np.minimum((frequencies / LOW_END) ** 2, 2)
    return continued + (levels_db - continued) * measured


def filters_at(rate, levels_db, frequencies):
    """Minimum-phase taps at a sample rate. The measurement's own low-pass above 20 kHz is not part of a head."""
    grid = np.minimum(np.arange(SIZE // 2 + 1) * rate / SIZE, 20000)
    levels = np.stack([np.interp(grid, frequencies, row) for row in levels_db.reshape(-1, levels_db.shape[-1])])
    full = minimum_phase(levels)
    taps = nearest(full, rate)
    return taps.reshape(levels_db.shape[:-1] + (TAPS,)), full.reshape(levels_db.shape[:-1] + (SIZE,))


def nearest(full, rate):
    """TAPS taps with the least weighted error of the spectrum, and its value at 0 Hz."""
    weight = 1 / (np.arange(SIZE // 2 + 1) * rate / SIZE + 100)
    row = np.fft.irfft(weight)[:TAPS]
    matrix = row[np.abs(np.arange(TAPS)[:, None] - np.arange(TAPS))]
    wanted = np.fft.irfft(np.fft.rfft(full) * weight)[:, :TAPS]
    taps, even = np.linalg.solve(matrix, wanted.T).T, np.linalg.solve(matrix, np.ones(TAPS))
    return taps + np.outer(full.sum(axis=-1) - taps.sum(axis=-1), even / even.sum())


def unit_vector(azimuth, elevation):
    """Azimuth to the left, in engine axes; exactly in the median plane where it belongs there."""
    a, e = np.radians(azimuth), np.radians(elevation)
    x = 0.0 if azimuth in (0.0, 180.0) or abs(elevation) == 90 else -np.sin(a) * np.cos(e)
    return x, np.sin(e), -np.cos(a) * np.cos(e)


def fnv1a(data):
    value = 0xCBF29CE484222325
    for byte in data:
        value = ((value ^ byte) * 0x100000001B3) & 0xFFFFFFFFFFFFFFFF
    return value


def main(source=SOURCE, target=TARGET):
    with h5py.File(source) as sofa:
        positions = np.round(sofa["SourcePosition"][:, :2], 6)
        responses = sofa["Data.IR"][:]
        rate = int(sofa["Data.SamplingRate"][0])
    frequencies = np.arange(SIZE // 2 + 1) * rate / SIZE
    levels = decibels(np.abs(np.fft.rfft(responses, SIZE)))
    delays = delays_of(responses, levels, frequencies)

    place = {(round(a % 360, 3), e): i for i, (a, e) in enumerate(positions)}
    mirror = np.array([place[(round(-a % 360, 3), e)] for a, e in positions])
    left_half = [i for i, (a, _) in enumerate(positions) if a <= 180]
    write_ears(positions[left_half], np.fft.rfft(responses[left_half], SIZE), frequencies)

    levels = (levels + levels[mirror][:, ::-1]) / 2
    delays = (delays + delays[mirror][:, ::-1]) / 2 / rate
    equalisation = diffuse_field_db(levels, positions[:, 1], frequencies)
    write_equalisation(frequencies, equalisation)
    levels -= equalisation
    levels = continue_low_end(levels, frequencies)

    def mean_of(members):
        return levels[members].mean(axis=0), delays[members].mean(axis=0)

    behind_level, behind_delay = mean_of([place[(176.0, 50.0)], place[(184.0, 50.0)]])
    below_level, below_delay = mean_of(positions[:, 1] == positions[:, 1].min())
    directions = [tuple(positions[i]) for i in left_half] + [(180.0, 50.0), (0.0, -90.0)]
    levels = np.concatenate((levels[left_half], behind_level[None], below_level[None]))
    delays = np.concatenate((delays[left_half], behind_delay[None], below_delay[None]))
    for i, (a, e) in enumerate(directions):
        if a in (0.0, 180.0) or abs(e) == 90:
            levels[i], delays[i] = levels[i].mean(axis=0), delays[i].mean()
    delays -= delays.min()

    out = bytearray(b"OSSIHRTF" + struct.pack("<4I", 1, len(directions), TAPS, len(RATES)) + struct.pack(f"<{len(RATES)}I", *RATES))
    out += np.array([unit_vector(*d) for d in directions], "<f4").tobytes() + delays.astype("<f4").tobytes()
    for output_rate in RATES:
        taps, full = filters_at(output_rate, levels, frequencies)
        scale = (np.abs(taps).max(axis=-1, keepdims=True) / 32767).astype("<f4")
        values = np.rint(taps / scale).astype("<i2")
        for direction in range(len(directions)):
            for ear in (0, 1):
                out += scale[direction, ear].tobytes() + values[direction, ear].tobytes()
        report(output_rate, taps, full, values * scale, np.array(directions))
    out += struct.pack("<Q", fnv1a(out))
    Path(target).write_bytes(out)
    print(f"{target}: {len(out)} bytes, {len(directions)} directions of the left half")


def write_equalisation(frequencies, level_db):
    points = 1000 * 2 ** (np.arange(-24, 49) / 12)
    rows = "".join(f"{f:.1f},{np.interp(f, frequencies, level_db):.2f}\n" for f in points)
    EQUALISATION.write_text("# diffuse-field level of the KEMAR measurement (MIT, Gardner & Martin 1994) that Scripts/prepare-kemar.py\n"
                            "# divides by: power mean over the sphere, third-octave smoothed; any reference\n"
                            "frequency_hz,level_db\n" + rows)


def write_ears(positions, spectra, frequencies):
    """Both ears' phases and levels as measured. Each frequency counts alike, so that no equalisation changes a value."""
    cross = np.exp(1j * np.angle(spectra[:, 0] * np.conj(spectra[:, 1])))

    def delay(low, high):
        inside = (frequencies >= low) & (frequencies <= high)
        lags = np.arange(-1000, 1001)
        turns = np.exp(-2e-6j * np.pi * frequencies[inside][:, None] * lags)
        return lags[np.argmax(np.real(cross[:, inside] @ turns), axis=-1)]

    octave = (frequencies >= 250 / 2 ** 0.5) & (frequencies <= 250 * 2 ** 0.5)
    level = decibels(np.abs(spectra))[..., octave].mean(axis=-1)
    rows = "".join(f"{a:.6g},{e:g},{low},{itd},{ild:.2f}\n" for (a, e), low, itd, ild in
                   zip(positions, delay(250, 400), delay(200, 1500), level[:, 0] - level[:, 1]))
    EARS.write_text("# between the ears of the KEMAR measurement (MIT, Gardner & Martin 1994), left half of the sphere: lag of the largest\n"
                    "# cross-correlation, all frequencies alike, 250 to 400 and 200 to 1500 Hz (left ear earlier: positive);\n"
                    "# mean of the level difference in dB over the octave of 250 Hz (left louder: positive)\n"
                    "azimuth_deg_left,elevation_deg,itd_250_400_us,itd_200_1500_us,ild_250_db\n" + rows)


def report(rate, taps, full, stored, directions):
    grid = np.arange(SIZE // 2 + 1) * rate / SIZE
    band = (grid >= 200) & (grid <= 16000)
    got, wanted = decibels(np.abs(np.fft.rfft(stored, SIZE))), decibels(np.abs(np.fft.rfft(full)))
    spectral = np.sqrt(((got - wanted)[..., band] ** 2).mean(axis=-1))
    low = got[..., grid <= 80]
    noise = decibels(np.sqrt(((stored - taps) ** 2).sum(axis=-1) / (taps ** 2).sum(axis=-1)))
    print(f"{rate} Hz: 128 taps against the full response {spectral.mean():.2f} dB mean, {np.quantile(spectral, 0.95):.2f} dB 95 %; "
          f"below 80 Hz {low.min():+.2f} ... {low.max():+.2f} dB, largest ILD {np.abs(low[:, 0] - low[:, 1]).max():.2f} dB; "
          f"rounding {noise.mean():.1f} dB mean, {noise.max():.1f} dB worst")


if __name__ == "__main__":
    main(*sys.argv[1:])
