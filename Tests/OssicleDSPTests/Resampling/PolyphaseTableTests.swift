import COssicle
@testable import OssicleDSP
import OssicleTestSupport
import Testing

@Suite struct PolyphaseTableTests {
    @Test("gives the same bytes for a run of places in C as place by place in Swift", arguments: [8, 32, 64, 136])
    func sameBytes(taps: Int) {
        let table = PolyphaseTable(taps: taps, phases: 256, cutoff: 0.9, attenuation: 90)
        let source = Signal.noise(count: 1024)
        let fractions = (0..<200).map { Double($0 * 37 % 201) / 200 }
        let places = fractions.enumerated().map { table.place($0.offset * 3, fraction: $0.element) }
        var run = [Float](repeating: 0, count: 200)
        table.values(places, in: source, to: &run, 200)
        let single = source.withUnsafeBufferPointer { source in
            fractions.enumerated().map { frame in
                source.baseAddress.map { table.value($0 + 3 * frame.offset, fraction: frame.element) } ?? .nan
            }
        }
        #expect(Measure.sameBytes(run, single))
    }
}
