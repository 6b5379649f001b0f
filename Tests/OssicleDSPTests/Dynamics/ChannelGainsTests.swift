import COssicle
import OssicleTestKit
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

    @Test("has a straight line of gains in each, whatever its length", arguments: [1, 7, 16, 100, 128])
    func gliding(n: Int) {
        let (sums, sound) = sums(n) { channels, sound in
            ossicle_add_gliding_channels(sound, starts, changes, 1 / 256, 100, channels, 16, n)
        }
        for channel in 0..<16 {
            for i in 0..<n {
                let gain = Double(starts[channel]) + Double(changes[channel]) * Double(100 + i) / 256
                #expect(abs(Double(sums[channel * n + i]) - Double(sound[i]) * gain) < 1e-6)
            }
        }
    }

    @Test("has one gain in each at rest", arguments: [1, 9, 128])
    func resting(n: Int) {
        let (sums, sound) = sums(n) { channels, sound in ossicle_add_channels(sound, starts, channels, 16, n) }
        for channel in 0..<16 {
            for i in 0..<n { #expect(sums[channel * n + i] == sound[i] * starts[channel]) }
        }
    }
}
