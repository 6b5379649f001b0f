import OssicleCore
import OssicleDSP

/// The first half of every path: a reader of the common delay line, behind it the octave bands of the propagation, and
/// a fade for when the path comes or goes.
struct PathTap: ~Copyable {
    private var tap = DelayTap(FractionalDelayLine.minimumDelay)
    private var equalizer = BandEqualizer()
    private var version: UInt32 = 0
    private var fade = Ramp<FadeWeight>.silent

    /// Nothing comes out of it.
    var isSilent: Bool { fade.isIdle && fade.target.value == 0 }
    /// Frames from which on nothing will come out of it, if it goes at all.
    var framesToSilence: Int? { fade.target.value == 0 ? fade.framesLeft : nil }

    /// Another path, which fades in over `frames` frames.
    /// - Parameter own: frames by which the kernels behind delay, taken off the path as far as it is long enough.
    mutating func begin(_ propagation: PathsRenderer.Propagation, own: Double, frames: Int) {
        tap = DelayTap(Self.delay(propagation, own))
        equalizer.reset()
        equalizer.setTarget(propagation.equalizer, frames: 0)
        version = propagation.equalizerVersion
        fade.fade(to: 0, frames: 0)
        fade.fade(to: 1, frames: frames)
    }

    /// The same path, longer or shorter and of another colour.
    mutating func move(_ propagation: PathsRenderer.Propagation, own: Double, frames: Int) {
        tap.setTarget(Self.delay(propagation, own), frames: frames)
        guard propagation.equalizerVersion != version else { return }
        equalizer.setTarget(propagation.equalizer, frames: frames)
        version = propagation.equalizerVersion
    }

    /// Towards silence or back.
    mutating func fade(to weight: Float, frames: Int) {
        if weight != fade.target.value { fade.fade(to: weight, frames: frames) }
    }

    mutating func silence() { fade.fade(to: 0, frames: 0) }

    mutating func read(_ line: borrowing FractionalDelayLine, to sound: UnsafeMutablePointer<Float>, _ frames: Int) {
        line.read(&tap, to: sound, frames)
        equalizer.process(from: sound, to: sound, frames)
        fade.process(sound, frames)
    }

    private static func delay(_ propagation: PathsRenderer.Propagation, _ own: Double) -> Double {
        FractionalDelayLine.minimumDelay
            + max((propagation.delay.isFinite ? propagation.delay : 0) - own - FractionalDelayLine.minimumDelay, 0)
    }
}

/// A weight between 0 and 1 that moves along 3t² − 2t³: without a kink at either end, so that a tone that fades in or
/// out has little energy beside its frequency, and so that the weights of a cross-fade add up to 1.
struct FadeWeight: RampValue, Equatable {
    let value: Float

    static func between(_ start: Self, _ target: Self, frame: Int, of frames: Int) -> Self {
        let t = Float(frame) * (1 / Float(frames))
        return FadeWeight(value: start.value + (target.value - start.value) * (t * t * (3 - 2 * t)))
    }
}

extension Ramp<FadeWeight> {
    static var silent: Self { Ramp(FadeWeight(value: 0)) }

    /// 0 frames: at once.
    mutating func fade(to weight: Float, frames: Int) {
        let target = FadeWeight(value: weight)
        setTarget(target, frames: value == target ? 0 : frames)
    }

    /// sound · weight, in place.
    mutating func process(_ sound: UnsafeMutablePointer<Float>, _ n: Int) {
        let moving = self
        let count = advance(n)
        for i in 0..<count { sound[i] *= moving[i].value }
        if target.value == 0 { (sound + count).update(repeating: 0, count: n - count) }
    }
}
