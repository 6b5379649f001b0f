import OssicleCore
import OssicleDSP

/// The gains a strip chooses from: what is copied where, and how a direction is spread over the outputs.
struct Placement: ~Copyable {
    private let channelCount: Int
    private let outputCount: Int
    private let copies: SampleMemory
    /// Where each channel stands in a bed; an LFE stands nowhere.
    private let directions: UnsafeMutablePointer<SIMD3<Float>?>
    private let panner: UnsafeMutablePointer<VBAPPanner>
    /// A gain per output: the last direction's, a stereo image's middle, all loudspeakers alike.
    private let spread: SampleMemory
    private let pairMiddle: SampleMemory
    private let everywhere: SampleMemory

    init(_ settings: EnvironmentStripRenderer.Settings) {
        channelCount = settings.channels.count
        outputCount = settings.outputs.speakers.count
        panner = settings.panner
        copies = SampleMemory(count: channelCount * outputCount)
        for (index, gain) in settings.copies.prefix(channelCount * outputCount).enumerated() { copies[index] = gain }
        directions = .allocate(capacity: max(channelCount, 1))
        for (index, speaker) in settings.channels.enumerated() {
            (directions + index).initialize(to: speaker.isLFE ? nil : SIMD3<Float>(speaker.direction))
        }
        spread = SampleMemory(count: outputCount)
        pairMiddle = SampleMemory(count: outputCount)
        everywhere = SampleMemory(count: outputCount)
        for output in 0..<min(outputCount, 2) { pairMiddle[output] = 1 / Float(min(outputCount, 2)).squareRoot() }
        let fed = settings.outputs.speakers.indices.filter { !settings.outputs.speakers[$0].isLFE }
        for output in fed { everywhere[output] = 1 / Float(fed.count).squareRoot() }
    }

    deinit { directions.deallocate() }

    func copy(_ channel: Int, to output: Int) -> Float { copies[output * channelCount + channel] }

    func direction(_ channel: Int) -> SIMD3<Float>? { directions[channel] }

    /// A gain per output for a direction; valid until the next call.
    func gains(_ localiser: EnvironmentStripRenderer.Localiser, _ direction: SIMD3<Float>) -> UnsafePointer<Float> {
        if localiser == .equalPower && outputCount > 1 {
            spread.clear()
            (spread[0], spread[1]) = EqualPowerPan.gains(direction: direction)
        } else {
            panner.pointee.gains(direction, into: spread.pointer)
        }
        return UnsafePointer(spread.pointer)
    }

    /// A gain per output for a sound that comes from nowhere in particular.
    func middle(_ localiser: EnvironmentStripRenderer.Localiser) -> UnsafePointer<Float> {
        UnsafePointer(localiser == .equalPower ? pairMiddle.pointer : everywhere.pointer)
    }
}
