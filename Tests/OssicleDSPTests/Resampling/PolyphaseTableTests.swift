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

    @Test("gives two signals at once the bytes that each has alone, on rows and between them", arguments: [32, 136])
    func pair(taps: Int) {
        let table = PolyphaseTable(taps: taps, phases: 256, cutoff: 0.9, attenuation: 90)
        let (one, two) = (Signal.noise(count: 512, seed: 1), Signal.noise(count: 512, seed: 2))
        let places = (0..<70).map { table.place($0 * 5, fraction: $0 < 9 ? 0.25 : Double($0 * 37 % 71) / 71) }
        let silence = [Float](repeating: 0, count: 70)
        var (alone, together) = ((silence, silence), (silence, silence))
        table.values(places, in: one, to: &alone.0, 70)
        table.values(places, in: two, to: &alone.1, 70)
        one.withUnsafeBufferPointer { one in
            two.withUnsafeBufferPointer { two in
                together.0.withUnsafeMutableBufferPointer { first in
                    together.1.withUnsafeMutableBufferPointer { second in
                        table.values(
                            places, in: (one.baseAddress!, two.baseAddress!),
                            to: (first.baseAddress!, second.baseAddress!), 70)
                    }
                }
            }
        }
        #expect(Measure.sameBytes(together.0, alone.0) && Measure.sameBytes(together.1, alone.1))
    }

    @Test("finds the place of a fraction by its bits as by its value", arguments: [256, 128, 160, 1])
    func places(phases: Int) {
        let table = PolyphaseTable(taps: 8, phases: phases, cutoff: 0.9, attenuation: 90)
        let bits: [UInt32] = [0, 1, 0x7fff_ffff, 0x8000_0000, 0xffff_fffe, .max]
        for fraction in bits + (0..<1000).map({ UInt32($0) &* 2_654_435_761 }) {
            let (place, value) = (
                table.place(3, fraction: fraction), table.place(3, fraction: Double(fraction) * 0x1p-32)
            )
            #expect(place.row == value.row && place.weight == value.weight && place.window == 3, "\(fraction)")
        }
    }

    @Test("reads on a row what it reads beside it with a weight of 0", arguments: [32, 136])
    func onRows(taps: Int) {
        let table = PolyphaseTable(taps: taps, phases: 160, cutoff: 0.9, attenuation: 90)
        let source = Signal.noise(count: 512)
        let places = (0..<8).map { ossicle_place(window: Int32($0), row: Int32(19 * $0), weight: 0) }
        var (together, alone) = ([Float](repeating: 0, count: 8), [Float](repeating: 0, count: 8))
        table.values(places, in: source, to: &together, 8)
        for (index, place) in places.enumerated() { table.values([place], in: source, to: &alone[index], 1) }
        #expect(Measure.sameBytes(together, alone))
        #expect(table.rows(perPartOf: 160) == 1 && table.rows(perPartOf: 80) == 2 && table.rows(perPartOf: 147) == nil)
    }
}
