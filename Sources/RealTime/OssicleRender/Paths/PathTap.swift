import OssicleCore
import OssicleDSP

/// The first half of every path: a reader of the common delay line, behind it the octave bands of the way, and a fade
/// for when the path comes or goes.
struct PathTap: ~Copyable {
    private var tap = DelayTap(FractionalDelayLine.minimumDelay)
    private var equalizer = BandEqualizer()
    private var version: UInt32 = 0
    private var fade = SmoothFade()

    /// Nothing comes out of it.
    var isSilent: Bool { fade.isIdle && fade.target == 0 }
    /// Frames from which on nothing will come out of it, if it goes at all.
    var framesToSilence: Int? { fade.target == 0 ? fade.framesLeft : nil }

    /// Another path, which fades in over `frames` frames.
    /// - Parameter own: frames that what follows delays by itself, taken off the way as far as that is long enough.
    mutating func begin(_ way: PathsRenderer.Way, own: Double, frames: Int) {
        tap = DelayTap(Self.delay(way, own))
        equalizer.reset()
        equalizer.setTarget(way.equalizer, frames: 0)
        version = way.equalizerVersion
        fade.setTarget(0, frames: 0)
        fade.setTarget(1, frames: frames)
    }

    /// The same path, longer or shorter and of another colour.
    mutating func move(_ way: PathsRenderer.Way, own: Double, frames: Int) {
        tap.setTarget(Self.delay(way, own), frames: frames)
        guard way.equalizerVersion != version else { return }
        equalizer.setTarget(way.equalizer, frames: frames)
        version = way.equalizerVersion
    }

    /// Towards silence or back.
    mutating func fade(to weight: Float, frames: Int) {
        if weight != fade.target { fade.setTarget(weight, frames: frames) }
    }

    mutating func silence() { fade.setTarget(0, frames: 0) }

    mutating func read(_ line: borrowing FractionalDelayLine, to sound: UnsafeMutablePointer<Float>, _ frames: Int) {
        line.read(&tap, to: sound, frames)
        equalizer.process(from: sound, to: sound, frames)
        fade.process(sound, frames)
    }

    private static func delay(_ way: PathsRenderer.Way, _ own: Double) -> Double {
        FractionalDelayLine.minimumDelay
            + max((way.delay.isFinite ? way.delay : 0) - own - FractionalDelayLine.minimumDelay, 0)
    }
}

/// A weight between 0 and 1 on its way along 3t² − 2t³: without a bend at either end, so that a tone that comes or goes
/// has little beside itself, and so that what fades in and what fades out add up to 1.
struct SmoothFade: BitwiseCopyable {
    private var start: Float = 0
    private(set) var target: Float = 0
    private var frames = 0
    private var index = 0

    var isIdle: Bool { index >= frames }
    /// Frames until the target is reached.
    var framesLeft: Int { max(frames - index, 0) }

    private func value(_ frame: Int) -> Float {
        guard frame < frames else { return target }
        let t = Float(frame) * (1 / Float(frames))
        return start + (target - start) * (t * t * (3 - 2 * t))
    }

    /// From wherever it has got to; 0 frames: at once.
    mutating func setTarget(_ weight: Float, frames: Int) {
        start = value(index)
        target = weight
        self.frames = start == target ? 0 : frames
        index = 0
    }

    /// sound · weight, in place.
    mutating func process(_ sound: UnsafeMutablePointer<Float>, _ n: Int) {
        let moving = min(framesLeft, n)
        for i in 0..<moving { sound[i] *= value(index + i) }
        index += moving
        if target == 0 { (sound + moving).update(repeating: 0, count: n - moving) }
    }
}
