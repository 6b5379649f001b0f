import OssicleCore
import OssicleDSP

/// How fast a capture buffer is read, so that two clocks that drift apart keep the same number of frames between them.
///
///     speed = 1 + drift + (level − reference) / (pull · rate)
///
/// - drift: by how much the writer's clock is faster, as far as measured (`ClockRate`).
/// - level: frames that wait before a read, and those that the writer has captured since its last block, smoothed over
///   some seconds. Without the latter the level would leap by a block each time a clock overtakes the other.
/// - reference: the level of the first seconds. As long as the level stays near it the clocks are taken for the same
///   one, and frames pass bit for bit; from then on they are interpolated by a windowed sinc.
///
/// Reader's thread only; allocates nothing after `init`.
struct DriftControl: ~Copyable {
    /// Seconds that the level is smoothed over, and in which a deviation would be made up for.
    private static let smoothing = 5.0
    private static let pull = 45.0
    /// Seconds of which the mean is the reference.
    private static let settling = 2.0
    /// Seconds by which the level may be off before the clocks count as different: more than late blocks of one clock
    /// leave of themselves in the mean. A measured drift decides nothing: the times of blocks err on a loaded machine,
    /// the count of frames does not.
    private static let tolerance = 0.005
    /// Millionths: half a cent for what was measured, and for the pull.
    private static let most = 300.0
    /// Frames interpolated at once.
    private static let run = 256

    private let sampleRate: Double
    private let table: UnsafePointer<SincTable>
    private let scratch: SampleMemory
    /// Whether the buffer is long enough for the filter.
    private let isPossible: Bool
    private var seen = 0.0
    private var level = 0.0
    private var reference = 0.0
    private var step = SincInterpolator.unit
    private var isEngaged = false
    /// Of the next frame, behind the first that was not taken; Q0.32.
    private var fraction: UInt64 = 0

    init(sampleRate: Double, targetFrames: Int) {
        self.sampleRate = sampleRate
        table = SincTable.shared(ratio: 1)
        let reach = table.pointee.lookBehind + table.pointee.lookAhead
        isPossible = targetFrames >= DriftControl.shortest
        scratch = SampleMemory(count: reach + 2 * DriftControl.run)
    }

    /// Frames around the next one that are read with it.
    static let reach = 64
    /// Frames a target has at least, for its level to be steered.
    static let shortest = 256

    /// Whether frames pass as they are.
    var isTransparent: Bool { step == SincInterpolator.unit && fraction == 0 }

    /// Reading begins, or begins again after a break.
    mutating func restart() { seen = 0 }

    /// Before a read of `frames`.
    /// - Parameters: captured: frames that wait or are in the writer's next block. - drift: of the writer's clock, in
    ///   parts per million; 0 as long as unknown.
    mutating func follow(captured: Double, frames: Int, drift: Double) {
        guard isPossible else { return }
        let seconds = Double(frames) / sampleRate
        if seen < DriftControl.settling {
            level += (captured - level) * min(seconds / (seen + seconds), 1)
            seen += seconds
            reference = level
        } else {
            level += (captured - level) * min(seconds / DriftControl.smoothing, 1)
        }
        if abs(level - reference) > DriftControl.tolerance * sampleRate { isEngaged = true }
        guard isEngaged else { return }
        let pulled = (level - reference) / (DriftControl.pull * sampleRate) * 1e6
        let ppm = DriftControl.held(drift) + DriftControl.held(pulled)
        step = SincInterpolator.step(ratio: 1 + ppm * 1e-6)
    }

    private static func held(_ ppm: Double) -> Double { ppm.isFinite ? min(max(ppm, -most), most) : 0 }

    /// How many frames can be given, of `frames`, when `waiting` are there.
    func possible(_ frames: Int, waiting: Int) -> Int {
        let last = waiting - table.pointee.lookAhead - 1
        guard last >= 0 else { return 0 }
        return min(frames, Int(((UInt64(last) << 32 | 0xFFFF_FFFF) - fraction) / step) + 1)
    }

    /// Interpolates one channel.
    /// - Parameter load: copies as many frames, from so many frames before or behind the next one on.
    func render(
        _ frames: Int, to target: UnsafeMutablePointer<Float>,
        load: (_ first: Int, _ count: Int, UnsafeMutablePointer<Float>) -> Void
    ) {
        let table = table
        let behind = table.pointee.lookBehind
        var (done, position) = (0, fraction)
        while done < frames {
            let count = min(frames - done, DriftControl.run)
            let first = Int(position >> 32)
            position &= 0xFFFF_FFFF
            let needed = SincInterpolator.framesNeeded(position: position, step: step, table: table.pointee, count)
            load(first - behind, behind + needed, scratch.pointer)
            position = SincInterpolator.process(
                source: scratch.pointer + behind, table: table.pointee, position: position, step: step,
                to: target + done, count)
            position += UInt64(first) << 32
            done += count
        }
    }

    /// The frames were given in every channel.
    /// - Returns: how many are not needed any more.
    mutating func advance(_ frames: Int) -> Int {
        let position = fraction &+ UInt64(frames) &* step
        fraction = position & 0xFFFF_FFFF
        return Int(position >> 32)
    }
}
