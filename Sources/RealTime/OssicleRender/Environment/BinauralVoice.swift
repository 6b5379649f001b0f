import OssicleCore
import OssicleDSP

/// One mono sound from one position for two ears: no travel time and no Doppler effect, the HRTF alone.
///
///     in ──▶ delay line ─┬─ tap (left ear's delay) ──▶ HRIR ──▶ + sums of the stage
///                        └─ tap (right ear's delay) ─▶ HRIR ──▶
///
/// The nearer ear's sound is late by `latency` frames.
struct BinauralVoice: ~Copyable {
    static var latency: Int { tapLatency + BinauralMix.latency }
    private static var tapLatency: Int { Int(FractionalDelayLine.minimumDelay) }
    /// No head delays one ear by more than this, at any sample rate.
    private static let longestDelay = 512

    /// Frames after which nothing is left of a sound.
    let tail: Int
    private let ears: BinauralModel
    private var taps: BinauralTaps
    private let filters: SampleMemory
    private var place: BinauralModel.Place?

    init(_ ears: BinauralModel) {
        self.ears = ears
        tail = Self.tail(ears)
        taps = BinauralTaps(longestDelay: Self.tapLatency + Self.longestDelay, tapCount: ears.tapCount)
        filters = SampleMemory(count: 2 * ears.tapCount)
    }

    static func tail(_ ears: BinauralModel) -> Int { latency + longestDelay + 32 + ears.tapCount }

    mutating func reset() {
        taps.reset()
        place = nil
    }

    /// The first place is taken at once; to later ones filters are faded over a quantum, delays over a glide.
    mutating func turn(to place: BinauralModel.Place) {
        guard place != self.place else { return }
        let (left, right) = (filters.pointer, filters.pointer + ears.tapCount)
        let delays = ears.interpolate(place, left: left, right: right)
        taps.ears.setFilters(left: left, right: right)
        taps.move(
            left: FractionalDelayLine.minimumDelay + delays.left,
            right: FractionalDelayLine.minimumDelay + delays.right,
            self.place == nil ? .atOnce : .glide(frames: GlidingMatrix.glide))
        self.place = place
    }

    /// At most one quantum.
    mutating func process(
        _ input: UnsafePointer<Float>, offset: Int, _ frames: Int, addingTo targets: BinauralTargets
    ) {
        var unity = GainRamp(1)
        taps.process(input, gain: &unity, offset: offset, frames, addingTo: targets)
    }
}

/// The voices of one kind of head in a strip, and how loud every channel is in each.
///
/// A voice without input decays and then rests; the next position is taken at once.
struct BinauralStage: ~Copyable {
    private let voices: UnsafeMutablePointer<BinauralVoice>
    /// Frames since each voice was fed last.
    private let unfed: OwnedMemory<Int>
    private let count: Int
    private let tail: Int
    private var feed: GlidingMatrix
    private let mix: BinauralMix
    private let scratch = SampleMemory(count: Grid.quantum)

    init(_ ears: BinauralModel, channels: Int) {
        count = channels
        tail = BinauralVoice.tail(ears)
        feed = GlidingMatrix(inputs: channels, outputs: channels)
        mix = BinauralMix(tapCount: ears.tapCount)
        voices = .allocate(capacity: max(channels, 1))
        unfed = OwnedMemory(count: channels, tail)
        for voice in 0..<channels { (voices + voice).initialize(to: BinauralVoice(ears)) }
    }

    deinit { voices.deinitialize(count: count).deallocate() }

    /// Silence, unless `feed(_:to:gain:)` says otherwise. At once, the voices clear their memory.
    mutating func retarget(atOnce: Bool) {
        feed.retarget(atOnce: atOnce)
        if atOnce { mix.reset() }
        for voice in 0..<count where atOnce || unfed.pointer[voice] >= tail { retire(voice) }
    }

    private func retire(_ voice: Int) {
        voices[voice].reset()
        unfed.pointer[voice] = tail
    }

    func feed(_ channel: Int, to voice: Int, gain: Float) { feed[voice, channel] = gain }

    func place(_ voice: Int, _ place: BinauralModel.Place) { voices[voice].turn(to: place) }

    /// Adds to both ears. The block does not cross a grid line.
    /// - Returns: whether there was anything to add.
    mutating func process(
        _ channels: UnsafePointer<UnsafeMutablePointer<Float>>, addingToLeft left: UnsafeMutablePointer<Float>,
        right: UnsafeMutablePointer<Float>, offset: Int, _ frames: Int
    ) -> Bool {
        let unfed = unfed.pointer
        for voice in 0..<count {
            let zeros = feed.mix(channels, output: voice, to: scratch.pointer, frames)
            let isResting = zeros == frames && unfed[voice] >= tail
            unfed[voice] = zeros == frames ? min(unfed[voice] + frames, tail) : zeros
            if isResting { continue }
            voices[voice].process(scratch.pointer, offset: offset, frames, addingTo: BinauralTargets(common: mix.sums))
        }
        feed.advance(frames)
        return mix.play(addingToLeft: left, right: right, offset: offset, frames)
    }
}

/// The HRTF model of a binaural voice: measured, or a sphere. Plain handles; the owner of the tables keeps them alive.
package enum BinauralModel: BitwiseCopyable, @unchecked Sendable {
    case measured(HRTFTable)
    case sphere(SphereTable)

    /// Where a sound is, seen from the head.
    struct Place: BitwiseCopyable, Equatable {
        /// x right, y up, z back; any length.
        var direction: SIMD3<Float>
        /// Metres.
        var distance: Float
        /// How far it has come into the head, 0 … 1: there both ears get the same and nothing obstructs.
        var inside: Float
    }

    var tapCount: Int {
        switch self {
        case .measured(let table): table.tapCount
        case .sphere(let table): table.tapCount
        }
    }

    /// - Parameters:
    ///   - left, right: room for `tapCount` taps each.
    /// - Returns: delay of each ear in frames; what both have in common is left out, so the nearer ear waits
    ///   for nothing.
    func interpolate(
        _ place: Place, left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>
    ) -> (left: Double, right: Double) {
        let delays =
            switch self {
            case .measured(let table): table.interpolate(place.direction, left: left, right: right)
            case .sphere(let table):
                table.interpolate(place.direction, distance: place.distance, left: left, right: right)
            }
        let outside = 1 - min(max(place.inside, 0), 1)
        if outside < 1 {
            fade(left, outside)
            fade(right, outside)
        }
        let common = min(delays.left, delays.right)
        return (Double((delays.left - common) * outside), Double((delays.right - common) * outside))
    }

    /// Towards a filter that does nothing.
    private func fade(_ taps: UnsafeMutablePointer<Float>, _ outside: Float) {
        for k in 0..<tapCount { taps[k] *= outside }
        taps[0] += 1 - outside
    }
}
