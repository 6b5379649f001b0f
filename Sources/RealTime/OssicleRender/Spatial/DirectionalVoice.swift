import OssicleCore
import OssicleDSP

/// One mono sound from one direction, after a delay: a delay line, and behind it two ears or the loudspeakers.
///
///     in ──▶ delay line ─┬─ tap (distance + left ear) ──▶ FIR ──▶ left
///                        └─ tap (distance + right ear) ─▶ FIR ──▶ right          or one tap ──▶ a gain per loudspeaker
///
/// Sources, the channels of a bed and the directions of the late field are all voices.
package struct DirectionalVoice: ~Copyable {
    private let spatializer: Spatializer
    private let outputCount: Int
    private var line: FractionalDelayLine
    private var leftTap: DelayTap
    private var rightTap: DelayTap
    private var head: HeadRenderer
    private var speakers: SpeakerGains
    private let scratch = SampleMemory(count: 2 * Grid.quantum)

    private var glide: Glide
    private var isPlaced = false
    /// Frames left in the segment that the kernels are interpolating over.
    private var segmentLeft = 0
    private let longestDelay: Float

    /// Frames that the delay line needs by itself.
    private let latency: Float

    /// - Parameters:
    ///   - longestDelay: frames; longer ones are held there.
    package init(spatializer: Spatializer, outputCount: Int, longestDelay: Int) {
        self.spatializer = spatializer
        self.outputCount = outputCount
        self.longestDelay = Float(max(longestDelay, 0))
        let least = FractionalDelayLine.minimumDelay
        latency = Float(least)
        let headRoom: Int
        switch spatializer {
        case .binaural(let table):
            head = HeadRenderer(tapCount: table.tapCount)
            speakers = SpeakerGains(count: 0)
            headRoom = 256
        case .panned:
            head = HeadRenderer(tapCount: 1)
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
        let place = glide.target
        if isPlaced && place.direction == direction && place.delay == delay { return }
        if !isPlaced || jumps {
            glide = Glide(direction: direction, delay: delay)
            aim(direction, delay, frames: Grid.quantum, jumps: isPlaced, isFirst: !isPlaced)
            segmentLeft = isPlaced ? Grid.quantum : 0
            isPlaced = true
        } else {
            // It begins where the running segment ends.
            glide.head(for: direction, delay: delay, frames: frames - segmentLeft)
        }
    }

    /// Adds `frames` frames of the placed sound to the outputs.
    package mutating func process(_ input: UnsafePointer<Float>, addingTo outputs: UnsafePointer<UnsafeMutablePointer<Float>>, _ frames: Int) {
        var done = 0
        while done < frames {
            if segmentLeft == 0 && !glide.isOver {
                let place = glide.walk()
                aim(place.direction, place.delay, frames: place.frames, jumps: false, isFirst: false)
                segmentLeft = place.frames
            }
            let run = segmentLeft == 0 ? frames - done : min(frames - done, segmentLeft)
            sound(input + done, outputs, offset: done, run)
            segmentLeft = max(segmentLeft - run, 0)
            done += run
        }
    }

    /// Turns the kernels to a place, to be reached in `frames` frames.
    private mutating func aim(_ direction: SIMD3<Float>, _ delay: Float, frames: Int, jumps: Bool, isFirst: Bool) {
        switch spatializer {
        case .binaural(let table):
            let ears = head.turn(to: direction, in: table)
            let start = tapDelay(delay, within: latency + table.frontDelay)
            Self.turn(&leftTap, to: start + ears.left, frames: frames, jumps: jumps, isFirst: isFirst)
            Self.turn(&rightTap, to: start + ears.right, frames: frames, jumps: jumps, isFirst: isFirst)
        case .panned(let panner):
            Self.turn(&leftTap, to: tapDelay(delay, within: latency), frames: frames, jumps: jumps, isFirst: isFirst)
            speakers.turn(to: direction, by: panner, frames: isFirst ? 0 : frames)
        }
    }

    /// What the kernels delay by themselves is taken off the way, as far as the way is long enough.
    private func tapDelay(_ delay: Float, within own: Float) -> Float { latency + max(delay - own, 0) }

    private static func turn(_ tap: inout DelayTap, to delay: Float, frames: Int, jumps: Bool, isFirst: Bool) {
        let delay = Double(delay)
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
