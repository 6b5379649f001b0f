"""The programs, each asked for responses of the same scene. A response is samples of which the direct sound at 1 m has the amplitude 1."""
import base64
import json
import os
import struct
import subprocess
import tempfile

import numpy as np
from scipy.io import wavfile

import scenes

RATE = 48_000
RAYS = 2048


def swapped(place):
    """From y up to z up, a mirrored world: the same sound."""
    return [place[0], place[2], place[1]]


class Ossicle:
    name = "Ossicle"

    def __init__(self, tool):
        self.tool = tool

    def _run(self, rows):
        with tempfile.TemporaryDirectory() as folder:
            manifest = os.path.join(folder, "rows.jsonl")
            for number, row in enumerate(rows):
                if "faces" in row:
                    row["mesh"] = os.path.join(folder, f"{number}.gltf")
                    with open(row["mesh"], "w") as file:
                        json.dump(gltf(row.pop("faces")), file)
            with open(manifest, "w") as file:
                for number, row in enumerate(rows):
                    file.write(json.dumps(dict(
                        row, id=f"r{number}", rate=RATE, rays=RAYS, quality="reference")) + "\n")
            subprocess.run(
                [self.tool, "batch", manifest, "-o", os.path.join(folder, "out"), "--jobs", "1"], check=True, stdout=subprocess.DEVNULL)
            return [wavfile.read(os.path.join(folder, "out", f"r{number}.wav"))[1].astype(float) for number in range(len(rows))]

    def box(self, scene, scattering, count):
        row = dict(
            box=list(scene["size"]), material=dict(absorption=scene["absorption"], scattering=scattering),
            source=list(scene["source"]), listener=list(scene["listener"]))
        return self._run([dict(row, seed=seed) for seed in range(1, count + 1)])

    def barrier(self, scene):
        top, reach, depth = scene["top"], scene["reach"], scene["depth"]
        sheet = [([(0, -depth, -reach), (0, top, -reach), (0, top, reach), (0, -depth, reach)], (0.0, 0.0))]
        return self._run([dict(faces=sheet, source=list(scene["source"]), listener=list(scene["listener"]), length=0.2)])[0]

    def coupled(self, scene, listener, count):
        faces = scenes.coupled_faces(scene)
        x, height, z = scene["size"]
        middles = [(x / 2, height / 2, z / 2), (1.5 * x + scene["wall"], height / 2, z / 2)]
        shapes = scenes.oriented([face for face, _ in faces], [middles[room] for _, room in faces])
        mesh = [(shape, (scene["absorption"][room], 1.0)) for shape, (_, room) in zip(shapes, faces)]
        row = dict(source=list(scene["source"]), listener=list(listener))
        return self._run([dict(row, faces=mesh, seed=seed) for seed in range(1, count + 1)])


def gltf(faces):
    """A mesh with a primitive for each material, which is (absorption, scattering)."""
    materials = sorted({material for _, material in faces})
    primitives, views, accessors, data = [], [], [], b""
    for number, material in enumerate(materials):
        points = []
        for corners, own in faces:
            if own == material:
                a, b, c, d = corners
                points += [a, b, c, a, c, d]
        chunk = b"".join(struct.pack("<3f", *point) for point in points)
        views.append(dict(buffer=0, byteOffset=len(data), byteLength=len(chunk)))
        accessors.append(dict(
            bufferView=number, componentType=5126, count=len(points), type="VEC3",
            min=[min(p[k] for p in points) for k in range(3)], max=[max(p[k] for p in points) for k in range(3)]))
        primitives.append(dict(attributes=dict(POSITION=number), material=number))
        data += chunk
    uri = "data:application/octet-stream;base64," + base64.b64encode(data).decode()
    return dict(
        asset=dict(version="2.0"), extensionsUsed=["OSSICLE_audio"], scene=0, scenes=[dict(nodes=[0])],
        nodes=[dict(name="room", mesh=0)], meshes=[dict(primitives=primitives)], buffers=[dict(uri=uri, byteLength=len(data))],
        bufferViews=views, accessors=accessors,
        materials=[
            dict(name=f"m{number}", extensions=dict(OSSICLE_audio=dict(absorption=[a], scattering=[s], transmissionLoss=[80])))
            for number, (a, s) in enumerate(materials)])


