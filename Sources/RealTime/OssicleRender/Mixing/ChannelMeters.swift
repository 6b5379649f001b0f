import OssicleCore

/// The level of a channel: mean square over a window, and the largest magnitude, held for a while.
package struct ChannelLevel: BitwiseCopyable, Sendable {
    package var power: Float = 0
    package var peak: Float = 0

    package init() {}

    fileprivate init(bits: Int64) {
        power = Float(bitPattern: UInt32(truncatingIfNeeded: bits >> 32))
        peak = Float(bitPattern: UInt32(truncatingIfNeeded: bits))
    }

    fileprivate var bits: Int64 { Int64(power.bitPattern) << 32 | Int64(peak.bitPattern) }

    /// The larger of both values.
    package func raised(to other: ChannelLevel) -> ChannelLevel {
        var level = self
        level.power = max(power, other.power)
        level.peak = max(peak, other.peak)
        return level
    }

    /// Of the sound that `gain` makes of this one.
    package func scaled(by gain: Float) -> ChannelLevel {
        var level = self
        level.power *= gain * gain
        level.peak *= gain.magnitude
        return level
    }
}

/// Levels of some channels, measured while they are wanted: written by the render side, read by any thread.
///
///     power = Σ x² / n    over windows of n frames
///     peak  = max |x|     held for 16 windows from when it was reached
struct ChannelMeters: ~Copyable {
    /// Frames of a window: 85 ms at 48 kHz.
    static let window = 4096
    private static let hold = 16

    struct Control: BitwiseCopyable, @unchecked Sendable {
        fileprivate let switchCell: PositionCell
        fileprivate let levels: UnsafeMutablePointer<PositionCell>
        fileprivate let count: Int

        var isOn: Bool { switchCell.load() != 0 }
        func setOn(_ isOn: Bool) { switchCell.store(isOn ? 1 : 0) }

        /// Nothing for a channel that is not there, or while nothing is measured.
        func level(_ channel: Int) -> ChannelLevel {
            guard isOn, channel >= 0, channel < count else { return ChannelLevel() }
            return ChannelLevel(bits: levels[channel].load())
        }
    }

    private struct Window: BitwiseCopyable {
        var energy = 0.0
        var peak: Float = 0
        var held: Float = 0
        /// Windows since `held` was reached.
        var age = 0
    }

    let control: Control
    private let windows: UnsafeMutablePointer<Window>
    private var frames = 0
    private var wasOn = false

    init(channels: Int) {
        let count = max(channels, 1)
        let levels = UnsafeMutablePointer<PositionCell>.allocate(capacity: count)
        for channel in 0..<count { (levels + channel).initialize(to: PositionCell(0)) }
        control = Control(switchCell: PositionCell(0), levels: levels, count: count)
        windows = .allocate(capacity: count)
        windows.initialize(repeating: Window(), count: count)
    }

    deinit {
        for channel in 0..<control.count { control.levels[channel].deallocate() }
        control.levels.deallocate()
        control.switchCell.deallocate()
        windows.deallocate()
    }

    /// Measures `count` frames of every channel.
    /// - Parameter samples: of a channel; `nil` for silence.
    @inline(__always)
    mutating func measure(_ count: Int, _ samples: (Int) -> UnsafePointer<Float>?) {
        guard control.isOn else {
            wasOn = false
            return
        }
        if !wasOn { restart() }
        for channel in 0..<control.count {
            if let source = samples(channel) { add(source, count, to: windows + channel) }
        }
        frames += count
        if frames >= Self.window { publish() }
    }

    private mutating func restart() {
        (frames, wasOn) = (0, true)
        for channel in 0..<control.count {
            windows[channel] = Window()
            control.levels[channel].store(0)
        }
    }

    private func add(_ samples: UnsafePointer<Float>, _ count: Int, to window: UnsafeMutablePointer<Window>) {
        var (energy, peak) = (Float(0), window.pointee.peak)
        for frame in 0..<count {
            energy += samples[frame] * samples[frame]
            peak = max(peak, samples[frame].magnitude)
        }
        window.pointee.energy += Double(energy)
        window.pointee.peak = peak
    }

    private mutating func publish() {
        for channel in 0..<control.count {
            var window = windows[channel]
            window.age += 1
            if window.peak >= window.held || window.age > Self.hold { (window.held, window.age) = (window.peak, 0) }
            var level = ChannelLevel()
            level.power = Float(window.energy / Double(frames))
            level.peak = window.held
            control.levels[channel].store(level.bits)
            (window.energy, window.peak) = (0, 0)
            windows[channel] = window
        }
        frames = 0
    }
}
