import json
import tempfile
import unittest
from pathlib import Path

import numpy as np

import ossicle
from tests.common import COMMAND, command

RATE = 16_000


def call():
    """Far talker, microphone, near talker: noise in bursts, the echo a tenth of a second late and half as loud."""
    random = np.random.default_rng(1)
    bursts = (np.arange(6 * RATE) % 8_000 < 6_000) * 0.1
    far, near = (random.standard_normal(6 * RATE).astype(np.float32) * bursts for _ in range(2))
    far[4 * RATE:], near[:3 * RATE] = 0, 0
    echo = 0.5 * np.concatenate([np.zeros(1_600), far[:-1_600]])
    return far, (near + echo).astype(np.float32), near


class EchoTests(unittest.TestCase):
    def test_what_a_perfect_canceller_and_none_did(self):
        far, microphone, near = call()
        perfect = ossicle.analyze_echo(near, far, microphone, near, rate=RATE)
        self.assertGreater(perfect.enhancement, 60)
        self.assertAlmostEqual(perfect.near_change, 0, delta=0.01)
        self.assertEqual((perfect.delay, perfect.rate, perfect.seconds), (0, RATE, 6))
        self.assertGreater(perfect.words_kept, 0.999)
        none = ossicle.analyze_echo(ossicle.Sound(microphone, RATE), far, ossicle.Sound(microphone, RATE), near)
        self.assertAlmostEqual(none.enhancement, 0, delta=0.01)
        self.assertIsNone(none.convergence)

    @unittest.skipUnless(COMMAND.exists(), "no command beside the wheel")
    def test_the_figures_are_those_of_the_command(self):
        far, microphone, near = call()
        output = (near + 0.01 * microphone).astype(np.float32)
        found = ossicle.analyze_echo(output, far, microphone, near, rate=RATE)
        with tempfile.TemporaryDirectory() as folder:
            names = {}
            for name, samples in zip(("out", "far", "mic", "near"), (output, far, microphone, near)):
                names[name] = Path(folder) / f"{name}.wav"
                ossicle.Sound(samples, RATE).write(names[name])
            theirs = json.loads(command(
                "analyze", names["out"], "--echo", "--far", names["far"], "--mic", names["mic"], "--near", names["near"],
                "--json"))
        self.assertEqual(found.enhancement, theirs["enhancement"])
        self.assertEqual(found.words_kept, theirs["wordsKept"])
        self.assertEqual(found.course, theirs["course"])

    def test_what_cannot_be_meant_is_refused(self):
        far, microphone, near = call()
        wrong = [
            ({}, near), ({"rate": 4_000}, near), ({"rate": RATE}, ossicle.Sound(near, 8_000)),
            ({"rate": RATE}, np.stack([near, near]))]
        for options, output in wrong:
            with self.assertRaises(ossicle.ArgumentError):
                ossicle.analyze_echo(output, far, microphone, near, **options)
