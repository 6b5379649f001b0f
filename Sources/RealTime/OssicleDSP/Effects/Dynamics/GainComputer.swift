import OssicleCore

/// From the magnitudes of a signal the gains that compress and expand it.
///
///     |x| ─▶ largest of the last 10 ms ─▶ dB ─▶ law ─▶ attack and release ─▶ gain
///
/// The held peak is exact for tones from 50 Hz up and follows a rise at once. The law's gain is approached in dB
/// with a time constant each way: compression sets in with the attack and ends with the release, 10 ms later for the
/// peak that is held; expansion opens with the attack and closes with the release ("decoupled" ballistics in the log
/// domain: Giannoulis, Massberg and Reiss, "Digital dynamic range compressor design", JAES 60, 2012). Where the law
/// needs no gain, the gain ends on exactly 1. Audio thread; not shared.
struct GainComputer: ~Copyable {
    private typealias Lanes = SIMD16<Float>
    /// −140 dB: nothing is measured below.
    private static let leastMagnitude: Float = 1e-7
    /// An inaudible change in dB: below it the gain is 1.
    private static let rest = 1e-4
    private static let holdSeconds = 0.01

    private let sampleRate: Double
    private var peak: SlidingPeak
    private var law: Ramp<DynamicsLaw>
    /// The share of the way that one frame goes.
    private var attack = 1.0
    private var release = 1.0
    /// dB in force. Double, because in single precision a long release would stop short.
    private var compression = 0.0
    private var expansion = 0.0
    /// In: magnitudes; out: linear gains. One quantum, and room for whole vectors.
    let block = SampleMemory(count: Grid.quantum + Lanes.scalarCount)
    private let opening = SampleMemory(count: Grid.quantum + Lanes.scalarCount)
    /// The held peak of the last frame in dB.
    private(set) var level: Float

    init(sampleRate: Double, law: DynamicsLaw, attackTime: Float, releaseTime: Float) {
        self.sampleRate = sampleRate
        self.law = Ramp(law)
        peak = SlidingPeak(longest: Int(Self.holdSeconds * sampleRate))
        level = Self.silence
        set(attackTime: attackTime, releaseTime: releaseTime)
    }

    /// What a level below all measuring is given as, in dB.
    static var silence: Float { -140 }

    /// dB by which the signal is turned down at present, 0 and above.
    var compressionAmount: Float { Float(-compression) }

    /// dB of the present gain.
    var gain: Float { Float(compression + expansion) }

    mutating func set(attackTime: Float, releaseTime: Float) {
        attack = share(attackTime)
        release = share(releaseTime)
    }

    mutating func setTarget(_ law: DynamicsLaw, frames: Int) { self.law.setTarget(law, frames: frames) }

    mutating func reset() {
        peak.reset()
        (compression, expansion) = (0, 0)
        level = Self.silence
    }

    private func share(_ seconds: Float) -> Double {
        1 - DeterministicMath.exp(-1 / (Double(max(seconds, 1e-5)) * sampleRate))
    }

    /// Turns the magnitudes in `block` into gains.
    mutating func process(_ n: Int) {
        for i in 0..<n { block.pointer[i] = peak.next(block.pointer[i]) }
        askLaw(n)
        follow(n)
        raise(n)
    }

    /// Peaks into the two changes of the law.
    private mutating func askLaw(_ n: Int) {
        for i in stride(from: 0, to: n, by: Lanes.scalarCount) {
            let peaks = Self.load(block, i)
            let levels =
                LaneMath.log2(peaks.replacing(with: Self.leastMagnitude, where: peaks .< Self.leastMagnitude))
                * 6.020_599_91
            let wanted = law.gains(levels, offset: i)
            Self.store(wanted.compression, block, i)
            Self.store(wanted.expansion, opening, i)
            if n - i <= Lanes.scalarCount { level = levels[n - i - 1] }
        }
        law.advance(n)
    }

    /// The wanted changes into those in force, summed.
    private mutating func follow(_ n: Int) {
        var (compression, expansion) = (self.compression, self.expansion)
        for i in 0..<n {
            let (closed, open) = (Double(block.pointer[i]), Double(opening.pointer[i]))
            compression += (closed - compression) * (closed < compression ? attack : release)
            expansion += (open - expansion) * (open > expansion ? attack : release)
            if closed == 0, compression > -Self.rest { compression = 0 }
            if open == 0, expansion > -Self.rest { expansion = 0 }
            block.pointer[i] = Float(compression + expansion)
        }
        (self.compression, self.expansion) = (compression, expansion)
    }

    /// dB into factors; 0 dB is exactly 1.
    private func raise(_ n: Int) {
        for i in stride(from: 0, to: n, by: Lanes.scalarCount) {
            Self.store(LaneMath.exp2(Self.load(block, i) * 0.166_096_405), block, i)
        }
    }

    @inline(__always)
    private static func load(_ memory: borrowing SampleMemory, _ i: Int) -> Lanes {
        UnsafeRawPointer(memory.pointer + i).loadUnaligned(as: Lanes.self)
    }

    @inline(__always)
    private static func store(_ lanes: Lanes, _ memory: borrowing SampleMemory, _ i: Int) {
        UnsafeMutableRawPointer(memory.pointer + i).storeBytes(of: lanes, as: Lanes.self)
    }
}
