import OssicleCore
import OssicleDSP

/// One source's paths other than the straight one: around edges and off walls, each with a delay, a colour and a
/// direction of its own. Ports: mono bus → direct channels; eight corners, for an `EarlyFieldRenderer`.
///
///     in ──▶ delay line ─┬─▶ 4 sharp slots: tap ──▶ octave bands ──▶ gain ──▶ head filters or panner ──▶ direct
///                        └─▶ 20 soft slots: tap ──▶ octave bands ──▶ gains ─────────────────────────────▶ corners
///
/// The line is written once for all. The bands stand behind the tap and the gain behind the bands: a path changes
/// without waiting for its travel time, and a new one carries at once all that is under way.
package struct PathsRenderer: ControlledRenderer, ~Copyable {
    package static var sharpCount: Int { 4 }
    package static var softCount: Int { 20 }
    package static var cornerCount: Int { DiffuseBinaural.cornerCount }
    /// Seconds; longer ways are held there.
    package static var longestTravel: Double { 0.5 }
    /// Seconds in which one path gives way to another in its slot.
    package static var fadeTime: Double { 0.04 }

    /// Its tail is what is on its way, and the filters' rest.
    package var control: RingingControl<Parameters> { RingingControl(cell: cell, ringing: ringing) }
    private let cell = LatestValueCell(Parameters(rampFrames: 0))
    private let ringing: PositionCell
    private let outputCount: Int
    private let fadeFrames: Int
    private let longestDelay: Int
    /// Frames in which the lowest band's filter dies away by more than 100 dB.
    private let filterTail: Int
    private var line: FractionalDelayLine
    /// Lets sound in that was there before.
    private var entry = Ramp<FadeWeight>.silent
    private let sharp: UnsafeMutablePointer<PathSlot<DirectLikePath>>
    private let soft: UnsafeMutablePointer<PathSlot<DiffusePath>>
    private let corners = CornerSum()
    private let scratch = SampleMemory(count: Grid.quantum)
    private var rest = Rest()
    /// A slot has not taken what it was given last.
    private var isWaiting = false
    /// Frames of the longest way taken before.
    private var longestBefore = 0.0

    /// - Parameter fadesIn: whether it comes to a sound that plays already, which must not begin anew on every path.
    package init(sampleRate: Double, spatializer: Spatializer, outputCount: Int, fadesIn: Bool = false) {
        self.outputCount = outputCount
        fadeFrames = Int(Self.fadeTime * sampleRate)
        longestDelay = Int(Self.longestTravel * sampleRate)
        filterTail = Int(0.1 * sampleRate)
        line = FractionalDelayLine(maximumDelay: longestDelay)
        sharp = .allocate(capacity: Self.sharpCount)
        for slot in 0..<Self.sharpCount {
            (sharp + slot).initialize(
                to: PathSlot(
                    DirectLikePath(spatializer, outputCount: outputCount),
                    DirectLikePath(spatializer, outputCount: outputCount)))
        }
        soft = .allocate(capacity: Self.softCount)
        for slot in 0..<Self.softCount {
            (soft + slot).initialize(to: PathSlot(DiffusePath(spatializer), DiffusePath(spatializer)))
        }
        ringing = PositionCell(Int64(filterTail))
        entry.fade(to: 1, frames: fadesIn ? fadeFrames : 0)
    }

    deinit {
        cell.deallocate()
        ringing.deallocate()
        sharp.deinitialize(count: Self.sharpCount).deallocate()
        soft.deinitialize(count: Self.softCount).deallocate()
    }

    package mutating func render(_ ports: Ports, _ context: RenderContext) {
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
        sound(ports, context.frames)
    }

    private mutating func enter(_ input: UnsafePointer<Float>, _ frames: Int) {
        if entry.isIdle { return line.write(input, frames) }
        scratch.pointer.update(from: input, count: frames)
        entry.process(scratch.pointer, frames)
        line.write(scratch.pointer, frames)
    }

    private func sound(_ ports: Ports, _ frames: Int) {
        for channel in 0..<outputCount { Mixing.clear(ports.output(channel), frames) }
        corners.clear(frames)
        let (sound, directOut, cornersOut) = (scratch.pointer, ports.outputs, ports.outputs + outputCount)
        for slot in 0..<Self.sharpCount { sharp[slot].sound { $0.add(from: line, by: sound, to: directOut, frames) } }
        for slot in 0..<Self.softCount {
            soft[slot].sound { $0.add(from: line, by: sound, to: corners.frames, frames) }
        }
        corners.write(to: cornersOut, frames)
    }

    // MARK: Parameters

    /// Frames of silence behind which all memory holds zeros, however long the ways are.
    private var longestSilence: Int { longestDelay + filterTail }

    private mutating func take() {
        let new = cell.currentPlace
        let rampFrames = min(max(new.pointee.rampFrames, Grid.quantum), longestDelay)
        isWaiting = false
        for slot in 0..<Self.sharpCount {
            isWaiting =
                !sharp[slot].take(new.pointee.sharp[slot], rampFrames: rampFrames, fadeFrames: fadeFrames) || isWaiting
        }
        for slot in 0..<Self.softCount {
            isWaiting =
                !soft[slot].take(new.pointee.soft[slot], rampFrames: rampFrames, fadeFrames: fadeFrames) || isWaiting
        }
    }

    private mutating func settle() {
        let new = cell.currentPlace
        isWaiting = false
        for slot in 0..<Self.sharpCount { sharp[slot].settle(new.pointee.sharp[slot]) }
        for slot in 0..<Self.softCount { soft[slot].settle(new.pointee.soft[slot]) }
    }

    private mutating func publishTail() {
        let new = cell.currentPlace
        var longest = 0.0
        for slot in 0..<Self.sharpCount where !new.pointee.sharp[slot].isSilent {
            longest = max(longest, new.pointee.sharp[slot].way.delay)
        }
        for slot in 0..<Self.softCount where !new.pointee.soft[slot].isSilent {
            longest = max(longest, new.pointee.soft[slot].way.delay)
        }
        ringing.store(Int64(filterTail) + Int64(min(max(longest, longestBefore), Double(longestDelay))))
        longestBefore = longest
    }
}

