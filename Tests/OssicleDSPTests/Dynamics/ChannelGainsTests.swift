import COssicle
import OssicleTestSupport
import Testing

@Suite("One sound added to sixteen channels") struct ChannelGainsTests {
    private let starts = (0..<16).map { Float($0) / 8 - 1 }
    private let changes = (0..<16).map { 0.5 - Float($0) / 20 }

    /// The sums after one call for `n` frames, from zero.
    private func sums(
        _ n: Int, _ add: (UnsafePointer<UnsafeMutablePointer<Float>>, UnsafePointer<Float>) -> Void
    ) -> (sums: [Float], sound: [Float]) {
        let sound = Signal.noise(count: n)
        var memory = [Float](repeating: 0, count: 16 * n)
        memory.withUnsafeMutableBufferPointer { memory in
            guard let base = memory.baseAddress else { return }
            add((0..<16).map { base + $0 * n }, sound)
        }
        return (memory, sound)
    }

    @Test(
        "has a straight line of gains in each while they move, and one gain behind it",
        arguments: [1, 7, 16, 100, 128], [0, 5, 128])
    func gains(n: Int, wanted: Int) {
        let moving = min(wanted, n)
        let ends = zip(starts, changes).map { $0 + $1 }
        let (sums, sound) = sums(n) { channels, sound in
            ossicle_field_add(sound, starts, ends, 1 / 256, 100, moving, channels, n)
        }
        for channel in 0..<16 {
            for i in 0..<n {
                let passed = i < moving ? Double(100 + i) / 256 : 1
                let gain = Double(starts[channel]) + Double(changes[channel]) * passed
                #expect(abs(Double(sums[channel * n + i]) - Double(sound[i]) * gain) < 1e-6)
            }
        }
    }
}
