"""What `ossicle batch` costs: impulse responses per second and core beside pyroomacoustics and acoustic-spaces, two workers beside one, and
memory over many rows. Prints lines; asserts nothing.

Run as: PYTHONPATH=folder python3 batch-speed.py OSSICLE [--rows N] [--memory-rows N]
`batch-speed.py OSSICLE --workers` compares two workers with one, which says something on a quiet machine, and with two processes of one
worker, which are slowed alike by other work: by turns.
A rival that is not in reach is left out.

All compute one channel of 1 s at 48 kHz in the same boxes of about 6 x 3 x 5 m, which our records name, with the same sources and listeners; the
walls absorb a fifth and scatter a tenth. Image sources to order 3, 4,096 rays, air, one thread.

    ours              ten bands from 31.5 Hz, and metrics, a WAVE file and its digest; rays end at -60 dB
    pyroomacoustics   eight bands from 125 Hz with air, samples in memory; and one band without air, which is its default
    acoustic-spaces   eight bands from 63 Hz, samples in memory; without diffraction, which a box does not have
"""
import argparse
import importlib.metadata
import importlib.util
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


def rooms(folder):
    """Size, source and listener of each row."""
    with open(os.path.join(folder, "out", "results.jsonl")) as lines:
        records = [json.loads(line) for line in lines]
    return [
        (record["room"]["size"], record["sources"][0]["position"], record["listener"]["position"]) for record in records]


def pyroomacoustics_seconds(boxes, bands):
    """Processor seconds of a response, the mean over the rooms."""
    import pyroomacoustics

    pyroomacoustics.constants.set("num_threads", 1)
    centres = [125 * 2**octave for octave in range(8)]
    if bands == 1:
        material = pyroomacoustics.Material(0.2, 0.1)
    else:
        material = pyroomacoustics.Material(*({"coeffs": [value] * 8, "center_freqs": centres} for value in (0.2, 0.1)))
    start = time.process_time()
    for size, source, listener in boxes:
        room = pyroomacoustics.ShoeBox(
            size, fs=48000, materials=material, max_order=ORDER, ray_tracing=True, air_absorption=bands > 1)
        room.set_ray_tracing(n_rays=RAYS, receiver_radius=0.5)
        room.add_source(source)
        room.add_microphone(listener)
        room.compute_rir()
    return (time.process_time() - start) / len(boxes)


def acoustic_spaces_seconds(boxes, folder):
    """Processor seconds of a response with its room read from a file, the mean over the rooms. Its axes have z up."""
    from acoustic_spaces import Room, simulate

    corners = [[x, y, z] for z in (0, 1) for x, y in ((0, 0), (1, 0), (1, 1), (0, 1))]
    faces = "1 2 3 4/5 8 7 6/1 5 6 2/2 6 7 3/3 7 8 4/4 8 5 1".split("/")
    total = 0
    for size, source, listener in boxes:
        (x, y, z), path = size, os.path.join(folder, "box.yaml")
        with open(os.path.join(folder, "box.obj"), "w") as mesh:
            mesh.writelines(f"v {a * x} {b * z} {c * y}\n" for a, b, c in corners)
            mesh.write("g walls\n")
            for face in faces:
                a, b, c, d = face.split()
                mesh.write(f"f {a} {b} {c}\nf {a} {c} {d}\n")
        place = {
            name: {"name": name, "position": [at[0], at[2], at[1]]} for name, at in (("s", source), ("l", listener))}
        with open(path, "w") as file:  # JSON is YAML as well.
            json.dump({
                "name": "box", "geometry": {"file": "box.obj", "units": "m"},
                "materials": {"wall": {"absorption": [0.2] * 8, "scattering": 0.1}}, "assignments": {"walls": "wall"},
                "sources": [dict(place["s"], directivity="omni")], "listeners": [place["l"]],
                "air": {"temperature_c": 20, "humidity_percent": 50},
                "simulation": {
                    "early": {"method": "image_sources", "max_order": ORDER, "diffraction": "none"},
                    "late": {"method": "stochastic_ray_tracing", "rays": RAYS}, "ir_length_s": 1.0},
                "outputs": ["mono"],
            }, file)
        start = time.process_time()
        simulate(Room.from_yaml(path), threads=1)["s", "l"].impulse_response(48000)
        total += time.process_time() - start
    return total / len(boxes)


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


