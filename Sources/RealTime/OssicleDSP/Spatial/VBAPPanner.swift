import OssicleChannels
import OssicleCore

/// Pans between loudspeakers by vector base amplitude panning: the two or three loudspeakers around a direction carry
/// it, g = L⁻¹p, and the power is one, Σg² = 1. After Pulkki (1997).
///
/// - Three or more loudspeakers: the sphere is triangulated. Where none stand (above, below, gaps over 160°) virtual
///   ones complete it; the gain of a virtual one goes to its N neighbours in equal parts of 1/√N, so every direction is
///   heard and nothing jumps. Where a rectangle may be cut along either diagonal, both cuts of a symmetric layout are
///   averaged: left and right stay mirror images.
/// - Two: what lies behind is folded to the front, since a pair resolves only left and right; directions outside
///   the arc between the loudspeakers come from the nearer one; straight above and behind are the middle.
/// - One: gain 1. LFE channels always get 0.
/// - Channels of a sound field in place of loudspeakers: the harmonics of the direction (`FieldPanner`); the power is
///   not one.
///
/// Made on the control side; `gains` belongs on the audio thread.
package struct VBAPPanner: ~Copyable, Sendable {
    /// Channels of the layout, LFE included.
    package let channelCount: Int
    private let strategy: Strategy

    private enum Strategy: BitwiseCopyable, Sendable {
        case silent
        case single(channel: Int)
        case pair(SpeakerPair)
        case around(SpeakerSphere)
        case field(FieldPanner)
    }

    package init(_ layout: SpeakerLayout) {
        channelCount = layout.speakers.count
        let fed = layout.speakers.indices.filter { !layout.speakers[$0].isLFE }
        switch fed.count {
        case 0: strategy = .silent
        case 1: strategy = .single(channel: fed[0])
        case 2: strategy = .pair(SpeakerPair(layout, fed[0], fed[1]))
        default: strategy = .around(SpeakerSphere(layout, fed))
        }
    }

    /// For a sound field that is decoded elsewhere.
    package init(_ format: SoundFieldFormat) {
        channelCount = format.channels.count
        strategy = .field(FieldPanner(format))
    }

    deinit {
        switch strategy {
        case .around(let sphere): sphere.deallocate()
        case .field(let panner): panner.deallocate()
        case .silent, .single, .pair: break
        }
    }

    /// Of a panner to a sound field: the channels of another field as they are, as `FieldSpeakers.gains` has them. nil
    /// for loudspeakers.
    package func fieldGains(order: Int) -> [Float]? {
        if case .field(let panner) = strategy { panner.gains(order: order) } else { nil }
    }

    /// Gains of all channels for a direction (x right, y up, z back; any length; zero or NaN is front).
    /// - Parameter gains: room for `channelCount` values, overwritten.
    package func gains(_ direction: SIMD3<Float>, into gains: UnsafeMutablePointer<Float>) {
        gains.update(repeating: 0, count: channelCount)
        let p = HeadDirection.unit(direction)
        switch strategy {
        case .silent: break
        case .single(let channel): gains[channel] = 1
        case .pair(let pair): pair.add(p, to: gains)
        case .around(let sphere):
            sphere.add(p, to: gains)
            normalise(gains)
        case .field(let panner): panner.set(p, to: gains)
        }
    }

    private func normalise(_ gains: UnsafeMutablePointer<Float>) {
        var power: Float = 0
        for channel in 0..<channelCount { power += gains[channel] * gains[channel] }
        let scale = 1 / power.squareRoot()
        for channel in 0..<channelCount { gains[channel] *= scale }
    }
}

/// Two loudspeakers: the tangent law in the plane they span, clamped to the arc between them.
private struct SpeakerPair: BitwiseCopyable, Sendable {
    let channels: SIMD2<Int32>
    /// Unit vectors from the middle towards the first loudspeaker, and to the middle itself.
    let side, middle: Vector
    let halfAngle: Double

    init(_ layout: SpeakerLayout, _ first: Int, _ second: Int) {
        channels = SIMD2(Int32(first), Int32(second))
        let (a, b) = (layout.speakers[first].direction, layout.speakers[second].direction)
        let across = (a - b).direction
        side = across ?? Vector(-1, 0, 0)
        middle = (a + b).direction ?? HeadDirection.front
        halfAngle = across == nil ? 0 : DeterministicMath.acos(a.dot(middle))
    }

    func add(_ p: Vector, to gains: UnsafeMutablePointer<Float>) {
        let angle = DeterministicMath.asin(p.dot(side))
        let (first, second) = weights(min(max(angle, -halfAngle), halfAngle))
        let power = (first * first + second * second).squareRoot()
        gains[Int(channels.x)] = Float(first / power)
        gains[Int(channels.y)] = Float(second / power)
    }

    /// L⁻¹p for a direction in the plane: proportional to sin(h + φ) and sin(h − φ). No arc between them: equal parts.
    private func weights(_ angle: Double) -> (Double, Double) {
        guard halfAngle > 1e-6 else { return (1, 1) }
        guard angle > -halfAngle else { return (0, 1) }
        guard angle < halfAngle else { return (1, 0) }
        return (DeterministicMath.sin(halfAngle + angle), DeterministicMath.sin(halfAngle - angle))
    }
}

/// Places a mono sound between two loudspeakers so that the power stays the same: left = cos(xπ/2), right = sin(xπ/2)
/// with x = (pan + 1)/2. Control rate.
package enum EqualPowerPan {
    /// Gains for a pan of −1 (left) … 1 (right), 0 = centre with −3.01 dB each; beyond is clamped, NaN is the centre.
    package static func gains(pan: Float) -> (left: Float, right: Float) {
        let clamped = pan.isNaN ? 0 : Double(min(max(pan, -1), 1))
        // The ends are said outright: the cosine of a rounded π/2 is not quite 0.
        if clamped == -1 { return (1, 0) }
        if clamped == 1 { return (0, 1) }
        let (sine, cosine) = DeterministicMath.sincos((clamped + 1) * (DeterministicMath.pi / 4))
        return (Float(cosine), Float(sine))
    }

    /// Gains for a direction (x right, y up, z back): the pan is the lateral angle over 90°, the same in front and
    /// behind.
    package static func gains(direction: SIMD3<Float>) -> (left: Float, right: Float) {
        gains(pan: Float(HeadDirection.lateralAngle(HeadDirection.unit(direction)) / (DeterministicMath.pi / 2)))
    }
}
