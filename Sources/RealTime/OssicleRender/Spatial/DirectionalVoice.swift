import OssicleCore
import OssicleDSP

/// One mono sound from one direction, after a delay: a delay line, and behind it two ears or the loudspeakers.
///
///     in ──▶ delay line ─┬─ tap (distance + left ear) ──▶ gain ──▶ HRIR ──▶ sums of the output
///                        └─ tap (distance + right ear) ─▶ gain ──▶ HRIR ──▶
///            or one tap ──▶ gain ──▶ a gain per loudspeaker
///
/// Sources, the channels of a bed and the directions of the late field are all voices. Another HRTF in the cell is
/// applied by the voice itself, in the next block: filters and delays of its direction cross-fade over a quantum, and
/// from then on it equals a voice that never had another; on the move, once its ears are as far behind the
/// direction as those would be (`BinauralFilter.follow`).
package struct DirectionalVoice: ~Copyable {
    private let spatializer: Spatializer
    private let outputCount: Int
    private(set) var taps: BinauralTaps
    /// The HRTF that the cell held when last looked.
    private var applied: HRTFTable?
    private var speakers: SpeakerGains

    private var glide: Ramp<VoicePosition>
    /// The position that the kernels have or approach.
    private var aimed = (direction: SIMD3<Float>(0, 0, -1), delay: 0.0)
    private var isPlaced = false
    /// Frames left in the segment that the kernels are interpolating over.
    private var segmentLeft = 0
    private let longestDelay: Float
    /// No sound is earlier than a `FieldVoice` would be.
    private let keepsPaceWithField: Bool

    /// Frames that the voice needs by itself.
    private let latency: Double

    /// - Parameters:
    ///   - longestDelay: frames; longer ones are held there.
    ///   - keepsPaceWithField: a sound from nearby is as late as a `FieldVoice`, which may take its place.
    package init(
        spatializer: Spatializer, outputCount: Int, longestDelay: Int, keepsPaceWithField: Bool = false
    ) {
        self.spatializer = spatializer
        self.outputCount = outputCount
        self.longestDelay = Float(max(longestDelay, 0))
        self.keepsPaceWithField = keepsPaceWithField
        let least = FractionalDelayLine.minimumDelay
        latency = least + Double(spatializer.latency)
        let longest = max(longestDelay, 0) + Int(least) + 1
        switch spatializer {
        case .binaural(let cell):
            let table = cell.table
            // No HRTF's delays exceed 2 ms (`HRTFSet`): 96 frames at 48 kHz, where its filters have 128 taps, and so on
            // with the rate.
            taps = BinauralTaps(longestDelay: longest + max(256, table.tapCount), tapCount: table.tapCount)
            applied = table
            speakers = SpeakerGains(count: 0)
        case .panned:
            taps = BinauralTaps(longestDelay: longest, tapCount: 1)
            applied = nil
            speakers = SpeakerGains(count: outputCount)
        }
        glide = Ramp(VoicePosition(direction: SIMD3(0, 0, -1), delay: 0))
    }

    /// What was written to another voice is on its way in this one. While neither is in use.
    mutating func adopt(past: borrowing FractionalDelayLine) { taps.adopt(past: past) }

    /// Frames of travel, at the end of a glide.
    package var delay: Float { glide.target.delay }

    /// Where the sound comes from. The first position applies at once; later ones are glided to over `frames`.
    /// - Parameters:
    ///   - direction: in the head's axes (x right, y up, z back), any length. - delay: frames of travel.
    ///   - jumps: cross-fade to the new delay instead of sweeping through those between.
    package mutating func place(_ direction: SIMD3<Float>, delay: Float, frames: Int, jumps: Bool) {
        let delay = delay.isFinite ? min(max(delay, 0), longestDelay) : 0
        let hasAnotherTable = adoptTable()
        let stays = isPlaced && glide.target.direction == direction && glide.target.delay == delay
        if hasAnotherTable && (stays || !jumps) { fadeToTable() }
        if stays { return }
        if !isPlaced || jumps {
            glide = Ramp(VoicePosition(direction: direction, delay: delay))
            aim(direction, Double(delay), isPlaced ? .crossFade : .atOnce)
            segmentLeft = isPlaced ? Grid.quantum : 0
            isPlaced = true
        } else {
            // It begins where the running segment ends.
            glide.glide(to: VoicePosition(direction: direction, delay: delay), frames: frames - segmentLeft)
        }
    }

    /// As if it had no position yet: the next one applies at once. For a voice that has been silent for as long as its
    /// longest delay.
    package mutating func restart() {
        taps.ears.reset()
        (isPlaced, segmentLeft) = (false, 0)
    }

    /// Moves to a position in `frames` frames and stays there: for a caller that computes the motion in segments.
    /// - Parameters:
    ///   - direction: as in `place`. - delay: frames of travel. - frames: at least 1.
    package mutating func steer(to direction: SIMD3<Float>, delay: Double, frames: Int) {
        guard isPlaced else { return place(direction, delay: Float(delay), frames: frames, jumps: false) }
        let delay = delay.isNaN ? 0 : min(max(delay, 0), Double(longestDelay))
        glide = Ramp(VoicePosition(direction: direction, delay: Float(delay)))
        aim(direction, delay, .glide(frames: max(frames, 1)))
        segmentLeft = max(frames, 1)
    }

    /// Asks for what the next block needs to be brought near the processor.
    func prefetch() { taps.prefetch() }

    /// Adds `frames` frames of the sound to an output.
    /// - Parameters:
    ///   - gain: of what arrives now. - offset: frames since the grid line; the block does not cross the next one.
    package mutating func process(
        _ input: UnsafePointer<Float>, gain: inout GainRamp, addingTo output: VoiceOutput, offset: Int, _ frames: Int
    ) {
        if adoptTable() { fadeToTable() }
        var done = 0
        while done < frames {
            if segmentLeft == 0 { beginSegment(toLine: Grid.quantum - offset - done) }
            let run = segmentLeft == 0 ? frames - done : min(frames - done, segmentLeft)
            sound(input + done, &gain, output, offset: offset, done: done, run)
            segmentLeft = max(segmentLeft - run, 0)
            done += run
        }
    }

    /// The next segment of the glide, or of the ears' approach to its end: as far as the grid line, where filters
    /// change.
    private mutating func beginSegment(toLine frames: Int) {
        if !glide.isIdle {
            let next = glide.nextSegment(atMost: frames)
            aim(next.value.direction, Double(next.value.delay), .glide(frames: next.frames))
            segmentLeft = next.frames
        } else if !taps.ears.isSettled {
            aim(aimed.direction, aimed.delay, .glide(frames: frames))
            segmentLeft = frames
        }
    }

    /// - Returns: whether the cell holds another HRTF than when it was last read.
    private mutating func adoptTable() -> Bool {
        guard case .binaural(let cell) = spatializer else { return false }
        let table = cell.table
        guard table != applied else { return false }
        applied = table
        return true
    }

    /// Cross-fades to the other HRTF at the position of the present segment's end. The motion continues from there.
    private mutating func fadeToTable() {
        guard isPlaced else { return }
        aim(aimed.direction, aimed.delay, .crossFade)
    }

    /// Gives the kernels another position.
    private mutating func aim(_ direction: SIMD3<Float>, _ delay: Double, _ change: BinauralTaps.Change) {
        aimed = (direction, delay)
        switch spatializer {
        case .binaural:
            guard let table = applied else { return }
            let ears =
                if case .glide(let frames) = change {
                    taps.ears.follow(direction, in: table, frames: frames)
                } else {
                    taps.ears.turn(to: direction, in: table)
                }
            let start = tapDelay(
                delay, within: latency + Double(table.frontDelay),
                least: keepsPaceWithField ? AmbisonicHRTFTable.lead(beyond: table) : 0)
            taps.move(left: start + Double(ears.left), right: start + Double(ears.right), change)
        case .panned(let panner):
            let start = tapDelay(delay, within: latency)
            taps.move(left: start, right: start, change)
            let frames =
                switch change {
                case .atOnce: 0
                case .crossFade: Grid.quantum
                case .glide(let frames): frames
                }
            speakers.turn(to: direction, by: panner, frames: frames)
        }
    }

    /// The kernels' own delay is taken off the path, as far as the path is long enough.
    private func tapDelay(_ delay: Double, within own: Double, least: Double = 0) -> Double {
        FractionalDelayLine.minimumDelay + max(delay - own, least)
    }

    private mutating func sound(
        _ input: UnsafePointer<Float>, _ gain: inout GainRamp, _ output: VoiceOutput, offset: Int, done: Int,
        _ frames: Int
    ) {
        switch output {
        case .ears(let targets):
            taps.process(input, gain: &gain, offset: offset + done, frames, addingTo: targets)
        case .speakers(let outputs):
            let sound = taps.delayed(input, frames)
            gain.process(sound, frames)
            speakers.add(sound, to: outputs, offset: done, frames)
        }
    }
}

