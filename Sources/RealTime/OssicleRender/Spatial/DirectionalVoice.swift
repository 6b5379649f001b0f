import OssicleCore
import OssicleDSP

/// One mono sound from one direction, after a delay: a delay line, and behind it two ears or the loudspeakers.
///
///     in ──▶ delay line ─┬─ tap (distance + left ear) ──▶ FIR ──▶ left
///                        └─ tap (distance + right ear) ─▶ FIR ──▶ right          or one tap ──▶ a gain per loudspeaker
///
/// Sources, the channels of a bed and the directions of the late field are all voices. Another head in the cell is put on by the voice itself, in the
/// next block: filters and delays of its direction cross-fade over a quantum, and from then on nothing tells it from a voice that never had another;
/// on the move, once its ears are as far behind the direction as those would be (`HeadRenderer.follow`).
package struct DirectionalVoice: ~Copyable {
    private let spatializer: Spatializer
    private let outputCount: Int
    private var line: FractionalDelayLine
    private var leftTap: DelayTap
    private var rightTap: DelayTap
    private var head: HeadRenderer
    /// The head in the cell when last looked.
    private var worn: HeadTable?
    private var speakers: SpeakerGains
    private let scratch = SampleMemory(count: 2 * Grid.quantum)

    private var glide: Glide
    /// What the kernels were last turned to.
    private var aimed = (direction: SIMD3<Float>(0, 0, -1), delay: 0.0)
    private var isPlaced = false
    /// Frames left in the segment that the kernels are interpolating over.
    private var segmentLeft = 0
    private let longestDelay: Float

    /// Frames that the delay line needs by itself.
    private let latency: Double

    /// - Parameters:
    ///   - longestDelay: frames; longer ones are held there.
    package init(spatializer: Spatializer, outputCount: Int, longestDelay: Int) {
        self.spatializer = spatializer
        self.outputCount = outputCount
        self.longestDelay = Float(max(longestDelay, 0))
        let least = FractionalDelayLine.minimumDelay
        latency = least
        let headRoom: Int
        switch spatializer {
        case .binaural(let cell):
            let table = cell.table
            head = HeadRenderer(tapCount: table.tapCount)
            worn = table
            speakers = SpeakerGains(count: 0)
            // No head's delays exceed 2 ms (`HeadSet`): 96 frames at 48 kHz, where its filters have 128 taps, and so on with the rate.
            headRoom = max(256, table.tapCount)
        case .panned:
            head = HeadRenderer(tapCount: 1)
            worn = nil
            speakers = SpeakerGains(count: outputCount)
            headRoom = 0
        }
        line = FractionalDelayLine(maximumDelay: max(longestDelay, 0) + Int(least) + headRoom + 1)
        leftTap = DelayTap(least)
        rightTap = leftTap
        glide = Glide(direction: SIMD3(0, 0, -1), delay: 0)
    }

    /// Frames of travel it has or is on its way to.
    package var delay: Float { glide.target.delay }

    /// Where the sound comes from. The first place is taken at once; later ones are glided to over `frames`.
    /// - Parameters:
    ///   - direction: in the head's axes (x right, y up, z back), any length. - delay: frames of travel.
    ///   - jumps: cross-fade to the new delay instead of sweeping through those between.
    package mutating func place(_ direction: SIMD3<Float>, delay: Float, frames: Int, jumps: Bool) {
        let delay = delay.isFinite ? min(max(delay, 0), longestDelay) : 0
        let hasAnotherHead = takeHead()
        let place = glide.target
        let stays = isPlaced && place.direction == direction && place.delay == delay
        if hasAnotherHead && (stays || !jumps) { fadeToHead() }
        if stays { return }
        if !isPlaced || jumps {
            glide = Glide(direction: direction, delay: delay)
            aim(direction, Double(delay), frames: Grid.quantum, jumps: isPlaced, isFirst: !isPlaced)
            segmentLeft = isPlaced ? Grid.quantum : 0
            isPlaced = true
        } else {
            // It begins where the running segment ends.
            glide.head(for: direction, delay: delay, frames: frames - segmentLeft)
        }
    }

    /// As if nothing had been placed yet: the next place is taken at once. For a voice that has been silent for as long as its longest delay.
    package mutating func restart() {
        head.reset()
        (isPlaced, segmentLeft) = (false, 0)
    }

    /// Turns to a place, to be reached in `frames` frames, and stays there: for who works the way out himself, piece by piece.
    /// - Parameters:
    ///   - direction: as in `place`. - delay: frames of travel. - frames: at least 1.
    package mutating func steer(to direction: SIMD3<Float>, delay: Double, frames: Int) {
        guard isPlaced else { return place(direction, delay: Float(delay), frames: frames, jumps: false) }
        let delay = delay.isNaN ? 0 : min(max(delay, 0), Double(longestDelay))
        glide = Glide(direction: direction, delay: Float(delay))
        aim(direction, delay, frames: max(frames, 1), jumps: false, isFirst: false)
        segmentLeft = max(frames, 1)
    }

    /// Adds `frames` frames of the placed sound to the outputs.
    package mutating func process(_ input: UnsafePointer<Float>, addingTo outputs: UnsafePointer<UnsafeMutablePointer<Float>>, _ frames: Int) {
        if takeHead() { fadeToHead() }
        var done = 0
        while done < frames {
            if segmentLeft == 0 { beginSegment() }
            let run = segmentLeft == 0 ? frames - done : min(frames - done, segmentLeft)
            sound(input + done, outputs, offset: done, run)
            segmentLeft = max(segmentLeft - run, 0)
            done += run
        }
    }

    /// The next piece of the way, or of what the ears still lack at its end.
    private mutating func beginSegment() {
        if !glide.isOver {
            let place = glide.walk()
            aim(place.direction, Double(place.delay), frames: place.frames, jumps: false, isFirst: false)
            segmentLeft = place.frames
        } else if !head.isSettled {
            aim(aimed.direction, aimed.delay, frames: Grid.quantum, jumps: false, isFirst: false)
            segmentLeft = Grid.quantum
        }
    }

    /// - Returns: whether the cell holds another head than when it was last looked at.
    private mutating func takeHead() -> Bool {
        guard case .binaural(let cell) = spatializer else { return false }
        let table = cell.table
        guard table != worn else { return false }
        worn = table
        return true
    }

    /// Cross-fades to the place it has reached or is about to, as another head hears it. Its way goes on from there in its own time.
    private mutating func fadeToHead() {
        guard isPlaced else { return }
        aim(aimed.direction, aimed.delay, frames: 0, jumps: true, isFirst: false)
    }

    /// Turns the kernels to a place, to be reached in `frames` frames.
    private mutating func aim(_ direction: SIMD3<Float>, _ delay: Double, frames: Int, jumps: Bool, isFirst: Bool) {
        aimed = (direction, delay)
        switch spatializer {
        case .binaural:
            guard let table = worn else { return }
            let ears = jumps || isFirst ? head.turn(to: direction, in: table) : head.follow(direction, in: table, frames: frames)
            let start = tapDelay(delay, within: latency + Double(table.frontDelay))
            Self.turn(&leftTap, to: start + Double(ears.left), frames: frames, jumps: jumps, isFirst: isFirst)
            Self.turn(&rightTap, to: start + Double(ears.right), frames: frames, jumps: jumps, isFirst: isFirst)
        case .panned(let panner):
            Self.turn(&leftTap, to: tapDelay(delay, within: latency), frames: frames, jumps: jumps, isFirst: isFirst)
            speakers.turn(to: direction, by: panner, frames: isFirst ? 0 : frames)
        }
    }

    /// What the kernels delay by themselves is taken off the way, as far as the way is long enough.
    private func tapDelay(_ delay: Double, within own: Double) -> Double { latency + max(delay - own, 0) }

    private static func turn(_ tap: inout DelayTap, to delay: Double, frames: Int, jumps: Bool, isFirst: Bool) {
        if isFirst { tap = DelayTap(delay) } else if jumps { tap.jump(to: delay, frames: Grid.quantum) } else { tap.setTarget(delay, frames: frames) }
    }

    private mutating func sound(_ input: UnsafePointer<Float>, _ outputs: UnsafePointer<UnsafeMutablePointer<Float>>, offset: Int, _ frames: Int) {
        let (left, right) = (scratch.pointer, scratch.pointer + Grid.quantum)
        line.write(input, frames)
        line.read(&leftTap, to: left, frames)
        switch spatializer {
        case .binaural:
            line.read(&rightTap, to: right, frames)
            head.process(left: left, right: right, addingToLeft: outputs[0] + offset, right: outputs[1] + offset, frames: frames)
        case .panned:
            speakers.add(left, to: outputs, offset: offset, frames)
        }
    }
}
