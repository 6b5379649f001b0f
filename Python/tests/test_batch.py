import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

import ossicle
from tests.common import COMMAND, command, rows

#: Computes a shard of the manifest in the current folder, slowly enough to be killed.
WORK = "import ossicle; ossicle.batch('rows.jsonl', 'killed', seed=7, jobs=1)"


class BatchTests(unittest.TestCase):
    def setUp(self):
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.before = Path.cwd()
        os.chdir(self.folder)

    def tearDown(self):
        os.chdir(self.before)

    def manifest(self, count):
        Path("rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows(count)))
        return "rows.jsonl"

    def test_shards_dictionaries_and_parquet_are_one_set(self):
        one = ossicle.batch(self.manifest(20), "one", seed=7)
        self.assertEqual((one.made, one.kept, one.failed, one.rows), (20, 0, 0, 20))
        for shard in range(3):
            ossicle.batch("rows.jsonl", "three", seed=7, shard=f"{shard}/3")
        ossicle.batch(rows(20), "dictionaries", seed=7)
        folders = ["one", "three", "dictionaries"]
        try:
            import pyarrow
            import pyarrow.parquet
        except ImportError:
            pass
        else:
            pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows(20)), "rows.parquet")
            ossicle.batch("rows.parquet", "parquet", seed=7)
            folders.append("parquet")
        found = [ossicle.verify(folder) for folder in folders]
        self.assertEqual([each["findings"] for each in found], [[]] * len(folders))
        self.assertEqual({each["sha256"] for each in found}, {one.sha256})
        if COMMAND.exists():
            command("batch", "rows.jsonl", "--out", "command", "--seed", 7)
            self.assertEqual(ossicle.verify("command")["sha256"], one.sha256)

    def test_what_is_done_is_not_done_again(self):
        ossicle.batch(rows(5), "out")
        again = ossicle.batch(rows(5), "out")
        self.assertEqual((again.made, again.kept), (0, 5))
        results = list(again.results())
        self.assertEqual([result["id"] for result in results], [f"r{number}" for number in range(5)])
        self.assertEqual(results[0]["files"][0]["sampleRate"], 16_000)

    def test_a_killed_process_goes_on_to_the_same_set(self):
        self.manifest(300)
        process = subprocess.Popen([sys.executable, "-c", WORK])
        until = time.monotonic() + 60
        while process.poll() is None and len(list(Path("killed").glob("*.wav"))) < 10 and time.monotonic() < until:
            time.sleep(0.01)
        process.send_signal(signal.SIGKILL)
        process.wait()
        done = ossicle.batch("rows.jsonl", "killed", seed=7, jobs=1)
        self.assertGreaterEqual(done.kept, 9)
        self.assertEqual(done.made + done.kept, 300)
        ossicle.batch("rows.jsonl", "whole", seed=7)
        self.assertEqual(ossicle.verify("killed")["sha256"], ossicle.verify("whole")["sha256"])

    def test_rows_that_fail_are_named_and_left_out(self):
        some = rows(3) + [{"id": "bad", "box": [3]}]
        result = ossicle.batch(some, "out")
        self.assertEqual((result.made, result.failed), (3, 1))
        self.assertIn("bad", result.messages[0])
        with self.assertRaises(ossicle.BatchError):
            ossicle.batch(some, "out", strict=True)

    def test_errors(self):
        with self.assertRaises(ossicle.BatchError):
            ossicle.batch("nowhere.jsonl", "out")
        with self.assertRaises(ossicle.BatchError):
            ossicle.verify("nowhere")
        for wrong in [{"shard": "3/2"}, {"format": "mp3"}, {"jobs": -1}]:
            with self.assertRaises(ossicle.ArgumentError, msg=str(wrong)):
                ossicle.batch(rows(1), "out", **wrong)
        with self.assertRaises(ossicle.ArgumentError):
            ossicle.batch([{"id": object()}], "out")
