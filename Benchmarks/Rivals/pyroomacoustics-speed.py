"""Milliseconds of processor time pyroomacoustics takes for the tasks of BoxRoomSpeed.swift, of several runs the fastest: image sources,
a whole impulse response in one band without air, and one in eight octave bands with it.

Run as: PYTHONPATH=folder python3 pyroomacoustics-speed.py IMAGE_ORDER RESPONSE_ORDER RAYS
"""
import sys
import time

import numpy
import pyroomacoustics

SIZE, SOURCE, LISTENER = [6, 3, 5], [1.9, 1.7, 1.6], [4.2, 1.4, 3.8]
images, reflections, rays = map(int, sys.argv[1:])


CENTRES = [125 * 2**octave for octave in range(8)]


def octaves(value):
    return {"coeffs": [value] * len(CENTRES), "center_freqs": CENTRES}


def room(material, **options):
    made = pyroomacoustics.ShoeBox(SIZE, fs=48000, materials=material, **options)
    made.add_source(SOURCE)
    made.add_microphone(LISTENER)
    return made


def traced(material, **options):
    made = room(material, max_order=reflections, ray_tracing=True, **options)
    made.set_ray_tracing(n_rays=rays, receiver_radius=0.5)
    return made


def least(runs, make, work):
    times = []
    for _ in range(runs):
        made = make()
        start = time.process_time()
        work(made)
        times.append(time.process_time() - start)
    return 1000 * min(times)


def response(made):
    made.compute_rir()


pyroomacoustics.constants.set("num_threads", 1)
one = pyroomacoustics.Material(0.2, 0.1)
eight = pyroomacoustics.Material(octaves(0.2), octaves(0.1))
print(least(30, lambda: room(one, max_order=images), lambda made: made.image_source_model()))
print(least(9, lambda: traced(one), response))
print(least(9, lambda: traced(eight, air_absorption=True), response))
print(pyroomacoustics.__version__, numpy.__version__, file=sys.stderr)