/// What the output makes of a direction: two ears, or loudspeakers. Plain handles; the owner of the tables keeps them
/// alive.
package enum Spatializer: BitwiseCopyable, @unchecked Sendable {
    case binaural(HRTFCell)
    case panned(UnsafeMutablePointer<VBAPPanner>)

    /// Frames by which a voice's sound goes out later, whatever its direction.
    var latency: Int {
        if case .binaural = self { BinauralMix.latency } else { 0 }
    }

    /// A mix for voices with this HRTF; nil for loudspeakers.
    func makeMix() -> BinauralMix? {
        if case .binaural(let cell) = self { BinauralMix(tapCount: cell.table.tapCount) } else { nil }
    }

    /// Frames by which the HRTF delays sound from the front; 0 for loudspeakers.
    var frontDelay: Float {
        if case .binaural(let cell) = self { cell.table.frontDelay } else { 0 }
    }
}

extension Optional where Wrapped == BinauralMix {
    /// Where the voices of a renderer with a mix of its own go; without one, straight to the loudspeakers.
    borrowing func output(_ channels: UnsafePointer<UnsafeMutablePointer<Float>>) -> VoiceOutput {
        switch self {
        case .some(let mix): .ears(BinauralTargets(common: mix.sums))
        case .none: .speakers(channels)
        }
    }

