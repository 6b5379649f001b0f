import OssicleCore

/// A low-pass given by what it takes away at 5 kHz: how AVAudioEnvironmentNode measures obstruction and occlusion.
///
///     y ← y + a (x − y)        a chosen so that |H| at 5 kHz is exactly the attenuation; near an analogue one-pole of
///                              f_c = 5 kHz / √(10^(−A/10) − 1)
///
/// At 0 dB the sound passes bit for bit. New attenuations are glided to, counted in frames since the glide began. Audio
/// thread; not shared.
package struct ObstructionFilter: BitwiseCopyable, Sendable {
    private static let reference = 5000.0
    /// Far below anything audible: here the state becomes zero for good, so that silence is exact.
    private static let nothing = 1e-30

    private var start = 1.0
    private var target = 1.0
    private var frames = 0
    private var index = 0
    private var y = 0.0

    package init() {}

    /// Whether it changes nothing, now and until another target is set.
    package var isTransparent: Bool { target == 1 && index >= frames }
    /// Whether nothing of earlier input is left.
    package var isAtRest: Bool { y == 0 }

    package mutating func reset() { y = 0 }

    /// - Parameters:
    ///   - coefficient: see `coefficient(attenuation:sampleRate:)`. - frames: 0 is at once.
    package mutating func setTarget(_ coefficient: Double, frames: Int) {
        start = a(at: index)
        target = coefficient
        self.frames = start == target ? 0 : max(frames, 0)
        index = 0
    }

    /// The coefficient for an attenuation at 5 kHz in dB, −100 … 0 (held there; NaN is 0). In (0, 1]; 1 is no filter.
    package static func coefficient(attenuation decibels: Double, sampleRate: Double) -> Double {
        let decibels = decibels.isNaN ? 0 : min(max(decibels, -100), 0)
        guard decibels < 0 else { return 1 }
        let energy = Decibels.energy(decibels)
        // A rate that has no 5 kHz is measured at 0.9 of its Nyquist frequency.
        let angle = 2 * DeterministicMath.pi * min(reference / sampleRate, 0.45)
        let turn = 1 - DeterministicMath.cos(angle)
        let part = energy * turn
        return 2 * part / ((part * (2 - 2 * energy + part)).squareRoot() + part)
    }

    /// `from` and `to` may be the same memory.
    package mutating func process(from: UnsafePointer<Float>, to: UnsafeMutablePointer<Float>, _ n: Int) {
        guard n > 0 else { return }
        let moving = min(max(frames - index, 0), n)
        for i in 0..<moving { to[i] = next(from[i], a(at: index + i)) }
        index += moving
        if isTransparent {
            y = Double(from[n - 1])
            if UnsafePointer(to) != from { (to + moving).update(from: from + moving, count: n - moving) }
        } else {
            for i in moving..<n { to[i] = next(from[i], target) }
        }
    }

    /// Keeps pace with a sound that passes untouched elsewhere. Only while transparent.
    package mutating func follow(_ last: Float) { y = Double(last) }

    @inline(__always)
    private mutating func next(_ x: Float, _ a: Double) -> Float {
        y += a * (Double(x) - y)
        if y.magnitude < Self.nothing { y = 0 }
        return Float(y)
    }

    @inline(__always)
    private func a(at frame: Int) -> Double {
        frame < frames ? start + (target - start) * (Double(frame) * (1 / Double(frames))) : target
    }
}
