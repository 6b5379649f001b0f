"""What `ossicle batch` costs: impulse responses per second and core beside pyroomacoustics, two workers beside one, and memory over
many rows. Prints lines; asserts nothing.

Run as: PYTHONPATH=folder python3 batch-speed.py OSSICLE [--rows N] [--memory-rows N]
Without pyroomacoustics in reach its lines are left out.

Both sides compute one channel of 1 s at 48 kHz in a box of about 6 x 3 x 5 m that absorbs a fifth and scatters a tenth: image sources to order 3, 4,096
rays, air. Ours has ten octave bands, metrics, a WAVE file and its digest; pyroomacoustics eight bands and samples in memory.
"""
import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time

ORDER, RAYS = 3, 4096
ROW = {
    "id": "r",
    "box": {"uniform": [[5.5, 2.8, 4.5], [6.5, 3.2, 5.5]]},
    "material": {"absorption": 0.2, "scattering": 0.1},
    "source": {"wall": 0.5, "distance": [1, 4]},
    "listener": {"wall": 0.5},
    "quality": "reference", "rays": RAYS, "order": ORDER, "length": 1, "rate": 48000,
}
TINY = dict(ROW, rays=64, order=1, length=0.1, quality="low", rate=16000)


def children():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def batch(ossicle, row, count, folder, *options, watch=None):
    """Processor and wall seconds."""
    manifest = os.path.join(folder, "rows.json")
    with open(manifest, "w") as file:
        json.dump(dict(row, count=count), file)
    processor, wall = children(), time.monotonic()
    command = [ossicle, "batch", manifest, "-o", os.path.join(folder, "out"), "--overwrite", *options]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    while watch and process.poll() is None:
        watch(process.pid)
        time.sleep(0.02)
    if process.wait() != 0:
        sys.exit(f"{' '.join(command)} failed")
    return children() - processor, time.monotonic() - wall


def rival(count):
    """Processor seconds of responses in other rooms, on one thread."""
    import numpy
    import pyroomacoustics

    pyroomacoustics.constants.set("num_threads", 1)
    centres = [125 * 2**octave for octave in range(8)]
    material = pyroomacoustics.Material(*({"coeffs": [value] * 8, "center_freqs": centres} for value in (0.2, 0.1)))
    random = numpy.random.default_rng(1)
    total = 0
    for _ in range(count):
        size = random.uniform([5.5, 2.8, 4.5], [6.5, 3.2, 5.5])
        start = time.process_time()
        room = pyroomacoustics.ShoeBox(
            size, fs=48000, materials=material, max_order=ORDER, ray_tracing=True, air_absorption=True)
        room.set_ray_tracing(n_rays=RAYS, receiver_radius=0.5)
        room.add_source(random.uniform([0.5] * 3, size - 0.5))
        room.add_microphone(random.uniform([0.5] * 3, size - 0.5))
        room.compute_rir()
        total += time.process_time() - start
    return total


def readiness(ossicle, rows, folder):
    """Share of the time in which two workers ran or waited for a processor, and neither for a lock nor for the disk: what is left of twice
    the speed on a machine that is busy with other work.
    """
    last, started = {}, time.monotonic()

    def watch(process):
        try:
            for task in os.listdir(f"/proc/{process}/task"):
                with open(f"/proc/{process}/task/{task}/schedstat") as status:
                    ran, waited = status.read().split()[:2]
                    last[task] = (int(ran), (int(ran) + int(waited)) / 1e9 / (time.monotonic() - started))
        except OSError:
            pass

    batch(ossicle, ROW, rows, folder, "--jobs", "2", watch=watch)
    return sorted(last.values())[-2:]


def memory(ossicle, count, folder):
    """Megabytes that the process holds when a tenth, half and all of the rows are done."""
    seen = []

    def watch(process):
        try:
            with open(f"/proc/{process}/status") as status:
                held = [line.split()[1] for line in status if line.startswith("VmRSS")]
            done = sum(name.endswith(".wav") for name in os.listdir(os.path.join(folder, "out")))
            if held:
                seen.append((done, int(held[0]) / 1024))
        except (OSError, IndexError):
            pass

    batch(ossicle, TINY, count, folder, "--jobs", "1", watch=watch)
    return [next((held for done, held in seen if done >= share * count), seen[-1][1]) for share in (0.1, 0.5, 0.98)]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("ossicle")
    parser.add_argument("--rows", type=int, default=60)
    parser.add_argument("--memory-rows", type=int, default=2000)
    options = parser.parse_args()
    try:
        import pyroomacoustics
        version = pyroomacoustics.__version__
    except ImportError:
        version = None
    with tempfile.TemporaryDirectory() as folder:
        ours, theirs = [], []
        # By turns, so that a busy machine slows both.
        for _ in range(3):
            ours.append(batch(options.ossicle, ROW, options.rows, folder, "--jobs", "1"))
            if version:
                theirs.append(rival(max(options.rows // 4, 1)) / max(options.rows // 4, 1))
        processor = min(seconds for seconds, _ in ours) / options.rows
        print(f"responses of a data set      {1 / processor:.1f} a second and core, {1000 * processor:.1f} ms each with metrics, file and digest")
        if version:
            print(f"  pyroomacoustics {version:10}  {1000 * min(theirs):.0f} ms in eight bands: ours is {min(theirs) / processor:.2f} x as fast")
        else:
            print("  pyroomacoustics            not measured (python3 -m pip install pyroomacoustics==0.10.1)")
        one = min(wall for _, wall in ours)
        two = [batch(options.ossicle, ROW, options.rows, folder, "--jobs", "2") for _ in range(3)]
        print(f"  two workers beside one     {one / min(wall for _, wall in two):.2f} x as fast by the clock, {min(p for p, _ in two) / options.rows / processor:.2f} x the processor time")
        ready = " and ".join(f"{100 * share:.0f} %" for _, share in readiness(options.ossicle, options.rows, folder))
        print(f"  the two workers            ran or waited for a processor {ready} of the time")
        start, middle, end = memory(options.ossicle, options.memory_rows, folder)
        print(f"  memory over {options.memory_rows} rows      {start:.1f} MB after a tenth, {middle:.1f} MB after half, {end:.1f} MB at the end")


main()
