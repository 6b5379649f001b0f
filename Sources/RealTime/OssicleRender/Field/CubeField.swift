import OssicleChannels
import OssicleCore
import OssicleDSP

/// Eight signals from around the head to the outputs.
enum CubeField: ~Copyable {
    case ears(CrossfadedBinaural<DiffuseBinaural>)
    case speakers(DiffuseSpeakers)

    /// - Parameter latency: frames before the first sound, apart from the head's own delay.
    init(_ spatializer: Spatializer, latency: Int, outputCount: Int) {
        switch spatializer {
        case .binaural(let head): self.init(head.table, latency: latency)
        case .panned(let panner): self.init(panner, outputCount: outputCount)
        }
    }

    init(_ head: HRTFTable, latency: Int) {
        self = .ears(CrossfadedBinaural(DiffuseBinaural(head: head, latency: latency)))
    }

    init(_ panner: UnsafeMutablePointer<VBAPPanner>, outputCount: Int) {
        self = .speakers(DiffuseSpeakers(panner: panner, count: outputCount))
    }

    /// nil where loudspeakers play.
    var cell: BinauralCell<DiffuseBinaural>? {
        switch self {
        case .ears(let changing): changing.cell
        case .speakers: nil
        }
    }

    func process(
        _ corners: UnsafePointer<UnsafeMutablePointer<Float>>, to outputs: UnsafePointer<UnsafeMutablePointer<Float>>,
        _ frames: Int
    ) {
        switch self {
        case .ears(let ears): ears.process(corners, left: outputs[0], right: outputs[1], frames)
        case .speakers(let speakers): speakers.process(corners, to: outputs, frames)
        }
    }
}

/// A field that has no direction, from loudspeakers: each corner of a cube around the listener is panned between its
/// neighbours.
struct DiffuseSpeakers: ~Copyable {
    /// Corner by corner, one gain per loudspeaker.
    private let gains: SampleMemory
    private let count: Int

    init(panner: UnsafeMutablePointer<VBAPPanner>, count: Int) {
        self.count = count
        gains = SampleMemory(count: DiffuseBinaural.cornerCount * count)
        for corner in 0..<DiffuseBinaural.cornerCount {
            panner.pointee.gains(CubeCorner.direction(corner), into: gains.pointer + corner * count)
        }
    }

    /// One signal per corner in, one per loudspeaker out (overwritten).
    func process(
        _ corners: UnsafePointer<UnsafeMutablePointer<Float>>, to outputs: UnsafePointer<UnsafeMutablePointer<Float>>,
        _ frames: Int
    ) {
        for speaker in 0..<count {
            Mixing.clear(outputs[speaker], frames)
            for corner in 0..<DiffuseBinaural.cornerCount {
                var gain = GainRamp(gains[corner * count + speaker])
                gain.add(from: corners[corner], to: outputs[speaker], frames)
            }
        }
    }
}

/// Sorts directions onto the eight corners of the cube around the head. Control side.
package final class CubePanner: @unchecked Sendable {
    private let panner: VBAPPanner
    /// Of a cube's corner above its middle: asin 1/√3, in degrees.
    private static let elevation = 35.264389682754654

    private let isBinaural: Bool

    package init(_ spatializer: Spatializer) {
        if case .binaural = spatializer { isBinaural = true } else { isBinaural = false }
        let corners = (0..<DiffuseBinaural.cornerCount).map { index in
            let (isRight, isUp, isBehind) = (index & 1 != 0, index & 2 != 0, index & 4 != 0)
            return SpeakerLayout.Speaker(
                azimuth: (isRight ? -1 : 1) * (isBehind ? 135 : 45), elevation: (isUp ? 1 : -1) * Self.elevation)
        }
        panner = VBAPPanner(SpeakerLayout(corners))
    }

    /// Loudspeakers play the corners in phase: amplitudes that add up to 1. Ears get them in phase only where waves are
    /// longer than the head is wide: half-way, in decibels, between amplitudes and powers that add up to 1, at most 2.4
    /// dB too loud below and too soft above.
    /// - Parameter direction: head frame, any length.
    package func gains(_ direction: SIMD3<Float>) -> SIMD8<Float> {
        var gains = SIMD8<Float>.zero
        withUnsafeTemporaryAllocation(of: Float.self, capacity: DiffuseBinaural.cornerCount) { memory in
            guard let base = memory.baseAddress else { return }
            panner.gains(direction, into: base)
            for corner in 0..<DiffuseBinaural.cornerCount { gains[corner] = base[corner] }
        }
        let sum = gains.sum()
        return gains / (isBinaural ? (sum * (gains * gains).sum().squareRoot()).squareRoot() : sum)
    }
}

/// What many paths add up to at the eight corners, frame by frame, until it goes out channel by channel.
struct CornerSum: ~Copyable {
    private let memory = OwnedMemory<SIMD8<Float>>(count: Grid.quantum, .zero)

    var frames: UnsafeMutablePointer<SIMD8<Float>> { memory.pointer }

    func clear(_ count: Int) {
        for frame in 0..<count { frames[frame] = .zero }
    }

    /// Corner k to the k-th of `outputs`.
    func write(to outputs: UnsafePointer<UnsafeMutablePointer<Float>>, _ count: Int) {
        for corner in 0..<DiffuseBinaural.cornerCount {
            let output = outputs[corner]
            for frame in 0..<count { output[frame] = frames[frame][corner] }
        }
    }
}

/// A gain towards each corner of the cube around the head.
extension Ramp<SIMD8<Float>> {
    var isSilent: Bool { isIdle && target == .zero }

    /// Moves to `gains`; a ramp that moves there already continues.
    mutating func approach(_ gains: SIMD8<Float>, frames: Int) {
        if gains != target { setTarget(gains, frames: frames) }
    }

    /// Adds a mono sound to the corners.
    mutating func add(_ sound: UnsafePointer<Float>, to corners: UnsafeMutablePointer<SIMD8<Float>>, _ frames: Int) {
        let moving = self
        let count = advance(frames)
        for frame in 0..<count { corners[frame] += moving[frame] * sound[frame] }
        for frame in count..<frames { corners[frame] += target * sound[frame] }
    }
}
