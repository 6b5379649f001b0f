import tempfile
import unittest
from pathlib import Path

import numpy as np

import ossicle
from tests.common import COMMAND, HOUSE, QUICK, command


class ResponseTests(unittest.TestCase):
    @unittest.skipUnless(COMMAND.exists(), "no command beside the wheel")
    def test_responses_have_the_bytes_of_the_command(self):
        cases = [
            ({"receiver": "mono"}, []),
            ({"receiver": "binaural", "yaw": 30}, ["--receiver", "binaural", "--yaw", 30]),
            ({"receiver": "ambisonic:2", "order": 1}, ["--receiver", "ambisonic:2", "--order", 1]),
            ({"receiver": "ambisonic:5:n3d", "order": 4}, ["--receiver", "ambisonic:5:n3d", "--order", 4]),
            (
                {"directivity": "cardioid:2", "aim": (4, 1.5, 3), "pattern": "cardioid"},
                ["--source-directivity", "cardioid:2", "--aim", "4,1.5,3", "--pattern", "cardioid"],
            ),
            ({"waves": {"crossover": 150}, "length": 0.2}, ["--waves", "--crossover", 150, "--length", 0.2]),
        ]
        with tempfile.TemporaryDirectory() as folder:
            for number, (ours, theirs) in enumerate(cases):
                path = Path(folder) / f"{number}.wav"
                command(
                    "rir", "--box", "6x3x5", "--material", "brick", "--source", "1,1.5,1", "--listener", "4,1.5,3",
                    "--quality", "low", "-o", path, *theirs)
                sound = ossicle.rir((6, 3, 5), (1, 1.5, 1), (4, 1.5, 3), material="brick", quality="low", **ours)
                again = Path(folder) / f"{number}-ours.wav"
                sound.write(again)
                self.assertEqual(again.read_bytes(), path.read_bytes(), str(ours))

    def test_the_direct_sound_comes_after_its_way(self):
        response = ossicle.rir((6, 3, 5), (1, 1.5, 2), (4, 1.5, 2), material="brick", rays=0, order=0, length=0.05)
        # 343.2 m/s at 20 °C.
        self.assertLessEqual(abs(int(np.abs(response[0]).argmax()) - 3 / 343.2 * 48_000), 2)
        self.assertEqual(len(response.facts["bands"]), 10)
        self.assertEqual(response.facts["visibleShare"], 1)

    def test_a_mesh_and_a_box_and_a_file_are_rooms(self):
        box = ossicle.Room.box((3, 2.5, 3), "brick")
        self.assertEqual(box.facts["triangles"], 12)
        mesh = ossicle.Room.mesh([[0, 0, 0], [3, 0, 0], [0, 3, 0]], [[0, 1, 2]], ["brick", "wood"], [1])
        self.assertEqual(mesh.facts["triangles"], 1)
        file = ossicle.Room.open(HOUSE / "Examples/Scenes/two-rooms.obj")
        np.testing.assert_allclose(file.facts["upper"], [10, 3, 6], atol=1e-6)
        scene = ossicle.Room.open(HOUSE / "Examples/Scenes/two-rooms.gltf")
        self.assertGreater(scene.facts["triangles"], 100)
        same = [ossicle.rir(room, (1, 1.2, 1), (2, 1.2, 2), **QUICK).sha256 for room in (box, box)]
        self.assertEqual(same[0], same[1])

    def test_a_material_of_ones_own_takes_what_it_says(self):
        # One wall's echo: √(1 − α) of a hard one's.
        sounds = [
            ossicle.rir((6, 3, 5), (1, 1.5, 2), (4, 1.5, 2), material=f"felt={share}/60/0", rays=0, order=1, length=0.05)
            for share in (0, 0.75)]
        direct = ossicle.rir((6, 3, 5), (1, 1.5, 2), (4, 1.5, 2), material="felt=1", rays=0, order=1, length=0.05)
        np.testing.assert_allclose(sounds[1] - direct, (sounds[0] - direct) * 0.5, atol=1e-5)

    def test_an_array_has_a_channel_for_each_microphone(self):
        places = [[-0.1, 0, 0], [0.1, 0, 0], [0, 0, 0.1]]
        sound = ossicle.rir((3, 2.5, 3), (1, 1.5, 1), (2, 1.5, 2), receiver="array", microphones=places, **QUICK)
        self.assertEqual(sound.shape, (3, 2400))
        self.assertFalse((sound[0] == sound[1]).all())

    def test_metrics_paths_and_a_dry_sound_through_a_response(self):
        here, there = (1, 1.5, 1), (2, 1.5, 2)
        sound = ossicle.rir((3, 2.5, 3), here, there, receiver="binaural", metrics="all", paths=True, **{**QUICK, "order": 4})
        self.assertTrue(all(0 <= band["iacc"] <= 1 for band in sound.facts["response"]["bands"] if "iacc" in band))
        direct = sound.facts["paths"][0]
        self.assertEqual((direct["kind"], direct["order"]), ("direct", 0))
        self.assertAlmostEqual(direct["length"], 2 ** 0.5, places=6)
        self.assertEqual(max(path["order"] for path in sound.facts["paths"]), 4)
        impulse = np.zeros(100, dtype=np.float32)
        impulse[3] = 0.5
        played = sound.play(impulse)
        self.assertEqual(played.shape, (2, sound.shape[1] + 99))
        gain = 0.5 * 10 ** (played.facts["gain"] / 20)
        np.testing.assert_allclose(np.asarray(played)[:, 3:3 + sound.shape[1]], np.asarray(sound) * gain, atol=1e-5)
        self.assertAlmostEqual(float(np.abs(played).max()), 10 ** (-1 / 20), places=5)
        with self.assertRaises(ossicle.ArgumentError):
            sound.play(ossicle.Sound(impulse, sound.rate + 1))

    def test_a_file_takes_materials_of_its_users(self):
        house = HOUSE / "Examples" / "Scenes" / "two-rooms.obj"
        if not house.exists():
            self.skipTest("no scene")
        dead = {name: {"absorption": 0.99} for name in ossicle.materials()}
        plain = ossicle.rir(ossicle.Room.open(house), (2, 1.5, 2), (3, 1.5, 3), **QUICK)
        still = ossicle.rir(ossicle.Room.open(house, materials=dead), (2, 1.5, 2), (3, 1.5, 3), **QUICK)
        self.assertLess(float(np.square(still).sum()), float(np.square(plain).sum()))
        with self.assertRaises(ossicle.SceneError) as caught:
            ossicle.Room.open(house, materials={"felt": {"absorption": 2}})
        self.assertIn("felt.absorption", str(caught.exception))

    def test_what_cannot_be_meant_is_refused(self):
        here, there = (1, 1.5, 1), (2, 1.5, 2)
        with self.assertRaises(ossicle.PositionError):
            ossicle.rir((3, 2.5, 3), here, (9, 1, 1))
        with self.assertRaises(ossicle.SceneError):
            ossicle.rir((3, 2.5, 3), here, there, material="cheese")
        wrong = [{"rate": 1}, {"receiver": "ears"}, {"quality": "best"}, {"pitch": 91}, {"order": 1001}, {"receiver": "array"}]
        wrong += [{"pattern": "heart"}, {"directivity": "funnel"}, {"aim": (1, 1, 1)}, {"head": "none.sofa"}, {"metrics": "some"}]
        wrong += [{"waves": {"crossover": 3}}, {"speech": {"level": float("nan")}}]
        for each in wrong:
            with self.assertRaises(ossicle.ArgumentError, msg=str(each)):
                ossicle.rir((3, 2.5, 3), here, there, **each)
        for room in [(3, 2.5), (3, 2.5, "x")]:
            with self.assertRaises(ossicle.ArgumentError):
                ossicle.rir(room, here, there)
        with self.assertRaises(ossicle.ArgumentError):
            ossicle.Room.mesh([[0, 0, 0]] * 3, [[0, 1, -1]])
        with self.assertRaises(ossicle.ArgumentError):
            ossicle.rir(ossicle.Room.box((3, 2, 3)), here, there, material="brick")
        self.assertIn("brick", ossicle.materials())