def shards(ossicle, row, count, folder):
    """Wall seconds of two processes of one worker, each with half the rows: as fast as two workers can be at that moment."""
    manifest = os.path.join(folder, "rows.json")
    with open(manifest, "w") as file:
        json.dump(dict(row, count=count), file)
    start = time.monotonic()
    processes = [
        subprocess.Popen(
            [ossicle, "batch", manifest, "-o", os.path.join(folder, "shards"), "--overwrite", "--shard", f"{index}/2", "--jobs", "1"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for index in range(2)]
    if any([process.wait() for process in processes]):
        sys.exit(f"shards of {manifest} failed")
    return time.monotonic() - start


def workers(ossicle, rows, folder):
    """Two workers beside one, and beside two processes that share nothing, by turns, so that other work slows all."""
    runs = {jobs: [] for jobs in ("1", "2")}
    apart = []
    for _ in range(5):
        for jobs, seen in runs.items():
            seen.append(batch(ossicle, ROW, rows, folder, "--jobs", jobs))
        apart.append(shards(ossicle, ROW, rows, folder))
    (processor, wall), (processors, walls) = ([min(each) for each in zip(*seen)] for seen in runs.values())
    print(f"  two workers beside one     {wall / walls:.2f} x as fast by the clock (limit 2), {processors / processor:.2f} x the processor time")
    ratios = sorted(alone / together for alone, (_, together) in zip(apart, runs["2"]))
    print(
        f"  beside two processes       {ratios[len(ratios) // 2]:.2f} x as fast by the clock (limit 1), the median of {len(ratios)} turns, "
        f"{ratios[0]:.2f} to {ratios[-1]:.2f}; at best {min(apart) / walls:.2f}")
    ready = " and ".join(f"{100 * share:.0f} %" for _, share in readiness(ossicle, rows, folder))
    print(f"  the two workers            ran or waited for a processor {ready} of the time")


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
    parser.add_argument("--workers", action="store_true")
    options = parser.parse_args()
    if options.workers:
        with tempfile.TemporaryDirectory() as folder:
            workers(options.ossicle, options.rows, folder)
        return
    rivals = [
        ("pyroomacoustics, 8 bands", "pyroomacoustics", lambda boxes, _: pyroomacoustics_seconds(boxes, 8)),
        ("pyroomacoustics, one band", "pyroomacoustics", lambda boxes, _: pyroomacoustics_seconds(boxes, 1)),
        ("acoustic-spaces, 8 bands", "acoustic_spaces", acoustic_spaces_seconds),
    ]
    with tempfile.TemporaryDirectory() as folder:
        ours, theirs = [], {title: [] for title, _, _ in rivals}
        # By turns, so that a busy machine slows all.
        for _ in range(3):
            ours.append(batch(options.ossicle, ROW, options.rows, folder, "--jobs", "1"))
            some = rooms(folder)[:max(options.rows // 4, 1)]
            for title, module, seconds in rivals:
                if importlib.util.find_spec(module):
                    theirs[title].append(seconds(some, folder))
        processor = min(seconds for seconds, _ in ours) / options.rows
        print(f"responses of a data set      {1 / processor:.1f} a second and core, {1000 * processor:.1f} ms each with metrics, file and digest")
        for title, module, _ in rivals:
            if theirs[title]:
                version = importlib.metadata.version(module.replace("_", "-"))
                least = min(theirs[title])
                print(f"  {title:26} {1000 * least:.0f} ms ({version}, same rooms): ours is {least / processor:.2f} x as fast")
            else:
                print(f"  {title:26} not measured (python3 -m pip install {module.replace('_', '-')})")
        workers(options.ossicle, options.rows, folder)
        start, middle, end = memory(options.ossicle, options.memory_rows, folder)
        print(f"  memory over {options.memory_rows} rows      {start:.1f} MB after a tenth, {middle:.1f} MB after half, {end:.1f} MB at the end")


main()
