"""Milliseconds of processor time pyroomacoustics takes for the two tasks of BoxRoomSpeed.swift, of several runs the fastest.

Run as: PYTHONPATH=folder python3 pyroomacoustics-speed.py IMAGE_ORDER RESPONSE_ORDER RAYS
"""
import sys
import time

import numpy
import pyroomacoustics

SIZE, SOURCE, LISTENER = [6, 3, 5], [1.9, 1.7, 1.6], [4.2, 1.4, 3.8]
images, reflections, rays = map(int, sys.argv[1:])


def room(**options):
    made = pyroomacoustics.ShoeBox(SIZE, fs=48000, materials=pyroomacoustics.Material(0.2, 0.1), **options)
    made.add_source(SOURCE)
    made.add_microphone(LISTENER)
    return made


def least(runs, make, work):
    times = []
    for _ in range(runs):
        made = make()
        start = time.process_time()
        work(made)
        times.append(time.process_time() - start)
    return 1000 * min(times)


def traced():
    made = room(max_order=reflections, ray_tracing=True)
    made.set_ray_tracing(n_rays=rays, receiver_radius=0.5)
    return made


pyroomacoustics.constants.set("num_threads", 1)
print(least(30, lambda: room(max_order=images), lambda made: made.image_source_model()))
print(least(5, traced, lambda made: made.compute_rir()))
print(pyroomacoustics.__version__, numpy.__version__, file=sys.stderr)
