"""One measurement for the responses of all programs: octave bands, Schroeder's curve, ISO 3382-1."""
import numpy as np
from scipy import signal

BANDS = (500, 1000, 2000, 4000)


def octave(response, rate, centre):
    """Behind a Butterworth filter of sixth order forwards and backwards."""
    edges = [centre / np.sqrt(2) / (rate / 2), min(centre * np.sqrt(2) / (rate / 2), 0.99)]
    pad = int(8 / centre * rate)
    return signal.sosfiltfilt(signal.butter(3, edges, "band", output="sos"), np.pad(response, pad), padlen=0)[pad:-pad]


def energies(response, rate, centre):
    """In bins of 1 ms from the first sound within 20 dB of the peak on; what the filter spreads before it counts with it."""
    start = int(np.argmax(np.abs(response) >= 0.1 * np.max(np.abs(response))))
    power = octave(np.asarray(response, dtype=float), rate, centre) ** 2
    places = np.maximum((np.arange(len(power)) - start) * 1000 // rate, 0)
    return np.bincount(places, power)


def decay_time(bins, high, low):
    """Seconds by 60 dB, of the line through the backward integral between two levels; what is behind the end taken for exponential."""
    bins = np.trim_zeros(np.asarray(bins), "b")
    third = len(bins) // 3
    last, before = bins[-third:].sum(), bins[-2 * third:-third].sum()
    ratio = min(last / before, 0.9) if before > 0 else 0
    curve = np.cumsum(bins[::-1])[::-1] + last * ratio / (1 - ratio)
    level = 10 * np.log10(curve / curve[0])
    span = (level <= high) & (level >= low)
    if span.sum() < 3:
        return float("nan")
    return -60 / np.polyfit(np.arange(len(bins))[span] / 1000, level[span], 1)[0]


def metrics(bins):
    total, early, speech = bins.sum(), bins[:80].sum(), bins[:50].sum()
    return dict(
        edt=decay_time(bins, -0.1, -10), t20=decay_time(bins, -5, -25), t30=decay_time(bins, -5, -35),
        c80=10 * np.log10(early / max(total - early, 1e-30)), d50=speech / total, g=10 * np.log10(total) + 20)


def of_responses(responses, rate, gain=1.0):
    """Means over bands and responses; levels re the direct sound at 1 m, which has the amplitude 1/gain."""
    pulse = np.zeros(rate)
    pulse[rate // 2] = 1
    found = []
    for response in responses:
        for centre in BANDS:
            reference = np.sum(octave(pulse, rate, centre) ** 2)
            found.append(metrics(energies(response, rate, centre) * gain**2 / reference))
    return {name: float(np.nanmean([each[name] for each in found])) for name in found[0]}


def of_bands(responses, rate):
    """The same of a response for each band."""
    pulse = np.zeros(rate)
    pulse[rate // 2] = 1
    found = [
        metrics(energies(response, rate, centre) / np.sum(octave(pulse, rate, centre) ** 2))
        for centre, response in responses.items()]
    return {name: float(np.nanmean([each[name] for each in found])) for name in found[0]}


def band_levels(response, rate, centres):
    """dB of each octave re a pulse of amplitude 1."""
    pulse = np.zeros(rate)
    pulse[rate // 2] = 1
    return [
        10 * np.log10(np.sum(octave(response, rate, centre) ** 2) / np.sum(octave(pulse, rate, centre) ** 2))
        for centre in centres]
