import OssicleCore
import OssicleDSP

/// One source's diffraction and reflection paths, each with a delay, a colour and a
/// direction of its own. Ports: mono bus → direct channels; one without channels, for the order: diffuse paths add to
/// the ambisonic bus.
///
///     in ──▶ delay line ─┬─▶ 4 direct-like slots: tap ──▶ octave bands ──▶ gain ──▶ HRTFs or panner   ──▶ direct
///                        └─▶ 20 diffuse slots: tap ──▶ octave bands ──▶ gains ─────────────────────────────▶ bus
///
/// The line is written once for all. The bands stand behind the tap and the gain behind the bands: a path changes
/// without waiting for its travel time, and a new one carries at once all that is under propagation.
package struct PathsRenderer: ControlledRenderer, ~Copyable {
    package static var directLikeCount: Int { 4 }
    package static var diffuseCount: Int { 20 }
    /// Seconds; longer paths are held there.
    package static var longestTravel: Double { 0.5 }
    /// Seconds in which one path cross-fades to another in its slot.
    package static var fadeTime: Double { 0.04 }

    /// Its tail is what is on its propagation, and the filters' rest.
    package var control: RingingControl<Parameters> { RingingControl(cell: cell, ringing: ringing) }
    private let cell = LatestValueCell(Parameters(rampFrames: 0))
    private let ringing: PositionCell
    private let outputCount: Int
    private let fadeFrames: Int
    private let longestDelay: Int
    /// Frames in which the lowest band's filter dies away by more than 100 dB.
    private let filterTail: Int
    private var line: FractionalDelayLine
    /// Fades in a sound that plays already.
    private var entry = Ramp<FadeWeight>.silent
    // `var`, as ThreadSanitizer needs it (CONTRIBUTING).
    private var directLike: UnsafeMutablePointer<PathSlot<DirectLikePath>>
    /// Where ears listen.
    private let mix: BinauralMix?
    private var diffuse: UnsafeMutablePointer<PathSlot<DiffusePath>>
    private let scratch = SampleMemory(count: Grid.quantum)
    private var rest = Rest()
    /// A slot has not taken what it was given last.
    private var isWaiting = false
    /// Frames of the longest path before the last parameters.
    private var longestBefore = 0.0

    /// - Parameter fadesIn: whether the sound plays already, so that it must not begin anew on every path.
    package init(sampleRate: Double, spatializer: Spatializer, outputCount: Int, fadesIn: Bool = false) {
        self.outputCount = outputCount
        fadeFrames = Int(Self.fadeTime * sampleRate)
        longestDelay = Int(Self.longestTravel * sampleRate)
        filterTail = Int(0.1 * sampleRate)
        line = FractionalDelayLine(maximumDelay: longestDelay)
        mix = spatializer.makeMix()
        directLike = .allocate(capacity: Self.directLikeCount)
        for slot in 0..<Self.directLikeCount {
            (directLike + slot).initialize(
                to: PathSlot(
                    DirectLikePath(spatializer, outputCount: outputCount),
                    DirectLikePath(spatializer, outputCount: outputCount)))
        }
        diffuse = .allocate(capacity: Self.diffuseCount)
        for slot in 0..<Self.diffuseCount {
            (diffuse + slot).initialize(to: PathSlot(DiffusePath(spatializer), DiffusePath(spatializer)))
        }
        ringing = PositionCell(Int64(filterTail))
        entry.fade(to: 1, frames: fadesIn ? fadeFrames : 0)
    }

    deinit {
        cell.deallocate()
        ringing.deallocate()
        directLike.deinitialize(count: Self.directLikeCount).deallocate()
        diffuse.deinitialize(count: Self.diffuseCount).deallocate()
    }

    package mutating func render(_ ports: Ports, _ context: RenderContext, _ targets: FieldTargets) {
        rest.listen(ports, context, longest: longestSilence)
        let isNew = context.isControlPoint && cell.advance()
        if isNew { publishTail() }
        if rest.isResting {
            guard rest.wakes(longest: longestSilence) else { return ports.silenceOutputs(context.frames) }
            settle()
        } else if isNew || (isWaiting && context.isOnGrid) {
            take()
        }
        enter(ports.input(0), context.frames)
        sound(ports, context, targets)
    }

    private mutating func enter(_ input: UnsafePointer<Float>, _ frames: Int) {
        if entry.isIdle { return line.write(input, frames) }
        scratch.pointer.update(from: input, count: frames)
        entry.process(scratch.pointer, frames)
        line.write(scratch.pointer, frames)
    }

    private func sound(_ ports: Ports, _ context: RenderContext, _ targets: FieldTargets) {
        let frames = context.frames
        for channel in 0..<outputCount { Mixing.clear(ports.output(channel), frames) }
        let (sound, direct) = (scratch.pointer, mix.output(ports.outputs))
        for slot in 0..<Self.directLikeCount {
            directLike[slot].sound { $0.add(from: line, by: sound, to: direct, offset: context.offset, frames) }
        }
        mix.play(addingTo: ports.outputs, context)
        for slot in 0..<Self.diffuseCount {
            diffuse[slot].sound { $0.add(from: line, by: sound, to: targets, frames) }
        }
    }

    /// What is on its way on the paths of another output arrives on these. While neither renders.
    package mutating func adoptFlight(of other: borrowing PathsRenderer) {
        rest = other.rest
        line.adopt(other.line)
    }

    // MARK: Parameters

    /// Frames of silence behind which all memory holds zeros, however long the paths are.
    private var longestSilence: Int { longestDelay + filterTail }

    private mutating func take() {
        let new = cell.currentPlace
        let rampFrames = min(max(new.pointee.rampFrames, Grid.quantum), longestDelay)
        isWaiting = false
        for slot in 0..<Self.directLikeCount {
            isWaiting =
                !directLike[slot].take(new.pointee.directLike[slot], rampFrames: rampFrames, fadeFrames: fadeFrames)
                || isWaiting
        }
        for slot in 0..<Self.diffuseCount {
            isWaiting =
                !diffuse[slot].take(new.pointee.diffuse[slot], rampFrames: rampFrames, fadeFrames: fadeFrames)
                || isWaiting
        }
    }

    private mutating func settle() {
        let new = cell.currentPlace
        isWaiting = false
        for slot in 0..<Self.directLikeCount { directLike[slot].settle(new.pointee.directLike[slot]) }
        for slot in 0..<Self.diffuseCount { diffuse[slot].settle(new.pointee.diffuse[slot]) }
    }

    private mutating func publishTail() {
        let new = cell.currentPlace
        var longest = 0.0
        for slot in 0..<Self.directLikeCount where !new.pointee.directLike[slot].isSilent {
            longest = max(longest, new.pointee.directLike[slot].propagation.delay)
        }
        for slot in 0..<Self.diffuseCount where !new.pointee.diffuse[slot].isSilent {
            longest = max(longest, new.pointee.diffuse[slot].propagation.delay)
        }
        ringing.store(Int64(filterTail) + Int64(min(max(longest, longestBefore), Double(longestDelay))))
        longestBefore = longest
    }
}

