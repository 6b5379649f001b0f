import OssicleCore

/// Feedback delay networks of four sizes, all made ahead; one is in use, or none, and others ring.
///
/// Delays cannot change while they sound, decay times can: a change of the field glides within a network, a change of
/// size opens another network to the sound, while the one before is fed until the other has filled (`RoomFeed`) and
/// then rings out. One that still rings is taken into use as it is. Audio thread, but for `init`.
struct NetworkPool: ~Copyable {
    /// Mean free times in seconds, from small rooms to halls. Presets lie within a quarter of the nearest, but for
    /// large halls and the cathedral, whose delays a network of sixteen lines would leave too far apart.
    static let sizes: InlineArray<4, Double> = [0.008, 0.013, 0.020, 0.032]
    private static let sizeCount = 4

    /// A network's place in the pool.
    private struct Place: BitwiseCopyable {
        var field: FeedbackDelayNetwork.Parameters
        var feed = RoomFeed(isOpen: false)
        /// Frames it rings on once its feed is shut; 0 for one that holds nothing.
        var ringing = 0
    }

    private let networks: UnsafeMutablePointer<FeedbackDelayNetwork>
    private let places: OwnedMemory<Place>
    private let sampleRate: Double
    private let glide: Int
    /// The size in use.
    private var present: Int?
    private let entering = SampleMemory(count: Grid.quantum)
    private let others = SampleMemory(count: FeedbackDelayNetwork.outputCount * Grid.quantum)
    private let heads: OwnedMemory<UnsafeMutablePointer<Float>>

    /// - Parameter isInUse: whether sound goes into the network of this size.
    init(
        sampleRate: Double, seed: UInt64, meanFreeTime: Double, field: FeedbackDelayNetwork.Parameters,
        isInUse: Bool = true
    ) {
        self.sampleRate = sampleRate
        glide = Int(0.05 * sampleRate)
        networks = .allocate(capacity: Self.sizeCount)
        for size in 0..<Self.sizeCount {
            let settings = FeedbackDelayNetwork.Settings(
                sampleRate: sampleRate, meanFreeTime: Self.sizes[size], longestStart: 1, seed: seed)
            (networks + size).initialize(to: FeedbackDelayNetwork(settings, field))
        }
        places = OwnedMemory(count: Self.sizeCount, Place(field: field))
        heads = OwnedMemory(count: FeedbackDelayNetwork.outputCount, others.pointer)
        for output in 0..<FeedbackDelayNetwork.outputCount {
            heads.pointer[output] = others.pointer + output * Grid.quantum
        }
        if isInUse { enter(Self.nearest(meanFreeTime), field, frames: 0) }
    }

    deinit { networks.deinitialize(count: Self.sizeCount).deallocate() }

    /// By ratio.
    private static func nearest(_ meanFreeTime: Double) -> Int {
        var size = 0
        while size + 1 < sizeCount, meanFreeTime * meanFreeTime > sizes[size] * sizes[size + 1] { size += 1 }
        return size
    }

    /// Silences everything and ends every change where it leads to.
    mutating func reset() {
        for size in 0..<Self.sizeCount where places.pointer[size].ringing > 0 { clear(size) }
        if let present { enter(present, places.pointer[present].field, frames: 0) }
    }

    mutating func take(meanFreeTime: Double, field: FeedbackDelayNetwork.Parameters, atOnce: Bool) {
        let size = Self.nearest(meanFreeTime)
        if atOnce {
            for other in 0..<Self.sizeCount where other != size && places.pointer[other].ringing > 0 { clear(other) }
        } else if size == present {
            if field != places.pointer[size].field { networks[size].setTarget(field, frames: glide) }
            places.pointer[size].field = field
            return
        } else {
            leave(for: field.buildUp(sampleRate: sampleRate))
        }
        enter(size, field, frames: atOnce ? 0 : glide)
    }

    /// None is in use from here on; another room fills instead.
    mutating func leave(for other: BuildUp, atOnce: Bool = false) {
        if let present { places.pointer[present].feed.close(while: other) }
        present = nil
        if atOnce { reset() }
    }

