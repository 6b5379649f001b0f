import OssicleCore
import OssicleDSP

/// A spatial mixer's strip: one mono bus to the ears or loudspeakers, and a send to the reverb. Ports: in → direct,
/// send, and one without channels, for the order: in the tier `.bus` the strip adds to the ambisonic bus of its output.
/// For ears the direct port has no channels either: the strip adds to the sums of its output.
///
///     in ─┬─▶ octave bands (walls, directivity, air) ──▶ delay, gain (distance …), direction ──▶ direct
///         └─▶ octave bands of the send ──▶ send gain ─────────────────────────────────────────────▶ send
///
/// The gain stands behind the delay: the distance belongs to what arrives now, not to what leaves the source
/// now.
///
/// A change of the tier waits until the other voice has as much of the past as the path is long, and cross-fades; there
/// is no other tier without a bus.
package struct SpatialRenderer: ControlledRenderer, ~Copyable {
    /// Its tail is what is in the delay line, and the decay of the filters.
    package var control: RingingControl<Parameters> { RingingControl(cell: cell, ringing: ringing) }
    private let cell = LatestValueCell(Parameters.silent(rampFrames: 0))
    private let ringing: PositionCell
    /// Channels of the direct port.
    private let directCount: Int
    private let longestDelay: Int
    private let scratch = SampleMemory(count: Grid.quantum)
    private var direct = GainRamp(0)
    /// Of the same sound in the bus.
    private var bus = GainRamp(0)
    private var directGain: Float = 0
    private var send = GainRamp(0)
    /// Whether the filters do anything: where they do not, their memory stays out of the cache.
    private var colours = (sound: false, send: false)
    private var voice: DirectionalVoice
    private var fieldVoice: FieldVoice
    private var tier = VoiceTier.full
    private var fade = TierFade()
    private let fadeFrames: Int
    /// Whether there is a bus.
    private var hasBus = false
    private var motion = MotionInterpolator(to: Parameters.silent(rampFrames: 0).target, at: 0)
    private var equalizerVersion: UInt32 = 0
    private var sendEqualizerVersion: UInt32 = 0
    private var leaps: UInt32 = 0
    private var isFresh = true
    private var rest = Rest()
    /// Engine time whose place in the flight it takes when it wakes.
    private var restsAt: Int64 = 0
    // Large, and seldom needed: behind all that every block needs.
    private var equalizer = BandEqualizer()
    private var sendEqualizer = BandEqualizer()

    private static var filterTail: Int64 { 1024 }

    /// Travel times beyond this many seconds (343 m) are held there.
    private static var longestTravel: Double { 1 }

    package init(sampleRate: Double, spatializer: Spatializer, outputCount: Int) {
        let longest = Int(Self.longestTravel * sampleRate)
        directCount = spatializer.latency > 0 ? 0 : outputCount
        voice = DirectionalVoice(
            spatializer: spatializer, outputCount: outputCount, longestDelay: longest, keepsPaceWithField: true)
        fieldVoice = FieldVoice(spatializer, longestDelay: longest)
        fadeFrames = Int(TierFade.time * sampleRate)
        longestDelay = longest
        fade.settle(.full)
        ringing = PositionCell(Self.filterTail)
    }

    deinit {
        cell.deallocate()
        ringing.deallocate()
    }

    /// - Parameters:
    ///   - targets: sums of the outputs, if ears listen. - field: their ambisonic buses, if there are any.
    package mutating func render(
        _ ports: Ports, _ context: RenderContext, _ targets: BinauralTargets?, _ field: FieldTargets?
    ) {
        hasBus = field != nil
        let frames = context.frames
        rest.listen(ports, context, longest: longestSilence)
        if context.isOnGrid {
            restsAt = context.position
            if !rest.isResting { changeTier(at: context.position) }
        }
        if context.isControlPoint, cell.advance() {
            take(cell.currentPlace, at: context.position)
        } else if !rest.isResting && context.isOnGrid {
            followMotion(from: context.position)
        }
        if rest.isResting {
            guard rest.wakes(longest: longestSilence) else { return ports.silenceOutputs(frames) }
            wake()
        }
        renderSend(ports, frames)
        let sound = coloured(ports.input(0), frames)
        for channel in 0..<directCount { Mixing.clear(ports.output(channel), frames) }
        if fade.listens(.full) {
            let output = targets.map { VoiceOutput.ears($0) } ?? .speakers(ports.outputs)
            voice.process(sound, gain: &direct, addingTo: output, offset: context.offset, frames)
        }
        if let field, fade.listens(.bus) {
            fieldVoice.process(sound, gain: &bus, addingTo: field, frames)
        }
        fade.advance(frames)
    }

    /// What is on its way in the strip of another output arrives in this one, which may play in either tier. While
    /// neither renders.
    package mutating func adoptFlight(of other: borrowing SpatialRenderer) {
        rest = other.rest
        switch other.fade.playing {
        case .full:
            voice.adopt(past: other.voice.taps.line)
            fieldVoice.adopt(past: other.voice.taps.line)
        case .bus:
            voice.adopt(past: other.fieldVoice.line)
            fieldVoice.adopt(past: other.fieldVoice.line)
        }
    }

    /// Bytes of it that every block needs: all but the filters.
    static var hotSize: Int { MemoryLayout<SpatialRenderer>.size - 2 * MemoryLayout<BandEqualizer>.size }

    /// Asks for what the next block needs to be brought near the processor: voices are many, and lie far apart.
    func prefetch() {
        cell.place.prefetch(64)
        if rest.isResting { return }
        if fade.listens(.full) { voice.prefetch() }
        if fade.listens(.bus) { fieldVoice.prefetch() }
    }

    private mutating func coloured(_ input: UnsafePointer<Float>, _ frames: Int) -> UnsafePointer<Float> {
        guard colours.sound else { return input }
        colours.sound = !equalizer.isTransparent
        return equalizer.processed(input, in: scratch.pointer, frames)
    }

    private mutating func renderSend(_ ports: Ports, _ frames: Int) {
        let output = ports.output(directCount)
        // Once transparent it is run a last time, which clears its state; from then on its memory stays out of the
        // cache.
        let isColoured = colours.send
        if isColoured { colours.send = !sendEqualizer.isTransparent }
        if send.isIdle, send.target == 0, !colours.send {
            Mixing.clear(output, frames)
            return ports.markSilent(1)
        }
        guard isColoured else { return send.process(from: ports.input(0), to: output, frames) }
        sendEqualizer.process(from: ports.input(0), to: output, frames)
        send.process(output, frames)
    }

    // MARK: Rest

    /// Frames of silence behind which all memory holds zeros, however far the source is.
    private var longestSilence: Int { longestDelay + Int(Self.filterTail) }

    /// Stands where it has got to unheard, and flies on from the next grid line.
    private mutating func wake() {
        fade.settle(wantedTier)
        setGains(frames: 0)
        voice.restart()
        place(at: restsAt, jumps: false)
    }

    // MARK: Tiers

    private var wantedTier: VoiceTier { hasBus ? tier : .full }

    /// Wakes the other voice, and changes over to it once it has all of its past.
    private mutating func changeTier(at position: Int64) {
        let wanted = wantedTier
        fade.rest(wanted: wanted)
        guard wanted != fade.playing else { return }
        let here = motion.position(at: position)
        let delay = min(here.delay, Double(longestDelay))
        if !fade.listens(wanted) {
            fade.wake(wanted)
            switch wanted {
            case .full:
                voice.restart()
                voice.place(here.direction, delay: Float(delay), frames: 0, jumps: false)
                direct = GainRamp(0)
            case .bus:
                fieldVoice.reset()
                fieldVoice.place(here.direction, delay: delay, jumps: false)
                bus = GainRamp(0)
            }
        }
        guard fade.isReady(wanted, needing: FieldVoice.memory(at: delay)) else { return }
        fade.begin(wanted, frames: fadeFrames)
        setGains(frames: fadeFrames)
    }

    /// The gain goes to the tier that plays.
    private mutating func setGains(frames: Int) {
        let (full, field) = fade.playing == .full ? (directGain, 0) : (0, directGain)
        if full != direct.target || frames == 0 { direct.setTarget(full, frames: frames) }
        if field != bus.target || frames == 0 { bus.setTarget(field, frames: frames) }
    }

    // MARK: Parameters

    /// They are read where they lie: most of them are filters, which seldom change.
    private mutating func take(_ new: UnsafePointer<Parameters>, at position: Int64) {
        // What changes while nothing sounds need not glide.
        let frames = isFresh || rest.isResting ? 0 : new.pointee.rampFrames
        (directGain, tier) = (new.pointee.directGain, new.pointee.tier)
        if isFresh { fade.settle(wantedTier) }
        // A gain that changes during a cross-fade arrives with its end.
        setGains(frames: frames == 0 ? 0 : max(frames, fade.framesLeft))
        let reverbSend = new.pointee.reverbSend
        if reverbSend != send.target { send.setTarget(reverbSend, frames: frames) }
        takeFilters(new, frames: frames)
        move(to: new.pointee.target, leaps: new.pointee.leaps, at: position)
        isFresh = false
    }

    private mutating func takeFilters(_ new: UnsafePointer<Parameters>, frames: Int) {
        if new.pointee.equalizerVersion != equalizerVersion {
            equalizer.setTarget(new.pointee.equalizer, frames: frames)
            (equalizerVersion, colours.sound) = (new.pointee.equalizerVersion, true)
        }
        if new.pointee.sendEqualizerVersion != sendEqualizerVersion {
            sendEqualizer.setTarget(new.pointee.sendEqualizer, frames: frames)
            (sendEqualizerVersion, colours.send) = (new.pointee.sendEqualizerVersion, true)
        }
    }

    private mutating func move(to target: MotionTarget, leaps: UInt32, at position: Int64) {
        // A source that recedes at half the speed of sound arrives for twice its delay.
        let delay = max(motion.position(at: position).delay, target.offset.magnitude)
        ringing.store(Self.filterTail + Int64(min(2 * delay, Double(longestDelay))))
        if isFresh || rest.isResting || leaps != self.leaps {
            motion = MotionInterpolator(to: target, at: position)
            restsAt = position
            if !rest.isResting { place(at: position, jumps: !isFresh) }
        } else {
            motion.move(to: target, at: position)
            followMotion(from: position)
        }
        self.leaps = leaps
    }

    private mutating func place(at position: Int64, jumps: Bool) {
        let here = motion.position(at: position)
        let delay = min(here.delay, Double(longestDelay))
        if fade.listens(.full) { voice.place(here.direction, delay: Float(delay), frames: 0, jumps: jumps) }
        if fade.listens(.bus) { fieldVoice.place(here.direction, delay: delay, jumps: jumps) }
    }

    /// Gives the voice the motion up to the next grid line.
    private mutating func followMotion(from position: Int64) {
        let left = motion.framesLeft(at: position)
        guard left > 0 else { return }
        let frames = min(Grid.quantum - Int(position % Int64(Grid.quantum)), left)
        let there = motion.position(at: position + Int64(frames))
        if fade.listens(.full) { voice.steer(to: there.direction, delay: there.delay, frames: frames) }
        if fade.listens(.bus) {
            fieldVoice.steer(to: there.direction, delay: min(there.delay, Double(longestDelay)), frames: frames)
        }
    }
}
