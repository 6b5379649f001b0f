import OssicleCore

/// Takes what a loudspeaker plays out of a microphone's signal.
///
///     far ──▶ EchoReference (clock drift out) ──▶ spectra ──┬──▶ EchoDelay: hops of delay
///                                                          ▼
///     microphone ── look-ahead of the reference ──▶ EchoFilter ──▶ EchoSuppressor ──▶ VoiceLevel ──▶ output
///
/// Both signals are mono and begin at the same time. The output is `latency` frames late, at most 10 ms, and the same
/// to the bit however the signals are cut into calls. Memory is allocated in `init` only. Audio thread.
package struct EchoCanceller: ~Copyable {
    /// Fixed for the life of a canceller.
    package struct Settings: BitwiseCopyable, Sendable {
        /// Length of the echo path that is modelled, s; held within 0.02 … 1.
        package var tail = 0.256
        /// Longest delay between the signals, s; held within 0 … 1.
        package var longestDelay = 0.5
        package var correctsDrift = true
        package var suppressesEcho = true
        package var suppressesNoise = true
        /// Fills with noise of the microphone's own what has been taken out.
        package var addsComfortNoise = false
        package var controlsLevel = false
        /// Of the comfort noise.
        package var seed: UInt64 = 1

        package init() {}
    }

    /// What the canceller has found out.
    package struct State: BitwiseCopyable, Sendable {
        /// Bulk delay of the echo, s; nil until it has been found.
        package var delay: Double?
        /// By how much faster the far signal's clock runs than the microphone's, as a share of 1; within ±250·10⁻⁶.
        package var drift: Double
        package var isSpeech: Bool
        /// Whether speech and echo are there together.
        package var isDoubleTalk: Bool
        package var levelGain: Float
    }

    package let grid: VoiceGrid
    private let settings: Settings
    private var reference: EchoReference
    private var filter: EchoFilter
    private var delayFinder: EchoDelay
    private var drift: EchoDrift
    private var suppressor: EchoSuppressor
    private var activity: VoiceActivity
    private var level: VoiceLevel
    private let far: SampleMemory
    /// The microphone's signal, the newest hop at the end.
    private let microphone: SampleMemory
    private let echo: SampleMemory
    private let residual: SampleMemory
    private let output: SampleMemory
    private var filled = 0
    /// Hops for which nothing is learnt, as there are broken samples in them.
    private var brokenHops = 0
    /// Frames of digital silence that end what the microphone has given, up to a hop.
    private var silentFrames = 0
    /// Whether the microphone gives nothing: a device that is lost, or a break of its stream.
    private var isPaused = false
    private var delay = 0
    private let longestDelay: Int
    /// Whether speech is brought to a level, from the next hop on.
    package var controlsLevel: Bool
    /// Hops that the filter begins before the strongest part of the echo, which need not be the first.
    private let margin: Int

    /// - Parameter sampleRate: in Hz, held within `VoiceGrid.sampleRates`.
    package init(sampleRate: Double, settings: Settings = Settings()) {
        let grid = VoiceGrid(sampleRate: sampleRate)
        let tail = settings.tail.isNaN ? 0.256 : min(max(settings.tail, 0.02), 1)
        let longest = settings.longestDelay.isNaN ? 0.5 : min(max(settings.longestDelay, 0), 1)
        (self.grid, self.settings) = (grid, settings)
        longestDelay = grid.hops(longest)
        controlsLevel = settings.controlsLevel
        filter = EchoFilter(grid: grid, tail: tail)
        margin = filter.partitionCount / 8
        reference = EchoReference(grid: grid, depth: longestDelay + filter.partitionCount + 1)
        delayFinder = EchoDelay(grid: grid, longest: longest)
        drift = EchoDrift(grid: grid)
        suppressor = EchoSuppressor(grid: grid, settings: settings)
        activity = VoiceActivity(grid: grid)
        level = VoiceLevel(grid: grid)
        far = SampleMemory(count: grid.hop)
        microphone = SampleMemory(count: grid.hop + reference.lookAhead)
        echo = SampleMemory(count: grid.hop)
        residual = SampleMemory(count: grid.hop)
        output = SampleMemory(count: grid.hop)
    }

    /// Frames by which the output is behind the microphone.
    package var latency: Int { 2 * grid.hop + reference.lookAhead }

    package var state: State {
        State(
            delay: delayFinder.found.map { Double($0 * grid.hop) / grid.sampleRate }, drift: -drift.value,
            isSpeech: activity.isActive, isDoubleTalk: activity.isActive && reference.power > 1e-7,
            levelGain: level.gain)
    }

    package mutating func reset() {
        reference.reset()
        filter.reset()
        delayFinder.reset()
        drift.reset()
        suppressor.reset()
        activity.reset()
        level.reset()
        far.clear()
        microphone.clear()
        output.clear()
        (filled, brokenHops, silentFrames, delay) = (0, 0, 0, 0)
        isPaused = false
    }

    /// Samples that are no number, or beyond ±4, are broken: they count as silence, and nothing is learnt from what is
    /// around them, nor while the microphone gives digital silence. `output` may be the memory of either input.
    package mutating func process(
        far: UnsafePointer<Float>, microphone: UnsafePointer<Float>, output: UnsafeMutablePointer<Float>, frames: Int
    ) {
        let newest = self.microphone.pointer + reference.lookAhead
        for i in 0..<frames {
            let (heard, played) = (microphone[i], far[i])
            // The comparison is false for what is no number.
            let isWhole = abs(heard) <= Self.loudest && abs(played) <= Self.loudest
            if !isWhole { brokenHops = hopsUnderFilter }
            silentFrames = heard == 0 ? min(silentFrames + 1, grid.hop) : 0
            newest[filled] = isWhole ? heard : 0
            self.far[filled] = isWhole ? played : 0
            output[i] = self.output[filled]
            filled += 1
            if filled == grid.hop { processHop() }
        }
    }

    /// Says that the next frame of the microphone does not follow the last one, as frames were lost or skipped: the
    /// echo may be later or earlier from then on.
    package mutating func noteBreak() {
        brokenHops = hopsUnderFilter
        doubt()
    }

    /// More is taken for residual echo until the filter has followed.
    private mutating func doubt() {
        suppressor.doubt()
        filter.noteBreak()
    }

    private var hopsUnderFilter: Int { grid.filterCount / grid.hop + 1 }

    /// 12 dB over full scale.
    private static let loudest: Float = 4

    private mutating func processHop() {
        filled = 0
        notePause()
        let slip = reference.take(far.pointer)
        if slip != 0 { move(to: delay + slip, keepingModel: true) }
        if !isPaused { delayFinder.take(microphone.pointer, reference: reference) }
        align()
        let learns = brokenHops == 0
        filter.process(
            microphone.pointer, reference: reference, delay: delay, echo: echo.pointer, residual: residual.pointer,
            learns: learns)
        brokenHops = max(brokenHops - 1, 0)
        if settings.correctsDrift {
            drift.take(filter, farPower: reference.power)
            reference.set(drift: drift.value)
        }
        if isPaused { residual.clear() }
        suppressor.process(
            residual.pointer, echo: echo.pointer, output: output.pointer, coherentShare: filter.coherentShare,
            learns: learns)
        activity.take(ratio: suppressor.speechRatio)
        if controlsLevel {
            level.process(output.pointer, grid.hop, isSpeech: activity.isActive)
        } else {
            level.release(output.pointer, grid.hop)
        }
        microphone.pointer.update(from: microphone.pointer + grid.hop, count: reference.lookAhead)
    }

    /// A hop of digital silence is no sound of a room: nothing is learnt from it, and nothing comes out. Behind it the
    /// echo may be another one, as a device or a buffer that was filled again may be later than before.
    private mutating func notePause() {
        let wasPaused = isPaused
        isPaused = silentFrames == grid.hop
        if isPaused { brokenHops = hopsUnderFilter }
        if wasPaused, !isPaused { doubt() }
    }

    /// Moves the filter so that it begins shortly before the echo; what it knows moves with it. Where the echo begins
    /// earlier than the filter did and what is left is louder than what came, the whole path is another one, and what
    /// moved is doubted. A right filter takes power away, also while somebody speaks.
    private mutating func align() {
        guard let found = delayFinder.found else { return }
        let place = found - delay
        guard place < margin / 2 && delay > 0 || place > 2 * margin + 4 else { return }
        let last = delay
        move(to: found - margin, keepingModel: false)
        guard last - delay > margin, filter.leftShare > 1 else { return }
        filter.doubt()
        suppressor.doubt()
    }

    /// - Parameter keepingModel: whether the spectra themselves have moved, so that partitions stay as they are.
    private mutating func move(to target: Int, keepingModel: Bool) {
        let held = min(max(target, 0), longestDelay)
        let shift = keepingModel ? held - target : held - delay
        if shift != 0 { filter.shift(by: shift) }
        delay = held
    }
}

/// Integrates what the filter's phases say of the two clocks: every quarter of a second in which the far signal was
/// loud enough. Audio thread.
struct EchoDrift: BitwiseCopyable {
    private static let interval = 0.25
    private static let firstSeconds = 1.0
    private static let highest = 2_500.0

    private let grid: VoiceGrid
    private let hops: Int
    private var count = 0
    private var active = 0
    private var activeTotal = 0
    private(set) var value = 0.0

    init(grid: VoiceGrid) {
        self.grid = grid
        hops = grid.hops(Self.interval)
    }

    mutating func reset() { (count, active, activeTotal, value) = (0, 0, 0, 0) }

    mutating func take(_ filter: borrowing EchoFilter, farPower: Float) {
        count += 1
        if farPower > 1e-6 { active += 1 }
        guard count == hops else { return }
        let wasActive = active * 2 > hops
        activeTotal += active
        (count, active) = (0, 0)
        guard let frames = filter.lengthening(highest: Self.highest), wasActive,
            activeTotal > grid.hops(Self.firstSeconds)
        else { return }
        let seen = min(max(frames / Double(hops * grid.hop), -200e-6), 200e-6)
        value = min(max(value - 0.25 * seen, -250e-6), 250e-6)
    }
}
