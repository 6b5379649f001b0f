import Foundation
import OssicleCore
import OssicleDSP
import Testing

@testable import OssicleVoiceRoom

@Suite("The voice room's filters and pitch periods")
struct MixingTests {
    @Test("blocks through a filter are the convolution with the head's taps at their delays")
    func overlapSave() throws {
        let head = try HRTFFilters.shared(sampleRate: 48_000).table
        var design = EarFilterDesign(head: head)
        let filter = EarSpectra()
        let direction = Vector(1, 0.2, -0.5)
        design.make(direction, gain: 0.5, into: filter)
        // An impulse 100 frames into the second packet.
        var spectra = TalkerSpectra()
        let fourier = RealFourierTransform(count: RoomBlock.transformCount)
        let sums = EarSpectra()
        let time = SampleMemory(count: RoomBlock.transformCount)
        var heard: [[Float]] = [[], []]
        for packet in 0..<4 {
            var frames = [Float](repeating: 0, count: RoomBlock.packetFrames)
            if packet == 1 { frames[100] = 1 }
            spectra.take(frames, isSilent: packet != 1)
            for block in 0..<RoomBlock.perPacket {
                sums.clear()
                spectra.add(block, through: filter, to: sums)
                for ear in 0..<2 {
                    fourier.inverse(real: sums[2 * ear], imaginary: sums[2 * ear + 1], signal: time.pointer)
                    heard[ear] += (0..<RoomBlock.frames).map { time[RoomBlock.transformCount - RoomBlock.frames + $0] }
                }
            }
        }
        var (left, right) = ([Float](repeating: 0, count: head.tapCount), [Float](repeating: 0, count: head.tapCount))
        let delays = head.interpolate(SIMD3<Float>(direction), left: &left, right: &right)
        for (ear, taps, delay) in [(0, left, delays.left), (1, right, delays.right)] {
            // Spectra at some frequencies: of the taps by the sum, of what was heard about its own begin.
            for frequency in [300.0, 1000, 4000, 9000] {
                let (a, b) = (
                    transform(taps, frequency, from: -Double(delay)), transform(heard[ear], frequency, from: 960 + 100)
                )
                #expect(
                    ((0.5 * a.0 - b.0) * (0.5 * a.0 - b.0) + (0.5 * a.1 - b.1) * (0.5 * a.1 - b.1)).squareRoot() < 2e-3)
            }
        }
    }

    private func transform(_ samples: [Float], _ frequency: Double, from start: Double) -> (Double, Double) {
        samples.enumerated().reduce((0.0, 0.0)) { sum, sample in
            let turn = -2 * Double.pi * frequency / 48_000 * (Double(sample.offset) - start)
            return (sum.0 + Double(sample.element) * cos(turn), sum.1 + Double(sample.element) * sin(turn))
        }
    }

    @Test("a tone that is shortened or lengthened by periods stays the tone", arguments: [true, false])
    func periods(shortens: Bool) {
        let tone = 2 * Double.pi * 200 / 48_000
        var samples = (0..<1920).map { Float(sin(tone * Double($0))) } + [Float](repeating: 0, count: 720)
        let count =
            samples.withUnsafeMutableBufferPointer { samples in
                samples.baseAddress.map { shortens ? PeriodChange.shorten($0, 1920) : PeriodChange.lengthen($0, 1920) }
            } ?? 0
        // 240 frames are a period; two and three are as good.
        #expect((count - 1920).magnitude % 240 == 0 && count != 1920)
        let error = (0..<count).map { (Double(samples[$0]) - sin(tone * Double($0))).magnitude }.max() ?? 1
        #expect(error < 1e-3)
    }

    @Test("the delay follows the jitter, up at once and down when it is gone")
    func arrivals() {
        var times = ArrivalTimes(limits: 0.02...0.4, initial: 0.06)
        let random = CounterRandom(seed: 1, object: 1)
        func run(_ packets: Range<Int>, jitter: Double) {
            for packet in packets {
                let sent = Double(packet) * 0.02
                times.add(
                    timestamp: sent, arrival: sent + 0.1 + jitter * random.unit(UInt64(packet)), duration: 0.02)
            }
        }
        run(0..<500, jitter: 0.08)
        // The 97th percentile of 0 … 80 ms, and a packet.
        #expect(abs(times.target - (0.97 * 0.08 + 0.02)) < 0.005)
        #expect(abs(times.base - 0.1) < 0.002)
        run(500..<1020, jitter: 0)
        #expect(times.target < 0.03)
    }
}
