import Testing
@testable import OssicleMIDI

@Suite("Meter map")
struct MeterMapTests {
    private let map = MeterMap([
        .init(beat: 0, numerator: 4, denominator: 4), .init(beat: 8, numerator: 3, denominator: 4),
        .init(beat: 14, numerator: 7, denominator: 8), .init(beat: 17.5, numerator: 2, denominator: 2),
    ])

    @Test(
        "Bars follow the signatures",
        arguments: [
            (0.0, 1, 1, 0.0), (3.5, 1, 4, 0.5), (4, 2, 1, 0), (8, 3, 1, 0), (10.25, 3, 3, 0.25), (11, 4, 1, 0),
            (14, 5, 1, 0), (14.5, 5, 2, 0), (17.25, 5, 7, 0.5), (17.5, 6, 1, 0), (20.5, 6, 2, 0.5), (21.5, 7, 1, 0),
            (-1, 0, 4, 0), (-4, 0, 1, 0),
        ])
    func positions(beat: Double, bar: Int, note: Int, fraction: Double) {
        let position = map.position(of: beat)
        #expect(position == .init(bar: bar, note: note, fraction: fraction))
        #expect(map.beat(of: position) == beat)
    }

    @Test("A signature within a bar ends it early")
    func cutBar() {
        let map = MeterMap([.init(beat: 6, numerator: 3, denominator: 4)])
        #expect(map.position(of: 5.5) == .init(bar: 2, note: 2, fraction: 0.5))
        #expect(map.position(of: 6) == .init(bar: 3, note: 1, fraction: 0))
    }

    @Test("Signatures that cannot be are left out")
    func guarded() {
        let map = MeterMap([
            .init(beat: 0, numerator: 0, denominator: 4), .init(beat: 4, numerator: 4, denominator: 3),
            .init(beat: .nan, numerator: 3, denominator: 4), .init(beat: -2, numerator: 3, denominator: 4),
        ])
        #expect(map.signatures == [.init(beat: 0, numerator: 4, denominator: 4)])
        #expect(map.position(of: .nan).bar == 1)
        #expect(map.position(of: .infinity).bar > 1)
    }
}
