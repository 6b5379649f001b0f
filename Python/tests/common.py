"""Where the repository is, and the command that the package is held against."""

import json
import os
import subprocess
from pathlib import Path

HOUSE = Path(os.environ.get("OSSICLE_HOUSE", Path(__file__).resolve().parents[2]))
SCENE = HOUSE / "Examples/Scenes/two-rooms.gltf"
WALK = HOUSE / "Examples/Scenes/two-rooms.walk.json"
COMMAND = HOUSE / ".build/release/ossicle"

#: A room of one reflection, quick to compute.
QUICK = {"rays": 0, "order": 1, "length": 0.05}


def command(*arguments):
    """What `ossicle` prints."""
    done = subprocess.run([COMMAND, *map(str, arguments)], capture_output=True, text=True)
    if done.returncode != 0:
        raise AssertionError(f"ossicle {arguments[0]} failed: {done.stderr}")
    return done.stdout


def rendered(path, *options):
    """The hash of what `ossicle render` writes."""
    return json.loads(command("render", SCENE, "--timeline", WALK, "-o", path, "--json", *options))["sha256"]


def rows(count):
    return [
        {"id": f"r{number}", "box": [3, 2.5, 3], "material": "brick", "source": [1, 1.5, 1],
         "listener": [2, 1.5, 1.8 + number / 1000], "rate": 16_000, **QUICK}
        for number in range(count)
    ]
