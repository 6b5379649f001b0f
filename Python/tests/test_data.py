import gzip
import json
import pickle
import tempfile
import unittest
from pathlib import Path

import numpy as np

import ossicle
import ossicle.data
from tests.common import HOUSE, rows

try:
    import torch

    import ossicle.torch
except ImportError:
    torch = None
try:
    import lhotse
except ImportError:
    lhotse = None
try:
    import soundfile
except ImportError:
    soundfile = None

#: A second of a voice in a small room, with what adds up to it.
MIX = {
    "id": "mix", "count": 5, "rate": 16_000, "box": [3, 2.5, 3], "material": "brick", "rays": 0, "order": 1, "length": 0.05,
    "listener": [2, 1.5, 1.8], "receiver": {"linear": {"count": 2, "spacing": 0.1}},
    "sources": [
        {"wall": 0.3, "dry": str(HOUSE / "Examples/Scenes/voice.flac")},
        {"wall": 0.3, "dry": str(HOUSE / "Examples/Scenes/music.flac"), "role": "echo", "ratio": 0},
    ],
    "seconds": 0.5, "level": -3, "stems": True, "responses": True,
}


class DataTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        ossicle.batch([MIX], cls.folder / "set", seed=3)
        for shard in range(2):
            ossicle.batch([MIX], cls.folder / "shards", seed=3, shard=f"{shard}/2")
            ossicle.batch([MIX], cls.folder / "tars", seed=3, shard=f"{shard}/2", tar=True)

    def test_files_shards_and_archives_are_one_set(self):
        sets = [ossicle.data.DataSet(self.folder / name) for name in ("set", "shards", "tars")]
        self.assertEqual([len(each) for each in sets], [5, 5, 5])
        for number in range(5):
            whole = sets[0][number]
            self.assertEqual(whole.id, f"mix-{number:06}")
            for other in sets[1:]:
                self.assertEqual(other[number].record, whole.record)
                for name in ("mix", "near", "echo"):
                    np.testing.assert_array_equal(other[number].sounds[name], whole.sounds[name])

    def test_a_row_has_its_sounds(self):
        row = ossicle.data.DataSet(self.folder / "set")[-1]
        self.assertEqual((row.rate, row.sounds["mix"].shape, row.sounds["mix"].rate), (16_000, (2, 8000), 16_000))
        np.testing.assert_array_equal(row.sounds["near"] + row.sounds["echo"], row.sounds["mix"])
        self.assertEqual([each.shape for each in row.sounds["response"]], [(2, 800), (2, 800)])
        self.assertGreater(np.abs(row.sounds["response"][0]).max(), 0.01)

    def test_what_is_read_can_be_chosen_and_pickled(self):
        chosen = pickle.loads(pickle.dumps(ossicle.data.DataSet(self.folder / "tars", sounds=["near"])))
        self.assertEqual([set(row.sounds) for row in chosen[1:3]], [{"near"}, {"near"}])
        with self.assertRaises(ossicle.ArgumentError):
            ossicle.data.DataSet(self.folder / "set", sounds=["far field"])

    def test_what_is_not_there_is_said(self):
        empty = self.folder / "empty"
        empty.mkdir(exist_ok=True)
        for place in (empty, self.folder / "nowhere"):
            with self.assertRaises(ossicle.BatchError):
                ossicle.data.DataSet(place)
        broken = self.folder / "broken.tar"
        broken.write_bytes(b"\1" * 2000)
        with self.assertRaises(ossicle.BatchError):
            ossicle.data.DataSet(broken)
        ossicle.batch(rows(1), self.folder / "gone")
        data = ossicle.data.DataSet(self.folder / "gone")
        (self.folder / "gone/r0.wav").unlink()
        with self.assertRaisesRegex(ossicle.BatchError, "r0.wav"):
            data[0]

    @unittest.skipIf(soundfile is None, "no soundfile here")
    def test_flac_is_read_as_the_samples_it_holds(self):
        ossicle.batch([MIX], self.folder / "flac", seed=3, format="flac")
        for one, other in zip(ossicle.data.DataSet(self.folder / "flac"), ossicle.data.DataSet(self.folder / "set")):
            np.testing.assert_array_equal(one.sounds["mix"], other.sounds["mix"])

    def test_cuts_name_every_sound(self):
        count = ossicle.data.write_cuts(self.folder / "set", self.folder / "cuts.jsonl.gz")
        cuts = [json.loads(line) for line in gzip.open(self.folder / "cuts.jsonl.gz", "rt")]
        self.assertEqual((count, len(cuts)), (5, 5))
        self.assertEqual(set(cuts[0]["custom"]), {"near", "echo", "response", "response2", "ossicle"})
        self.assertEqual((cuts[0]["duration"], cuts[0]["channel"]), (0.5, [0, 1]))
        with self.assertRaises(ossicle.ArgumentError):
            ossicle.data.write_cuts(self.folder / "set", self.folder / "cuts.csv")
        with self.assertRaises(ossicle.BatchError):
            ossicle.data.write_cuts(self.folder / "tars", self.folder / "cuts.jsonl")

    @unittest.skipIf(lhotse is None, "no Lhotse here")
    def test_lhotse_reads_the_samples_of_the_cuts(self):
        ossicle.data.write_cuts(self.folder / "set", self.folder / "cuts.jsonl")
        cut = lhotse.CutSet.from_file(self.folder / "cuts.jsonl").to_eager()[2]
        row = ossicle.data.DataSet(self.folder / "set")[2]
        self.assertEqual(cut.id, row.id)
        np.testing.assert_array_equal(cut.load_audio(), row.sounds["mix"])
        np.testing.assert_array_equal(cut.near.load_audio(), row.sounds["near"])
        self.assertEqual(cut.custom["ossicle"]["sources"], row.record["sources"])

    @unittest.skipIf(torch is None, "no PyTorch here")
    def test_a_loader_of_torch_makes_batches(self):
        data = ossicle.torch.DataSet(self.folder / "tars", sounds=["mix", "response"])
        loader = torch.utils.data.DataLoader(data, batch_size=2, num_workers=1, collate_fn=ossicle.torch.collate)
        batches = list(loader)
        self.assertEqual([len(batch["id"]) for batch in batches], [2, 2, 1])
        self.assertEqual(tuple(batches[0]["mix"].shape), (2, 2, 8000))
        self.assertEqual(batches[0]["frames"]["response"].tolist(), [800, 800])
        np.testing.assert_array_equal(
            batches[1]["mix"][0].numpy(), ossicle.data.DataSet(self.folder / "set")[2].sounds["mix"])
