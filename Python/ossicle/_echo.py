"""What an echo canceller did, measured."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Dict, List, Optional

import numpy as np

from ._errors import refused
from ._library import Handle
from ._sound import Sound


@dataclass
class EchoAnalysis:
    """What an echo canceller made of a recording. A figure is None where the recording has nothing to measure it in.

    Attributes:
        enhancement: Echo return loss enhancement from 2 s on while the far talker is alone: microphone over output, dB.
        convergence: Seconds until every quarter of a second has an enhancement of 20 dB or more; None where it never has.
        near_change: By how much the near talker's level is changed while alone, dB.
        delay: How much later the near talker comes out, seconds.
        words_kept: Share of the near talker's energy that is kept while both speak, 0 to 1.
        course: ``time`` in seconds and ``enhancement`` in dB of each quarter of a second with echo alone.
        parts: Seconds of ``farAlone``, ``both`` and ``nearAlone``, found from the far signal and the near talker.
        seconds: Of the recording.
        rate: Hz.
    """

    enhancement: Optional[float]
    convergence: Optional[float]
    near_change: Optional[float]
    delay: Optional[float]
    words_kept: Optional[float]
    seconds: float
    rate: int
    course: List[Dict[str, float]] = field(default_factory=list)
    parts: Dict[str, float] = field(default_factory=dict)


def analyze_echo(output: Any, far: Any, microphone: Any, near: Any, *, rate: Optional[int] = None) -> EchoAnalysis:
    """Measures any canceller's output against the recording it was given, as `ossicle analyze --echo` does.

    A talker speaks from a sound within 40 dB of the loudest until half a second without one; the echo of the far talker
    is heard for 0.8 s more. What is shorter than the microphone's signal counts as silent at its end.

    Args:
        output: Of the canceller. This and the others: a `Sound` of one channel, or an array of frames or 1 × frames, full
            scale ±1.
        far: What was sent to the loudspeaker.
        microphone: What was recorded: near talker, echo and noise.
        near: The near talker alone, as the microphone heard him.
        rate: Hz, 8000 to 192000; otherwise that of `microphone`, a `Sound`.

    Raises:
        ArgumentError: rates that differ, more than one channel, or no rate.
    """
    known = rate if rate is not None else getattr(microphone, "rate", 0)
    if not known:
        raise refused("rate", "is not known", "arrays have none of their own", "give rate=, or a Sound as microphone")
    handles = [_sound(each, known)._handle() for each in (output, far, microphone, near)]
    facts = Handle("report", "ossicle_analyze_echo", *(each.value for each in handles)).facts
    return EchoAnalysis(
        enhancement=facts.get("enhancement"), convergence=facts.get("convergence"), near_change=facts.get("nearChange"),
        delay=facts.get("delay"), words_kept=facts.get("wordsKept"), seconds=facts["seconds"],
        rate=int(facts["sampleRate"]), course=facts["course"], parts=facts["parts"])


def _sound(signal: Any, rate: int) -> Sound:
    """With its own rate where it has one, so that the library sees which one differs. A part of a `Sound` has none."""
    return Sound(np.asarray(signal), getattr(signal, "rate", 0) or rate)
