import json
import tempfile
import unittest
from pathlib import Path

import numpy as np

import ossicle


def hut() -> ossicle.Scene:
    scene = ossicle.Scene(seed=3, acoustics="geometry", quality="low")
    scene.box("walls", (6, 3, 5), ["brick"] * 4 + ["wood", "glass"], inwards=True, position=(0, 1.5, 0))
    scene.box("table", (1, 0.8, 1), "wood", position=(1, 0.4, 0))
    scene.listener("me", (0, 1.5, 0))
    scene.source("bell", (2, 1.5, 0))
    pulse = np.zeros((1, 2400), np.float32)
    pulse[0, :40] = 0.5
    scene.sound("ring", pulse, 48_000)
    scene.play("ring", "bell", start=0.05)
    scene.duration = 0.4
    return scene


class SceneTests(unittest.TestCase):
    def test_a_scene_sounds_the_same_as_its_files(self):
        scene = hut()
        ours = ossicle.render(scene)
        self.assertEqual(ours.shape, (2, 19_200))
        self.assertGreater(float(np.abs(ours).max()), 1e-3)
        with tempfile.TemporaryDirectory() as folder:
            for name in ("hut.gltf", "hut.glb"):
                timeline = scene.write(Path(folder) / name)
                self.assertEqual(ossicle.render(Path(folder) / name, timeline).sha256, ours.sha256, name)
            facts = ossicle.scene_facts(Path(folder) / "hut.glb", Path(folder) / "hut.json")
        self.assertEqual((facts["listeners"], facts["sources"], facts["seed"]), (["me"], ["bell"], 3))
        self.assertEqual((facts["instances"], facts["seconds"], facts["warnings"]), (["ring at bell"], 0.4, []))

    def test_the_bell_is_heard_on_its_side(self):
        # It is on the right: the right ear has more of the direct sound, which comes after 50 ms and 2 m. Turned round, the left.
        direct = slice(2600, 2800)
        energy = [(np.asarray(channel[direct]) ** 2).sum() for channel in ossicle.render(hut())]
        self.assertGreater(energy[1], 1.5 * energy[0])
        scene = hut()
        scene._nodes[2]["rotation"] = [0, 1, 0, 0]
        turned = [(np.asarray(channel[direct]) ** 2).sum() for channel in ossicle.render(scene)]
        self.assertGreater(turned[0], 1.5 * turned[1])

    def test_a_track_moves_a_source(self):
        scene = hut()
        scene.move("bell", [(0, (2, 1.5, 0)), (0.4, (-2, 1.5, 0))])
        self.assertNotEqual(ossicle.render(scene).sha256, ossicle.render(hut()).sha256)

    def test_numpy_values_become_json(self):
        scene = ossicle.Scene()
        scene.material("felt", absorption=np.linspace(0.1, 0.9, 10))
        scene.mesh("floor", np.eye(3), np.array([[0, 1, 2]]), "felt", position=np.zeros(3))
        document = json.loads(scene.bytes(binary=False))
        self.assertEqual(len(document["materials"][0]["extensions"]["OSSICLE_audio"]["absorption"]), 10)

    def test_what_makes_no_scene_is_refused(self):
        scene = ossicle.Scene()
        for wrong in [
            lambda: scene.mesh("a", [[0, 0]], [[0, 1, 2]]),
            lambda: scene.mesh("a", np.eye(3), [[0, 1, 3]]),
            lambda: scene.node("a", parent="nobody"),
            lambda: scene.sound("a", np.zeros(10)),
            lambda: scene.box("a", (1, 1, 1), ["wood", "brick"]),
            lambda: scene.write("scene.obj"),
        ]:
            with self.assertRaises(ossicle.ArgumentError):
                wrong()
        with self.assertRaises(ossicle.ArgumentError):
            ossicle.render(scene)
