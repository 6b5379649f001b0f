import OssicleCore
import OssicleDSP

/// Occlusion and obstruction of every channel of a strip. What neither changes is passed on where it lies.
struct MufflerBank: ~Copyable {
    private let sampleRate: Double
    private let count: Int
    /// Channel by channel: occlusion, then likewise obstruction.
    private let mufflers: UnsafeMutablePointer<Muffler>
    private let memory: SampleMemory
    private let table: UnsafeMutablePointer<UnsafeMutablePointer<Float>>

    init(sampleRate: Double, channels: Int) {
        (self.sampleRate, count) = (sampleRate, channels)
        mufflers = .allocate(capacity: max(2 * channels, 1))
        mufflers.initialize(repeating: Muffler(), count: max(2 * channels, 1))
        memory = SampleMemory(count: 2 * channels * Grid.quantum)
        table = .allocate(capacity: max(2 * channels, 1))
        for index in 0..<2 * channels { (table + index).initialize(to: memory.pointer + index * Grid.quantum) }
    }

    deinit {
        mufflers.deallocate()
        table.deallocate()
    }

    /// Whether nothing of what was heard is left.
    var isAtRest: Bool { (0..<2 * count).allSatisfy { mufflers[$0].isAtRest } }

    func reset() { for index in 0..<2 * count { mufflers[index].reset() } }

    /// dB at 5 kHz.
    func setTarget(occlusion: Float, obstruction: Float, frames: Int) {
        let (before, behind) = (coefficient(occlusion), coefficient(obstruction))
        for channel in 0..<count {
            mufflers[channel].setTarget(before, frames: frames)
            mufflers[count + channel].setTarget(behind, frames: frames)
        }
    }

    private func coefficient(_ attenuation: Float) -> Double { Muffler.coefficient(attenuation: Double(attenuation), sampleRate: sampleRate) }

    func occlude(_ channels: UnsafePointer<UnsafeMutablePointer<Float>>, _ frames: Int) -> UnsafePointer<UnsafeMutablePointer<Float>> {
        muffle(channels, first: 0, frames)
    }

    func obstruct(_ channels: UnsafePointer<UnsafeMutablePointer<Float>>, _ frames: Int) -> UnsafePointer<UnsafeMutablePointer<Float>> {
        muffle(channels, first: count, frames)
    }

    private func muffle(_ channels: UnsafePointer<UnsafeMutablePointer<Float>>, first: Int, _ frames: Int) -> UnsafePointer<UnsafeMutablePointer<Float>> {
        // All channels of a strip have the same attenuation.
        if count == 0 || mufflers[first].isTransparent {
            for channel in 0..<count { mufflers[first + channel].follow(channels[channel][frames - 1]) }
            return channels
        }
        for channel in 0..<count { mufflers[first + channel].process(from: channels[channel], to: table[first + channel], frames) }
        return UnsafePointer(table + first)
    }
}