extension PathsRenderer {
    /// What happens to the sound of a path before it arrives.
    package struct Way: BitwiseCopyable, Sendable {
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
    package struct Sharp: BitwiseCopyable, Sendable {
        package var way: Way
        /// Towards where it comes from, in the head's axes (x right, y up, z back), any length.
        package var direction: SIMD3<Float>
        /// Amplitude, distance included; 0 for an empty slot.
        package var gain: Float

        package init(_ way: Way, direction: SIMD3<Float>, gain: Float) {
            (self.way, self.direction, self.gain) = (way, direction, gain)
        }

        package static var silent: Sharp {
            Sharp(Way(delay: 0, equalizer: .silent), direction: SIMD3(0, 0, -1), gain: 0)
        }
    }

    /// A diffuse path, panned between the corners of the cube around the head.
    package struct Soft: BitwiseCopyable, Sendable {
        package var way: Way
        /// Amplitude towards each corner, distance included (`CubePanner.gains` times the path's own); 0 for an empty
        /// slot.
        package var corners: SIMD8<Float>

        package init(_ way: Way, corners: SIMD8<Float>) {
            (self.way, self.corners) = (way, corners)
        }

        package static var silent: Soft { Soft(Way(delay: 0, equalizer: .silent), corners: .zero) }
    }

    /// All slots of one source: 11 KB, copied once by the writer and read in place by the audio thread.
    package struct Parameters: BitwiseCopyable, Sendable {
        package var sharp: InlineArray<4, Sharp>
        package var soft: InlineArray<20, Soft>
        /// What is no new path glides for this long: delays (which is their Doppler), directions, gains and bands. Held
        /// between a quantum and half a second.
        package var rampFrames: Int

        /// Empty slots.
        package init(rampFrames: Int) {
            (sharp, soft) = (InlineArray(repeating: .silent), InlineArray(repeating: .silent))
            self.rampFrames = rampFrames
        }
    }
}
