import OssicleCore
import OssicleDSP

/// Reads a sample source at any rate: an exact copy at unity, windowed sinc otherwise. Several channels into one output
/// are their mean, which is interpolated once.
struct VoiceReader: ~Copyable {
    var source: SampleSource
    /// Source frame that comes next, and how far between it and the one behind it, in 2⁻³².
    private(set) var frame: Int64 = 0
    private(set) var fraction: UInt32 = 0
    /// Frames that a window could not deliver in time.
    private(set) var starvedFrames: Int64 = 0
    private let outputCount: Int
    private let scratch = SampleMemory(count: VoiceReader.scratchFrames + Grid.quantum)

    init(_ source: SampleSource, outputCount: Int) {
        (self.source, self.outputCount) = (source, outputCount)
    }

    mutating func move(to place: Int64) { (frame, fraction) = (place, 0) }

    mutating func advance(_ frames: Int, step: UInt64) {
        let place = UInt64(fraction) &+ UInt64(frames) &* step
        frame += Int64(place >> 32)
        fraction = UInt32(truncatingIfNeeded: place)
        source.window?.consumed.pointee.store(max(0, frame - Int64(SincTable.longestReach)))
    }

    /// Whether all of a one-shot has been read: the interpolation filter decays behind the
    /// last frame.
    var isBehindEnd: Bool { !source.loops && frame >= source.frameCount + Int64(SincTable.longestReach) }

    /// Engine frames until a one-shot's last source frame has passed; nil for a loop, and for what is longer than a
    /// day.
    func framesLeft(from place: Int64, _ fraction: UInt32, step: UInt64) -> Int64? {
        let left = source.frameCount - place
        guard !source.loops, left < 1 << 31, step > 0 else { return nil }
        let distance = left > 0 ? (UInt64(left) << 32) &- UInt64(fraction) : 0
        return Int64(distance / step) + (distance % step > 0 ? 1 : 0)
    }

    /// The first source frame that the next `frames` outputs do not need.
    func end(ofNext frames: Int, step: UInt64, table: UnsafePointer<SincTable>) -> Int64 {
        if isExact(step) { return frame + Int64(frames) }
        return frame
            + Int64(SincInterpolator.framesNeeded(position: UInt64(fraction), step: step, table: table.pointee, frames))
    }

    /// The next frames into every output, from `offset` on. The place stays; `advance` moves it.
    mutating func read(to ports: Ports, _ offset: Int, _ frames: Int, step: UInt64, table: UnsafePointer<SincTable>) {
        if source.channelCount == outputCount {
            for channel in 0..<outputCount { fetch(channel, to: ports.output(channel) + offset, frames, step, table) }
        } else {
            fetch(nil, to: ports.output(0) + offset, frames, step, table)
        }
    }

    private func isExact(_ step: UInt64) -> Bool { step == PlayerRenderer.unityStep && fraction == 0 }

    /// - Parameter channel: nil for the mean of all.
    private mutating func fetch(
        _ channel: Int?, to output: UnsafeMutablePointer<Float>, _ frames: Int, _ step: UInt64,
        _ table: UnsafePointer<SincTable>
    ) {
        if isExact(step) {
            return load(channel, from: frame, frames, to: output)
        }
        let behind = table.pointee.lookBehind
        var place = UInt64(fraction)
        var done = 0
        while done < frames {
            let run = min(frames - done, Self.framesPerScratch(step))
            let start = frame + Int64(place >> 32)
            let within = place & 0xFFFF_FFFF
            let span = behind + SincInterpolator.framesNeeded(position: within, step: step, table: table.pointee, run)
            load(channel, from: start - Int64(behind), span, to: scratch.pointer)
            SincInterpolator.process(
                source: scratch.pointer + behind, table: table.pointee, position: within, step: step, to: output + done,
                run)
            place &+= UInt64(run) &* step
            done += run
        }
    }

    /// Source frames of one channel, or the mean of all.
    private mutating func load(
        _ channel: Int?, from start: Int64, _ count: Int, to buffer: UnsafeMutablePointer<Float>
    ) {
        starvedFrames += Int64(source.read(channel ?? 0, from: start, count: count, to: buffer))
        guard channel == nil else { return }
        let other = scratch.pointer + Self.scratchFrames
        for channel in 1..<max(source.channelCount, 1) {
            var done = 0
            while done < count {
                let run = min(count - done, Grid.quantum)
                starvedFrames += Int64(source.read(channel, from: start + Int64(done), count: run, to: other))
                Mixing.add(other, into: buffer + done, run)
                done += run
            }
        }
        Mixing.scale(buffer, by: 1 / Float(max(source.channelCount, 1)), count)
    }

    /// Source frames that fit the scratch memory at once.
    private static var scratchFrames: Int { 2048 }

    private static func framesPerScratch(_ step: UInt64) -> Int {
        let room = UInt64(scratchFrames - 2 * SincTable.longestReach - 2) << 32
        return max(1, Int(room / max(step, 1)))
    }
}

/// The newest parameters of a voice, and the gain on its way to them.
struct VoiceLevels: BitwiseCopyable {
    private(set) var parameters: PlayerRenderer.Parameters
    private var gain: GainRamp
    private var isFresh = true

    init(_ parameters: PlayerRenderer.Parameters) {
        self.parameters = parameters
        gain = GainRamp(parameters.gain)
    }

    /// What comes before the first frame that sounds holds at once.
    mutating func take(_ new: PlayerRenderer.Parameters) {
        gain.setTarget(new.gain, frames: isFresh ? 0 : new.rampFrames)
        parameters = new
    }

    /// Edge and gain on `frames` frames of every output, from `offset` on. Every channel gets the same ramps: each
    /// starts from a copy, the last one leaves its state behind.
    mutating func apply(_ edge: inout GainRamp, to ports: Ports, _ offset: Int, _ frames: Int) {
        isFresh = false
        let (edgeBefore, gainBefore) = (edge, gain)
        for channel in 0..<ports.outputCount {
            (edge, gain) = (edgeBefore, gainBefore)
            edge.process(ports.output(channel) + offset, frames)
            gain.process(ports.output(channel) + offset, frames)
        }
    }
}
