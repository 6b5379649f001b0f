import os
import signal
import tempfile
import threading
import time
import unittest
from pathlib import Path

import numpy as np

import ossicle
from tests.common import rows

try:
    import ray

    import ossicle.ray
except ImportError:
    ray = None


@unittest.skipIf(ray is None, "no Ray here")
class RayTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls._start()
        ray.data.DataContext.get_current().enable_progress_bars = False

    @staticmethod
    def _start():
        """Starts Ray, which gives its own processes 30 s and no more: on a crowded machine they are asked again."""
        for attempt in range(5):
            try:
                ray.init(num_cpus=2, include_dashboard=False, logging_level="ERROR", log_to_driver=False)
                return
            except Exception as error:
                ray.shutdown()
                if attempt == 4 or "timed out during startup" not in str(error):
                    raise

    @classmethod
    def tearDownClass(cls):
        ray.shutdown()

    def setUp(self):
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))

    def test_two_workers_make_the_set_of_one_process(self):
        found = ossicle.ray.batch(rows(60), self.folder / "ray", shards=6, seed=7, concurrency=2)
        self.assertEqual((found.rows, found.made, found.failed), (60, 60, 0))
        self.assertEqual(ossicle.batch(rows(60), self.folder / "one", seed=7).sha256, found.sha256)
        again = ossicle.ray.batch(rows(60), self.folder / "ray", shards=6, seed=7, concurrency=2)
        self.assertEqual((again.made, again.kept, again.sha256), (0, 60, found.sha256))

    def test_a_killed_worker_does_not_change_the_set(self):
        killed, is_over = [], threading.Event()

        # A crowded machine takes minutes to start the workers.
        def kill():
            while not killed and not is_over.is_set():
                if len(list((self.folder / "ray").glob("*.wav"))) >= 5:
                    for worker in self._workers():
                        os.kill(worker, signal.SIGKILL)
                        killed.append(worker)
                        return
                time.sleep(0.005)

        thread = threading.Thread(target=kill)
        thread.start()
        try:
            found = ossicle.ray.batch(rows(400), self.folder / "ray", shards=8, seed=7, concurrency=2)
        finally:
            is_over.set()
            thread.join()
        self.assertEqual(len(killed), 1, "no worker was killed")
        self.assertEqual(found.rows, 400)
        self.assertEqual(ossicle.batch(rows(400), self.folder / "one", seed=7).sha256, found.sha256)

    @staticmethod
    def _workers():
        """Processes of this Ray that run a task of map_batches."""
        found = []
        for process in Path("/proc").glob("[0-9]*"):
            try:
                title = (process / "cmdline").read_bytes()
            except OSError:
                continue
            if title.startswith(b"ray::") and b"_Shard" in title:
                found.append(int(process.name))
        return found

    def test_rows_become_sounds(self):
        data = ray.data.from_items(rows(5))
        found = sorted(ossicle.ray.sounds(data).take_all(), key=lambda row: row["id"])
        self.assertEqual([row["id"] for row in found], [f"r{number}" for number in range(5)])
        self.assertEqual((found[0]["rate"], found[0]["channels"], found[0]["frames"]), (16_000, 1, 800))
        self.assertEqual(np.asarray(found[0]["samples"]).shape, (800,))
        self.assertGreater(np.abs(found[0]["samples"]).max(), 0.01)