class Pyroomacoustics:
    name = "pyroomacoustics"

    def __init__(self):
        import pyroomacoustics
        self.module = pyroomacoustics

    def _responses(self, room, source, listener, count):
        room.set_ray_tracing(n_rays=RAYS, receiver_radius=0.5)
        room.add_source(swapped(source))
        room.add_microphone(swapped(listener))
        responses = []
        for seed in range(1, count + 1):
            np.random.seed(seed)
            if hasattr(self.module, "random"):
                self.module.random.seed(seed)
            room.compute_rir()
            responses.append(np.asarray(room.rir[0][0]))
        return responses

    def box(self, scene, scattering, count):
        room = self.module.ShoeBox(
            swapped(scene["size"]), fs=RATE, materials=self.module.Material(scene["absorption"], float(scattering) if scattering else None), max_order=3,
            ray_tracing=True, air_absorption=True, temperature=20, humidity=50)
        return self._responses(room, scene["source"], scene["listener"], count)

    def barrier(self, scene):
        return None

    def coupled(self, scene, listener, count):
        corners, rooms = scenes.floor_plan(scene)
        walls = [self.module.Material(scene["absorption"][room], 1.0) for room in rooms]
        room = self.module.Room.from_corners(
            np.array(corners).T, fs=RATE, materials=walls, max_order=3, ray_tracing=True, air_absorption=True,
            temperature=20, humidity=50)
        # One material for all of the floor and of the ceiling: the mean of both rooms.
        mean = sum(scene["absorption"]) / 2
        room.extrude(scene["size"][1], materials=self.module.Material(mean, 1.0))
        return self._responses(room, scene["source"], listener, count)


class AcousticSpaces:
    name = "acoustic-spaces"

    def __init__(self):
        import acoustic_spaces
        self.module = acoustic_spaces

    def _responses(self, groups, materials, source, listener, count, diffraction="none", order=3, length=None):
        with tempfile.TemporaryDirectory() as folder:
            points, lines = [], []
            for name, faces in groups.items():
                lines.append(f"g {name}\n")
                for a, b, c, d in faces:
                    for face in ((a, b, c), (a, c, d)):
                        points += [swapped(corner) for corner in face][::-1]
                        lines.append("f {} {} {}\n".format(*range(len(points) - 2, len(points) + 1)))
            with open(os.path.join(folder, "room.obj"), "w") as file:
                file.writelines("v {} {} {}\n".format(*point) for point in points)
                file.writelines(lines)
            responses = []
            for seed in range(1, count + 1):
                simulation = {
                    "early": {"method": "image_sources", "max_order": order, "diffraction": diffraction},
                    "late": {"method": "stochastic_ray_tracing", "rays": RAYS}, "seed": seed}
                if length:
                    simulation["ir_length_s"] = length
                scene = {
                    "name": "room", "geometry": {"file": "room.obj", "units": "m"}, "materials": materials,
                    "assignments": {name: name for name in groups},
                    "sources": [{"name": "s", "position": swapped(source), "directivity": "omni"}],
                    "listeners": [{"name": "l", "position": swapped(listener)}], "air": {"temperature_c": 20, "humidity_percent": 50},
                    "simulation": simulation, "outputs": ["mono"]}
                path = os.path.join(folder, "room.yaml")
                with open(path, "w") as file:  # JSON is YAML as well.
                    json.dump(scene, file)
                found = self.module.simulate(self.module.Room.from_yaml(path), threads=1)["s", "l"]
                responses.append(np.asarray(found.impulse_response(RATE)).reshape(-1))
            return responses

    def box(self, scene, scattering, count):
        faces = scenes.box_faces((0, 0, 0), scene["size"])
        middle = [side / 2 for side in scene["size"]]
        shapes = scenes.oriented(faces, [middle] * 6)
        materials = {"walls": {"absorption": [scene["absorption"]] * 8, "scattering": scattering}}
        return self._responses({"walls": shapes}, materials, scene["source"], scene["listener"], count)

    def barrier(self, scene):
        top, reach, depth = scene["top"], scene["reach"], scene["depth"]
        sheet = [(0, -depth, -reach), (0, top, -reach), (0, top, reach), (0, -depth, reach)]
        return self._responses(
            {"sheet": [sheet]}, {"sheet": {"absorption": [0.0] * 8, "scattering": 0.0}}, scene["source"], scene["listener"], 1,
            diffraction="first_order", order=1, length=0.2)[0]

    def coupled(self, scene, listener, count):
        faces = scenes.coupled_faces(scene)
        x, height, z = scene["size"]
        middles = [(x / 2, height / 2, z / 2), (1.5 * x + scene["wall"], height / 2, z / 2)]
        shapes = scenes.oriented([face for face, _ in faces], [middles[room] for _, room in faces])
        groups = {f"room{own}": [shape for shape, (_, room) in zip(shapes, faces) if room == own] for own in (0, 1)}
        materials = {
            f"room{own}": {"absorption": [scene["absorption"][own]] * 8, "scattering": 1.0} for own in (0, 1)}
        return self._responses(groups, materials, scene["source"], listener, count)
