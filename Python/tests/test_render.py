import pickle
import tempfile
import threading
import time
import unittest
from pathlib import Path

import numpy as np

import ossicle
from tests.common import COMMAND, SCENE, WALK, rendered


class RenderTests(unittest.TestCase):
    def setUp(self):
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))

    @unittest.skipUnless(COMMAND.exists(), "no command beside the wheel")
    def test_the_demo_scene_has_the_bytes_of_the_command(self):
        walk = ossicle.render(SCENE, WALK)
        self.assertEqual((walk.dtype, walk.shape, walk.rate), (np.float32, (2, 384_000), 48_000))
        self.assertEqual(walk.sha256, rendered(self.folder / "walk.wav"))
        walk.write(self.folder / "ours.wav")
        self.assertEqual((self.folder / "ours.wav").read_bytes(), (self.folder / "walk.wav").read_bytes())

    @unittest.skipUnless(COMMAND.exists(), "no command beside the wheel")
    def test_layout_rate_seed_and_threads_are_those_of_the_command(self):
        ours = ossicle.render(SCENE, WALK, layout="5.1", rate=44_100, seed=9, seconds=0.5, threads=2)
        theirs = rendered(
            self.folder / "a.wav", "--layout", "5.1", "--rate", 44_100, "--seed", 9, "--seconds", 0.5, "--threads", 1)
        self.assertEqual(ours.shape[0], 6)
        self.assertEqual(ours.sha256, theirs)

    def test_other_threads_run_while_a_scene_renders(self):
        counted, ends = [0], threading.Event()

        def count():
            while not ends.is_set():
                counted[0] += 1
                time.sleep(0.001)

        thread = threading.Thread(target=count)
        thread.start()
        before = counted[0]
        ossicle.render(SCENE, seconds=1.0)
        during = counted[0] - before
        ends.set()
        thread.join()
        self.assertGreater(during, 3, "the interpreter was locked")

    def test_two_threads_render_the_same_at_once(self):
        found = [None, None]

        def render(place):
            found[place] = ossicle.render(SCENE, WALK, seconds=0.3).sha256

        threads = [threading.Thread(target=render, args=(place,)) for place in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(found[0], found[1])
        self.assertEqual(len(found[0]), 64)

    def test_progress_grows_and_what_it_raises_ends_the_work(self):
        shares = []
        ossicle.render(SCENE, seconds=0.1, progress=shares.append)
        self.assertEqual(shares, sorted(shares))
        self.assertEqual(shares[-1], 1)
        with self.assertRaises(KeyboardInterrupt):
            ossicle.render(SCENE, seconds=10, progress=self._interrupt)

    @staticmethod
    def _interrupt(share):
        raise KeyboardInterrupt

    def test_errors_have_their_fields(self):
        path = self.folder / "a.gltf"
        path.write_text(
            '{"asset": {"version": "2.0"}, "extensionsUsed": ["OSSICLE_audio"], "extensions": {"OSSICLE_audio":'
            ' {"version": 1, "groups": [{"name": "a", "gain": 1.5}]}}}')
        with self.assertRaises(ossicle.SceneError) as found:
            ossicle.render(path, seconds=1)
        error = pickle.loads(pickle.dumps(found.exception))
        self.assertEqual(error.path, "extensions.OSSICLE_audio.groups[0].gain")
        self.assertEqual((error.object, error.cure), ("a.gltf", "give one in that range"))
        for wrong in [{"seconds": float("nan")}, {"seconds": 1, "layout": "9.1"}, {"seconds": 1, "rate": 1}, {}]:
            with self.assertRaises(ossicle.ArgumentError, msg=str(wrong)):
                ossicle.render(SCENE, **wrong)

    def test_a_sound_is_an_array_with_a_rate(self):
        sound = ossicle.Sound(np.ones((2, 10)), 8000)
        self.assertEqual((sound[:, :4].rate, sound.seconds, (sound * 2).rate), (8000, 10 / 8000, 8000))
        again = pickle.loads(pickle.dumps(sound))
        self.assertTrue((again == sound).all() and again.rate == 8000)
        sound.write(self.folder / "a.wav")
        with self.assertRaises(ossicle.FileError):
            sound.write(self.folder / "a.wav")
        with self.assertRaises(OSError):
            sound.write(self.folder / "nowhere" / "a.wav")