    /// After its voices: what they have added up to, a quantum later.
    borrowing func play(addingTo channels: UnsafePointer<UnsafeMutablePointer<Float>>, _ context: RenderContext) {
        switch self {
        case .some(let mix):
            _ = mix.play(addingToLeft: channels[0], right: channels[1], offset: context.offset, context.frames)
        case .none: break
        }
    }
}

/// Where a voice's sound goes: matches its `Spatializer`.
package enum VoiceOutput: BitwiseCopyable {
    case ears(BinauralTargets)
    case speakers(UnsafePointer<UnsafeMutablePointer<Float>>)
}

/// One gain per loudspeaker, each on its own ramp.
struct SpeakerGains: ~Copyable {
    private let ramps: OwnedMemory<GainRamp>
    private let gains: SampleMemory
    private let count: Int

    init(count: Int) {
        self.count = count
        gains = SampleMemory(count: count)
        ramps = OwnedMemory(count: count, GainRamp(0))
    }

    mutating func turn(to direction: SIMD3<Float>, by panner: UnsafeMutablePointer<VBAPPanner>, frames: Int) {
        panner.pointee.gains(direction, into: gains.pointer)
        let ramps = ramps.pointer
        for speaker in 0..<count { ramps[speaker].setTarget(gains[speaker], frames: frames) }
    }

    mutating func add(
        _ input: UnsafePointer<Float>, to outputs: UnsafePointer<UnsafeMutablePointer<Float>>, offset: Int,
        _ frames: Int
    ) {
        let ramps = ramps.pointer
        for speaker in 0..<count { ramps[speaker].add(from: input, to: outputs[speaker] + offset, frames) }
    }
}