    private mutating func enter(_ size: Int, _ field: FeedbackDelayNetwork.Parameters, frames: Int) {
        let place = places.pointer + size
        // One that holds nothing has nothing that could click.
        networks[size].setTarget(field, frames: place.pointee.ringing > 0 ? frames : 0)
        place.pointee.field = field
        place.pointee.feed.open(frames: frames)
        // 90 dB.
        place.pointee.ringing = Int((1.5 * Double(field.t60.lanes.max()) + field.start) * sampleRate)
        present = size
    }

    private func clear(_ size: Int) {
        networks[size].reset()
        places.pointer[size].feed.shut()
        places.pointer[size].ringing = 0
    }

    /// Mono in, eight channels out (overwritten); n at most one quantum.
    mutating func process(
        _ input: UnsafePointer<Float>, to outputs: UnsafePointer<UnsafeMutablePointer<Float>>, _ n: Int
    ) {
        var isFirst = true
        for size in 0..<Self.sizeCount where places.pointer[size].ringing > 0 {
            places.pointer[size].feed.process(from: input, to: entering.pointer, n)
            networks[size].process(entering.pointer, outputs: isFirst ? outputs : UnsafePointer(heads.pointer), n)
            if !isFirst { add(to: outputs, n) }
            isFirst = false
        }
        if isFirst {
            for output in 0..<FeedbackDelayNetwork.outputCount { outputs[output].update(repeating: 0, count: n) }
        }
    }

    private func add(to outputs: UnsafePointer<UnsafeMutablePointer<Float>>, _ n: Int) {
        for output in 0..<FeedbackDelayNetwork.outputCount {
            for i in 0..<n { outputs[output][i] += heads.pointer[output][i] }
        }
    }

    /// Behind every quantum: clears what has no tail left.
    mutating func settle() {
        for size in 0..<Self.sizeCount where places.pointer[size].ringing > 0 && places.pointer[size].feed.isShut {
            places.pointer[size].ringing = max(places.pointer[size].ringing - Grid.quantum, 0)
            if places.pointer[size].ringing == 0 { clear(size) }
        }
    }
}

/// A room's input from several channels: their mean, so that a sound that is in all of them keeps its level.
enum MonoSum {
    static func mean(
        _ inputs: UnsafePointer<UnsafeMutablePointer<Float>>, _ count: Int, to mono: UnsafeMutablePointer<Float>,
        _ n: Int
    ) {
        mono.update(from: inputs[0], count: n)
        guard count > 1 else { return }
        for channel in 1..<count {
            for i in 0..<n { mono[i] += inputs[channel][i] }
        }
        let share = 1 / Float(count)
        for i in 0..<n { mono[i] *= share }
    }
}

/// Whether a reverb may sleep: nothing has gone in and nothing come out for so long that nothing can be left inside.
///
/// It decides once per quantum of its own frames, so that the cut into calls does not matter. Audio thread.
struct ReverbSleep: BitwiseCopyable {
    /// Frames of silence before sleep, in whole quanta.
    private let patience: Int
    /// Silence is −200 dBFS.
    private var silence = SilenceCount(threshold: 1e-10)
    /// Of the run that is under way.
    private var silentEnd = Int.max
    private var position = 0
    private(set) var isAsleep = false

    init(patience: Int) { self.patience = (patience + Grid.quantum - 1) / Grid.quantum * Grid.quantum }

    /// Begins to wait anew.
    mutating func wake() { self = ReverbSleep(patience: patience) }

    /// Frames until the next decision.
    var framesToDecision: Int { Grid.quantum - position }

    /// Takes note of one of the signals of a run; `fallsAsleep` ends the run.
    mutating func note(_ signal: UnsafePointer<Float>, _ n: Int) {
        silentEnd = min(silentEnd, silence.silentEnd(of: signal, n))
    }

    /// Lets n frames pass, at most `framesToDecision`; true at the moment sleep begins.
    mutating func fallsAsleep(after n: Int) -> Bool {
        silence.advance(n, silentEnd: silentEnd)
        silentEnd = .max
        position += n
        guard position >= Grid.quantum else { return false }
        position = 0
        isAsleep = silence.frames >= patience
        return isAsleep
    }

    /// Of one that is asleep: whether this input leaves it so.
    func sleepsOn(_ input: UnsafePointer<Float>, _ n: Int) -> Bool { SilenceCount().silentEnd(of: input, n) == n }
}