extension PathsRenderer {
    /// What happens to the sound of a path before it arrives.
    package struct Propagation: BitwiseCopyable, Sendable {
        /// Frames from the source to the head, 0…`longestTravel`; beyond, held there. Not finite counts as 0.
        package var delay: Double
        package var equalizer: BandEqualizerDesign
        /// Changes whenever the design does.
        package var equalizerVersion: UInt32
        /// Changes when the slot holds another path than before: the two are cross-faded.
        package var generation: UInt32

        package init(
            delay: Double, equalizer: BandEqualizerDesign = .transparent, equalizerVersion: UInt32 = 0,
            generation: UInt32 = 0
        ) {
            (self.delay, self.equalizer, self.equalizerVersion, self.generation) = (
                delay, equalizer, equalizerVersion, generation
            )
        }
    }

    /// A direct-like path with a direction of its own: around an edge, or a strong reflection.
    package struct DirectLike: BitwiseCopyable, Sendable {
        package var propagation: Propagation
        /// Towards where it comes from, in the head's axes (x right, y up, z back), any length.
        package var direction: SIMD3<Float>
        /// Amplitude, distance included; 0 for an empty slot.
        package var gain: Float

        package init(_ propagation: Propagation, direction: SIMD3<Float>, gain: Float) {
            (self.propagation, self.direction, self.gain) = (propagation, direction, gain)
        }

        package static var silent: DirectLike {
            DirectLike(Propagation(delay: 0, equalizer: .silent), direction: SIMD3(0, 0, -1), gain: 0)
        }
    }

    /// A diffuse path.
    package struct Diffuse: BitwiseCopyable, Sendable {
        package var propagation: Propagation
        /// Amplitude in each channel of the bus, distance included (`FieldDirection.gains` times the path's own); 0 for
        /// an empty slot.
        package var gains: SIMD16<Float>

        package init(_ propagation: Propagation, gains: SIMD16<Float>) {
            (self.propagation, self.gains) = (propagation, gains)
        }

        package static var silent: Diffuse { Diffuse(Propagation(delay: 0, equalizer: .silent), gains: .zero) }
    }

    /// All slots of one source: 11 KB, copied once by the writer and read in place by the audio thread.
    package struct Parameters: BitwiseCopyable, Sendable {
        package var directLike: InlineArray<4, DirectLike>
        package var diffuse: InlineArray<20, Diffuse>
        /// What is no new path glides for this long: delays (which is their Doppler), directions, gains and bands. Held
        /// between a quantum and half a second.
        package var rampFrames: Int

        /// Empty slots.
        package init(rampFrames: Int) {
            (directLike, diffuse) = (InlineArray(repeating: .silent), InlineArray(repeating: .silent))
            self.rampFrames = rampFrames
        }
    }
}
