import Testing
@testable import ossicle

@Suite("The waveform")
struct WaveformTests {
    private func waveform(of channels: [[Double]], told frameCount: Int64? = nil, bits: Int = 0) -> Waveform {
        let frames = channels[0].count
        var waveform = Waveform(channelCount: channels.count, frameCount: frameCount ?? Int64(frames), bits: bits)
        let block = SampleBlock(channels: channels.count, capacity: max(frames, 1))
        for (plane, samples) in zip(block.planes, channels) { plane.update(from: samples, count: frames) }
        var start = 0
        while start < frames { // in pieces of any size
            let count = min(1 + start % 997, frames - start)
            waveform.add(block.constPlanes.map { $0 + start }, frames: count)
            start += count
        }
        waveform.finish()
        return waveform
    }

    @Test(
        "keeps extremes, mean squares and every sample, however many columns were told",
        arguments: [1, 50_000, 10_000_000] as [Int64])
    func extremes(told: Int64) {
        var samples = Tones.sine(100, amplitude: 0.5, seconds: 1)
        (samples[10_000], samples[30_000]) = (0.9, -0.8)
        let columns = waveform(of: [samples], told: told).channels[0].elements
        #expect(columns.count <= 1200)
        #expect(columns.map(\.high).max() == 0.9)
        #expect(columns.map(\.low).min() == -0.8)
        #expect(columns.reduce(0) { $0 + $1.count } == 48_000)
        let power = columns.reduce(0) { $0 + $1.squares } / 48_000
        #expect(abs(power - 0.125) < 1e-4)
        let peak = columns.firstIndex { $0.high == 0.9 } ?? 0
        #expect(abs(Double(peak) / Double(columns.count) - 10_000.0 / 48_000) < 2 / Double(columns.count))
    }

    @Test(
        "three samples in a row at full scale clip; full scale is the greatest integer there is",
        arguments: [
            (16, 32_767.0 / 32_768, 3, 1), (16, 32_767.0 / 32_768, 2, 0), (16, 32_766.0 / 32_768, 9, 0),
            (0, 32_767.0 / 32_768, 9, 0), (0, 1.0, 3, 1), (24, -1.0, 50, 1),
        ] as [(Int, Double, Int, Int)])
    func clipping(bits: Int, level: Double, count: Int, places: Int) {
        var samples = [Double](repeating: 0, count: 1000)
        for frame in 500..<500 + count { samples[frame] = level }
        let waveform = waveform(of: [[Double](repeating: 0, count: 1000), samples], bits: bits)
        #expect(waveform.clippings == places)
        #expect(waveform.firstClipping == (places > 0 ? 500 : nil))
        #expect(waveform.channels[1].elements.contains { $0.isClipped } == (places > 0))
        #expect(!waveform.channels[0].elements.contains { $0.isClipped })
    }
}
