import OssicleCore
@testable import OssicleDSP
import OssicleTestSupport
import Testing

@Suite struct AmbisonicEarsTests {
    private static let frames = 24 * Grid.quantum
    private static let channels = (0..<16).map { Signal.noise(count: frames, seed: UInt64($0)) }

    /// A sound field's filters for a head of noise, whose ears hear the corners of a cube up to `longest` frames late.
    private static func filters(
        seed: UInt64 = 1, tapCount: Int = 128, longest: Float = 40
    ) -> AmbisonicHRTFFilters {
        let directions = (0..<8).compactMap { corner -> HRTFData.Direction in
            let (x, y): (Float, Float) = (corner & 1 == 0 ? -1 : 1, corner & 2 == 0 ? -1 : 1)
            let z: Float = corner & 4 == 0 ? -1 : 1
            return HRTFData.Direction(
                vector: HeadDirection.unit(SIMD3(x, y, z)),
                delays: SIMD2(2 + Float(corner) * longest / 8, 2 + longest) / 48_000,
                left: Signal.noise(count: tapCount, seed: seed + UInt64(corner)),
                right: Signal.noise(count: tapCount, seed: seed + 50 + UInt64(corner)))
        }
        let head = HRTFFilters(
            HRTFData(sampleRate: 48_000, tapCount: tapCount, directions: directions, isLeftHalf: false))
        return AmbisonicHRTFFilters(head: head, order: 3)
    }

    /// The sum over all channels, tap by tap, as late as the mix is.
    private static func convolved(_ table: AmbisonicHRTFTable, ear: Int) -> [Double] {
        var out = [Double](repeating: 0, count: frames)
        for channel in 0..<table.channelCount {
            let filter = Array(UnsafeBufferPointer(start: table.filter(ear, channel), count: table.tapCount))
            let sum = Signal.convolved(channels[channel], with: filter)
            for n in BinauralMix.latency..<frames { out[n] += sum[n - BinauralMix.latency] }
        }
        return out
    }

    /// - Parameters:
    ///   - changes: filters to turn to, at their frames. - silence: frames in which nothing comes in.
    private static func render(
        _ first: AmbisonicHRTFFilters, changes: [(at: Int, filters: AmbisonicHRTFFilters)] = [], cuts: [Int] = [128],
        silence: Range<Int> = 0..<0
    ) -> [[Float]] {
        var ears = AmbisonicEars(first.table)
        let mix = BinauralMix(tapCount: first.head.tapCount)
        let inputs = channels.map { signal in
            let memory = TestMemory(count: frames, Float(0))
            for (index, value) in signal.enumerated() { memory.pointer[index] = value }
            return memory
        }
        let outputs = (0..<2).map { _ in TestMemory(count: frames, Float(0)) }
        var (done, turn) = (0, 0)
        while done < frames {
            for change in changes where change.at == done { ears.turn(to: change.filters.table) }
            let offset = done % Grid.quantum
            let run = min(
                cuts[turn % cuts.count], Grid.quantum - offset,
                (changes.map(\.at).filter { $0 > done }.min() ?? frames) - done)
            let isSilent = silence.contains(done)
            inputs.map { $0.pointer + done }.withUnsafeBufferPointer { table in
                ears.process(isSilent ? nil : table.baseAddress, offset: offset, run, addingTo: mix.sums)
            }
            _ = mix.play(
                addingToLeft: outputs[0].pointer + done, right: outputs[1].pointer + done, offset: offset, run)
            done += run
            turn += 1
        }
        return withExtendedLifetime((first, changes)) { outputs.map { out in (0..<frames).map { out.pointer[$0] } } }
    }

