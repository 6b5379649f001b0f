import OssicleCore

/// Feedback delay networks of four sizes, all made ahead; one sounds, and during a cross-fade another is being left.
///
/// Delays cannot change while they sound, decay times can: a change of the field glides within a network, a change of
/// size fades from one network to another that starts from silence. A change that is asked for during a fade waits
/// until it is over, the newest alone. Audio thread, but for `init`.
struct NetworkPool: ~Copyable {
    /// Mean free times in seconds, from small rooms to halls. Presets lie within a quarter of the nearest, but for
    /// large halls and the cathedral, whose delays a network of sixteen lines would leave too far apart.
    static let sizes: InlineArray<4, Double> = [0.008, 0.013, 0.020, 0.032]
    private static let sizeCount = 4

    private struct Aim: BitwiseCopyable {
        var size: Int
        var field: FeedbackDelayNetwork.Parameters
    }

    private let networks: UnsafeMutablePointer<FeedbackDelayNetwork>
    private let glide: Int
    private var present: Aim
    private var leaving: Int?
    private var waiting: Aim?
    /// Of the new network's input, so that it is not woken by a step, and of the old one's outputs.
    private var arrival = GainRamp(1)
    private var farewell = GainRamp(0)
    private let entering = SampleMemory(count: Grid.quantum)
    private let left = SampleMemory(count: FeedbackDelayNetwork.outputCount * Grid.quantum)
    private let heads: OwnedMemory<UnsafeMutablePointer<Float>>

    init(sampleRate: Double, seed: UInt64, meanFreeTime: Double, field: FeedbackDelayNetwork.Parameters) {
        glide = Int(0.05 * sampleRate)
        networks = .allocate(capacity: Self.sizeCount)
        for size in 0..<Self.sizeCount {
            let settings = FeedbackDelayNetwork.Settings(
                sampleRate: sampleRate, meanFreeTime: Self.sizes[size], longestStart: 1, seed: seed)
            (networks + size).initialize(to: FeedbackDelayNetwork(settings, field))
        }
        present = Aim(size: Self.nearest(meanFreeTime), field: field)
        heads = OwnedMemory(count: FeedbackDelayNetwork.outputCount, left.pointer)
        for output in 0..<FeedbackDelayNetwork.outputCount {
            heads.pointer[output] = left.pointer + output * Grid.quantum
        }
    }

    deinit { networks.deinitialize(count: Self.sizeCount).deallocate() }

    /// By ratio.
    private static func nearest(_ meanFreeTime: Double) -> Int {
        var size = 0
        while size + 1 < sizeCount, meanFreeTime * meanFreeTime > sizes[size] * sizes[size + 1] { size += 1 }
        return size
    }

    /// Silences everything and ends every fade where it leads to.
    mutating func reset() {
        if let waiting { present = waiting }
        (leaving, waiting) = (nil, nil)
        networks[present.size].setTarget(present.field, frames: 0)
        networks[present.size].reset()
    }

    mutating func take(meanFreeTime: Double, field: FeedbackDelayNetwork.Parameters, atOnce: Bool) {
        let aim = Aim(size: Self.nearest(meanFreeTime), field: field)
        if atOnce {
            if aim.size != present.size { networks[aim.size].reset() }
            (present, leaving, waiting) = (aim, nil, nil)
            networks[aim.size].setTarget(field, frames: 0)
        } else if leaving != nil {
            waiting = aim
        } else {
            move(to: aim)
        }
    }

    private mutating func move(to aim: Aim) {
        if aim.size == present.size {
            if aim.field != present.field { networks[aim.size].setTarget(aim.field, frames: glide) }
        } else {
            networks[aim.size].reset()
            networks[aim.size].setTarget(aim.field, frames: 0)
            leaving = present.size
            (arrival, farewell) = (GainRamp(0), GainRamp(1))
            arrival.setTarget(1, frames: glide)
            farewell.setTarget(0, frames: glide)
        }
        present = aim
    }

    /// Frames until a fade ends.
    var framesToChange: Int { leaving == nil ? .max : farewell.framesLeft }

    /// Mono in, eight channels out (overwritten); n at most `framesToChange` and one quantum.
    mutating func process(
        _ input: UnsafePointer<Float>, to outputs: UnsafePointer<UnsafeMutablePointer<Float>>, _ n: Int
    ) {
        guard let leaving else { return networks[present.size].process(input, outputs: outputs, n) }
        arrival.process(from: input, to: entering.pointer, n)
        networks[present.size].process(entering.pointer, outputs: outputs, n)
        networks[leaving].process(input, outputs: heads.pointer, n)
        let start = farewell
        for output in 0..<FeedbackDelayNetwork.outputCount {
            farewell = start
            farewell.add(from: heads.pointer[output], to: outputs[output], n)
        }
        if farewell.isIdle { arrive() }
    }

    private mutating func arrive() {
        leaving = nil
        guard let waiting else { return }
        self.waiting = nil
        move(to: waiting)
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
