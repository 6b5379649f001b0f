// Levels of what a player plays or a recorder records.

import Synchronization

/// Average and peak level per channel over the latest tenth of a second, in dBFS: 0 is a full-scale square wave, a
/// full-scale sine has an average of −3.01. Any thread.
final class LevelMeter: Sendable {
    /// The value where nothing sounds, and the least value.
    static let floor: Float = -160
    /// Seconds.
    private static let window = 0.1

    private struct Block {
        let frames: Int
        let squares: [Double]
        let peaks: [Float]
    }

    private struct State {
        var isEnabled = false
        var blocks: [Block] = []
        var averages: [Float] = []
        var peaks: [Float] = []
    }

    private let state = Mutex(State())

    /// Whether levels are measured. Default false.
    var isEnabled: Bool {
        get { state.withLock(\.isEnabled) }
        set {
            state.withLock { state in
                state.isEnabled = newValue
                if !newValue { state = State() }
            }
        }
    }

    /// Measures the valid frames of a buffer of deinterleaved 32-bit floats.
    func add(_ buffer: AVAudioPCMBuffer) {
        guard isEnabled, let planes = buffer.floatChannelData, buffer.frameLength > 0 else { return }
        let channels = (0..<Int(buffer.format.channelCount)).map {
            UnsafeBufferPointer(start: planes[$0], count: Int(buffer.frameLength))
        }
        let block = Block(
            frames: Int(buffer.frameLength),
            squares: channels.map { $0.reduce(0) { $0 + Double($1) * Double($1) } },
            peaks: channels.map { $0.reduce(0) { max($0, $1.magnitude) } })
        let limit = Int(buffer.format.sampleRate * Self.window)
        state.withLock { state in
            guard state.isEnabled else { return }
            state.blocks.append(block)
            var frames = state.blocks.reduce(0) { $0 + $1.frames }
            while state.blocks.count > 1, frames - state.blocks[0].frames >= limit {
                frames -= state.blocks.removeFirst().frames
            }
        }
    }

    /// Nothing sounds any more.
    func clear() { state.withLock { $0.blocks = [] } }

    /// Takes over what has been measured, for `average` and `peak` to answer.
    func update() {
        state.withLock { state in
            let channels = state.blocks.first?.peaks.count ?? 0
            let blocks = state.blocks.filter { $0.peaks.count == channels }
            let frames = Double(max(blocks.reduce(0) { $0 + $1.frames }, 1))
            state.averages = (0..<channels).map { channel in
                Self.decibels((blocks.reduce(0) { $0 + $1.squares[channel] } / frames).squareRoot())
            }
            state.peaks = (0..<channels).map { channel in
                Self.decibels(Double(blocks.reduce(0) { max($0, $1.peaks[channel]) }))
            }
        }
    }

    /// dBFS, −160 … 0; −160 for a channel there is not.
    func average(_ channel: Int) -> Float { state.withLock { Self.level(channel, in: $0.averages) } }

    /// As `average`.
    func peak(_ channel: Int) -> Float { state.withLock { Self.level(channel, in: $0.peaks) } }

    private static func level(_ channel: Int, in levels: [Float]) -> Float {
        levels.indices.contains(channel) ? levels[channel] : floor
    }

    private static func decibels(_ amplitude: Double) -> Float {
        amplitude > 0 ? min(max(Float(20 * log10(amplitude)), floor), 0) : floor
    }
}
