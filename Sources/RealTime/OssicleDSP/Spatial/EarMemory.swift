import OssicleCore

/// One ear's part of a voice's memory: the last `tapCount − 1` samples with the block behind them, and four filters.
struct EarMemory: BitwiseCopyable {
    let signal: UnsafeMutablePointer<Float>
    let block: UnsafeMutablePointer<Float>
    private let filters: UnsafeMutablePointer<Float>
    private let tapCount: Int

    /// The slot of the filter that is followed.
    static let wanted = 3

    static func count(_ tapCount: Int) -> Int { 5 * ((tapCount + 15) / 16 * 16) + Grid.quantum + HeadConvolution.group }

    init(_ start: UnsafeMutablePointer<Float>, _ tapCount: Int) {
        let stride = (tapCount + 15) / 16 * 16
        self.tapCount = tapCount
        filters = start
        signal = start + 4 * stride
        block = signal + (tapCount - 1)
    }

    func filter(_ slot: Int) -> UnsafeMutablePointer<Float> { filters + slot * ((tapCount + 15) / 16 * 16) }

    /// From one slot's filter `share` of the way to the wanted one, which a share of 1 gives to the bit.
    func approach(from latest: Int, to slot: Int, _ share: Float) {
        let (from, wanted, output) = (filter(latest), filter(Self.wanted), filter(slot))
        guard share < 1 else { return output.update(from: wanted, count: tapCount) }
        for k in 0..<tapCount { output[k] = from[k] + (wanted[k] - from[k]) * share }
    }

    func keepHistory(after frames: Int) { signal.update(from: signal + frames, count: tapCount - 1) }
}
