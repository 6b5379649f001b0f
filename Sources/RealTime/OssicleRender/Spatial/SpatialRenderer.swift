import OssicleCore
import OssicleDSP

/// A spatial mixer's strip: one mono bus to the ears or loudspeakers, and a send to the reverb. Ports: in → direct,
/// send. For ears the direct port has no channels: the strip adds to the sums of its output.
///
///     in ─┬─▶ octave bands (walls, directivity, air) ──▶ delay, gain (distance …), direction ──▶ direct
///         └─▶ octave bands of the send ──▶ send gain ─────────────────────────────────────────────▶ send
///
/// The gain stands behind the delay: the distance belongs to what arrives now, not to what leaves the source
/// now.
package struct SpatialRenderer: ControlledRenderer, ~Copyable {
    package struct Parameters: BitwiseCopyable {
        package var directGain: Float
        package var equalizer: BandEqualizerDesign
        /// Changes whenever the design does.
        package var equalizerVersion: UInt32
        package var target: MotionTarget
        /// Changes whenever the target is not moved to but a new place: cross-fade.
        package var leaps: UInt32
        package var reverbSend: Float
        /// The colour that the source excites the late field with.
        package var sendEqualizer: BandEqualizerDesign
        /// Changes whenever that does.
        package var sendEqualizerVersion: UInt32
        package var rampFrames: Int

        package init(
            directGain: Float, equalizer: BandEqualizerDesign, equalizerVersion: UInt32, target: MotionTarget,
            leaps: UInt32 = 0, reverbSend: Float,
            sendEqualizer: BandEqualizerDesign = .transparent, sendEqualizerVersion: UInt32 = 0, rampFrames: Int
        ) {
            (self.directGain, self.equalizer, self.equalizerVersion) = (directGain, equalizer, equalizerVersion)
            (self.target, self.leaps) = (target, leaps)
            (self.reverbSend, self.rampFrames) = (reverbSend, rampFrames)
            (self.sendEqualizer, self.sendEqualizerVersion) = (sendEqualizer, sendEqualizerVersion)
        }

        package static func silent(rampFrames: Int) -> Parameters {
            Parameters(
                directGain: 0, equalizer: .transparent, equalizerVersion: 0,
                target: MotionTarget(offset: .zero, drift: .zero, head: .identity, frames: 1),
                reverbSend: 0, rampFrames: rampFrames)
        }
    }

    /// Its tail is what is in the delay line, and the decay of the filters.
    package var control: RingingControl<Parameters> { RingingControl(cell: cell, ringing: ringing) }
    private let cell = LatestValueCell(Parameters.silent(rampFrames: 0))
    private let ringing: PositionCell
    /// Channels of the direct port.
    private let directCount: Int
    private let longestDelay: Int
    private let scratch = SampleMemory(count: Grid.quantum)
    private var direct = GainRamp(0)
    private var send = GainRamp(0)
    private var equalizer = BandEqualizer()
    private var sendEqualizer = BandEqualizer()
    private var voice: DirectionalVoice
    private var motion = MotionInterpolator(to: Parameters.silent(rampFrames: 0).target, at: 0)
    private var equalizerVersion: UInt32 = 0
    private var sendEqualizerVersion: UInt32 = 0
    private var leaps: UInt32 = 0
    private var isFresh = true
    private var rest = Rest()
    /// Engine time whose place in the flight it takes when it wakes.
    private var restsAt: Int64 = 0

    private static var filterTail: Int64 { 1024 }

    /// Travel times beyond this many seconds (343 m) are held there.
    private static var longestTravel: Double { 1 }

    package init(sampleRate: Double, spatializer: Spatializer, outputCount: Int) {
        let longest = Int(Self.longestTravel * sampleRate)
        directCount = spatializer.latency > 0 ? 0 : outputCount
        voice = DirectionalVoice(spatializer: spatializer, outputCount: outputCount, longestDelay: longest)
        longestDelay = longest
        ringing = PositionCell(Self.filterTail)
    }

    deinit {
        cell.deallocate()
        ringing.deallocate()
    }

    /// - Parameter targets: sums of the outputs, if ears listen.
    package mutating func render(_ ports: Ports, _ context: RenderContext, _ targets: BinauralTargets?) {
        let frames = context.frames
        rest.listen(ports, context, longest: longestSilence)
        if context.isOnGrid { restsAt = context.position }
        if context.isControlPoint, let new = cell.takeIfNew() {
            take(new, at: context.position)
        } else if !rest.isResting && context.isOnGrid {
            followMotion(from: context.position)
        }
        if rest.isResting {
            guard rest.wakes(longest: longestSilence) else { return ports.silenceOutputs(frames) }
            wake()
        }
        renderSend(ports, frames)
        let sound = equalizer.processed(ports.input(0), in: scratch.pointer, frames)
        for channel in 0..<directCount { Mixing.clear(ports.output(channel), frames) }
        let output = targets.map { VoiceOutput.ears($0) } ?? .speakers(ports.outputs)
        voice.process(sound, gain: &direct, addingTo: output, offset: context.offset, frames)
    }

    private mutating func renderSend(_ ports: Ports, _ frames: Int) {
        let output = ports.output(directCount)
        if send.isIdle, send.target == 0, sendEqualizer.isTransparent {
            Mixing.clear(output, frames)
            return ports.markSilent(1)
        }
        sendEqualizer.process(from: ports.input(0), to: output, frames)
        send.process(output, frames)
    }

    // MARK: Rest

    /// Frames of silence behind which all memory holds zeros, however far the source is.
    private var longestSilence: Int { longestDelay + Int(Self.filterTail) }

    /// Stands where it has got to unheard, and flies on from the next grid line.
    private mutating func wake() {
        voice.restart()
        place(at: restsAt, jumps: false)
    }

    // MARK: Parameters

    private mutating func take(_ new: Parameters, at position: Int64) {
        // What changes while nothing sounds need not glide.
        let frames = isFresh || rest.isResting ? 0 : new.rampFrames
        if new.directGain != direct.target { direct.setTarget(new.directGain, frames: frames) }
        if new.reverbSend != send.target { send.setTarget(new.reverbSend, frames: frames) }
        if new.equalizerVersion != equalizerVersion {
            equalizer.setTarget(new.equalizer, frames: frames)
            equalizerVersion = new.equalizerVersion
        }
        if new.sendEqualizerVersion != sendEqualizerVersion {
            sendEqualizer.setTarget(new.sendEqualizer, frames: frames)
            sendEqualizerVersion = new.sendEqualizerVersion
        }
        // A source that recedes at half the speed of sound arrives for twice its delay.
        let delay = max(motion.position(at: position).delay, new.target.offset.magnitude)
        ringing.store(Self.filterTail + Int64(min(2 * delay, Double(longestDelay))))
        if isFresh || rest.isResting || new.leaps != leaps {
            motion = MotionInterpolator(to: new.target, at: position)
            restsAt = position
            if !rest.isResting { place(at: position, jumps: !isFresh) }
        } else {
            motion.move(to: new.target, at: position)
            followMotion(from: position)
        }
        (leaps, isFresh) = (new.leaps, false)
    }

    private mutating func place(at position: Int64, jumps: Bool) {
        let here = motion.position(at: position)
        voice.place(here.direction, delay: Float(min(here.delay, Double(longestDelay))), frames: 0, jumps: jumps)
    }

    /// Gives the voice the motion up to the next grid line.
    private mutating func followMotion(from position: Int64) {
        let left = motion.framesLeft(at: position)
        guard left > 0 else { return }
        let frames = min(Grid.quantum - Int(position % Int64(Grid.quantum)), left)
        let there = motion.position(at: position + Int64(frames))
        voice.steer(to: there.direction, delay: there.delay, frames: frames)
    }
}
