"""Scene files rendered to sound."""

from __future__ import annotations

from ctypes import byref
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Callable, Optional, Union

from ._library import Handle, RenderOptions, Watcher, encoded, library
from ._sound import PathLike, Sound, sound_of
from .scene import Scene


def render(
    scene: Union[PathLike, Scene],
    timeline: Optional[PathLike] = None,
    *,
    layout: Optional[str] = None,
    listener: Optional[str] = None,
    seconds: Optional[float] = None,
    rate: int = 48_000,
    seed: Optional[int] = None,
    threads: Optional[int] = None,
    progress: Optional[Callable[[float], Any]] = None,
) -> Sound:
    """Renders a scene as `ossicle render` does: the same bytes.

    Args:
        scene: A ``.gltf`` or ``.glb`` with the extension OSSICLE_audio, or a `Scene`.
        timeline: What happens in it; of a `Scene` its own is taken.
        layout: ``binaural``, ``stereo``, ``quadraphonic``, ``5.1``, ``7.1``, ``7.1.4``; otherwise binaural, unless the
            scene says otherwise.
        listener: The node that listens, where the scene has several listeners.
        seconds: Up to 3600; otherwise as long as the timeline.
        rate: Hz, 8000 to 384000.
        seed: Of every random choice; otherwise the scene's.
        threads: 1 to 1024; otherwise ``OSSICLE_THREADS``, or all cores. The bytes do not depend on it.
        progress: Called with the share that is done, 0 to 1, on this thread. What it raises ends the work.

    Returns:
        float32, channels × frames.

    Raises:
        SceneError: the files cannot be used; its fields name the place in them.
        ArgumentError: an argument is out of its range.
    """
    if isinstance(scene, Scene):
        with TemporaryDirectory(prefix="ossicle-") as folder:
            path = Path(folder) / "scene.gltf"
            written = scene.write(path)
            return render(
                path, timeline or written, layout=layout, listener=listener, seconds=seconds, rate=rate, seed=seed,
                threads=threads, progress=progress)
    options = RenderOptions()
    library().ossicle_render_options_init(byref(options))
    watcher = Watcher(progress)
    options.layout, options.listener = encoded(layout), encoded(listener)
    options.seconds, options.rate = float(seconds or 0), float(rate)
    options.seed, options.has_seed = (0 if seed is None else seed) % 2**64, seed is not None
    options.threads, options.progress = threads or 0, watcher.function
    opened = Handle("scene", "ossicle_scene_open", encoded(scene), encoded(timeline))
    return sound_of(watcher.watched(lambda: Handle("sound", "ossicle_render", opened.value, byref(options))))


def scene_facts(scene: PathLike, timeline: Optional[PathLike] = None) -> dict:
    """What is in a scene file: ``listeners``, ``sources``, ``instances``, ``seed``, ``warnings``, and the ``seconds`` of its
    timeline. Raises what `render` raises for files that cannot be used."""
    return Handle("scene", "ossicle_scene_open", encoded(scene), encoded(timeline)).facts