    @Test(
        "is the direct convolution with every channel's filter, to −120 dB, however blocks are cut",
        arguments: [[128], [1], [5, 1, 100], [64, 63, 1]], [16, 128, 400])
    func convolution(cuts: [Int], tapCount: Int) {
        let filters = Self.filters(tapCount: tapCount)
        let out = Self.render(filters, cuts: cuts)
        for ear in 0..<2 {
            let wanted = Self.convolved(filters.table, ear: ear)
            let error = zip(out[ear], wanted).map { Double($0) - $1 }
            func energy(_ x: [Double]) -> Double { x.reduce(0) { $0 + $1 * $1 } }
            let level = Decibels.of(energy: energy(error) / energy(wanted))
            #expect(level < -120, "ear \(ear): \(level) dB")
        }
    }

    @Test("the same where one ear mirrors the other, and with one channel without a partner", arguments: 0...3)
    func symmetry(order: Int) throws {
        let head = try HRTFFilters(sampleRate: 48_000)
        let filters = AmbisonicHRTFFilters(head: head, order: order)
        #expect(filters.table.isSymmetric)
        let out = Self.render(filters)
        for ear in 0..<2 {
            let wanted = Self.convolved(filters.table, ear: ear)
            let worst = zip(out[ear], wanted).map { abs(Double($0) - $1) }.max() ?? .nan
            #expect(worst < 1e-6 * (wanted.map(abs).max() ?? 0) * 2, "ear \(ear): \(worst)")
        }
    }

    @Test(
        "the same bytes however blocks are cut, silence and other filters between",
        arguments: [[1], [5, 1, 100], [127]])
    func cuts(_ cuts: [Int]) {
        let (a, b) = (Self.filters(seed: 1), Self.filters(seed: 200))
        func run(_ cuts: [Int]) -> [[Float]] {
            Self.render(a, changes: [(1000, b), (2500, a)], cuts: cuts, silence: 1280..<2176)
        }
        let (whole, parts) = (run([128]), run(cuts))
        for ear in 0..<2 { #expect(Measure.sameBytes(whole[ear], parts[ear])) }
    }

    @Test(
        "other filters cross-fade over one quantum, and are from then on, to the byte, as if they had always been in use; of two, the last wins"
    )
    func change() {
        let (a, b, c) = (Self.filters(seed: 1), Self.filters(seed: 400), Self.filters(seed: 200, longest: 80))
        let (old, new) = (Self.render(a), Self.render(c))
        let changed = Self.render(a, changes: [(1000, b), (1010, c)])
        // The quantum of frame 1010 begins at 896, and sounds from 1024 on.
        for ear in 0..<2 {
            #expect(Measure.sameBytes(Array(changed[ear].prefix(1024)), Array(old[ear].prefix(1024))))
            #expect(Measure.sameBytes(Array(changed[ear].dropFirst(1152)), Array(new[ear].dropFirst(1152))))
            let error = changed[ear][1088] - (old[ear][1088] + new[ear][1088]) / 2
            #expect(Double(abs(error)) < 1e-5 * Measure.rms(old[ear]))
        }
    }

    @Test("after a silence it sounds as at first, with the filters it was given meanwhile")
    func rest() {
        let (a, b) = (Self.filters(seed: 1), Self.filters(seed: 200))
        let out = Self.render(a, changes: [(1920, b)], silence: 256..<2176)
        let silent = (256 + 6 * Grid.quantum)..<(2176 + Grid.quantum)
        for ear in 0..<2 {
            #expect(out[ear][silent].allSatisfy { $0 == 0 })
            var wanted = [Double](repeating: 0, count: Self.frames)
            for channel in 0..<16 {
                for n in 0..<512 {
                    for k in 0...n where k < b.table.tapCount {
                        wanted[2304 + n] +=
                            Double(Self.channels[channel][2176 + n - k]) * Double(b.table.filter(ear, channel)[k])
                    }
                }
            }
            let worst = (2304..<2816).map { abs(Double(out[ear][$0]) - wanted[$0]) }.max() ?? .nan
            #expect(worst < 1e-5 * (wanted.map(abs).max() ?? 0))
        }
    }
}
