import Testing
@testable import OssicleSoundEvents

@Suite struct ParameterTests {
    private func values() throws -> ParameterValues {
        let double = try #require(Envelope(start: [0, 0], segments: [.init(end: [1, 2], curve: .linear)]))
        return ParameterValues([
            ParameterBlueprint(identifier: "wet", kind: .number(NumberLimits(minimum: 0, maximum: 1), initial: 0.25)),
            ParameterBlueprint(identifier: "surface", kind: .text(initial: "grass")),
            ParameterBlueprint(identifier: "twice", kind: .mapped(input: 0, double)),
            ParameterBlueprint(identifier: "four times", kind: .mapped(input: 2, double)),
        ])
    }

    @Test("numbers are kept within their limits, and a set of NaN, of a text or of a mapped number changes nothing")
    func limits() throws {
        var values = try values()
        let accepted = [
            values.set(0, to: 7), values.set(0, to: .nan), values.set(1, to: 0.5), values.set(2, to: 0.5),
            values.set(9, to: 1),
        ]
        #expect(accepted == [true, false, false, false, false])
        #expect(values.number(0) == 1)
        #expect(values.text(1) == "grass")
        #expect(values.number(1) == nil)
    }

    @Test("a mapped number follows its input, also through another mapped number")
    func mapped() throws {
        var values = try values()
        #expect(values.number(2) == 0.5)
        #expect(values.number(3) == 1)
        values.set(0, to: 0.1)
        #expect(values.number(2) == 0.2)
        #expect(values.number(3) == 0.4)
    }

    @Test("texts change, and identifiers find their index")
    func texts() throws {
        var values = try values()
        let surface = try #require(values.index(of: "surface"))
        let changed = values.set(surface, to: "gravel")
        #expect(changed)
        #expect(values.text(surface) == "gravel")
        #expect(values.index(of: "none") == nil)
    }

    @Test("limits in the wrong order are exchanged, NaN limits do not limit, and NaN starts at what is nearest to 0")
    func oddLimits() {
        #expect(NumberLimits(minimum: 2, maximum: -1) == NumberLimits(minimum: -1, maximum: 2))
        #expect(NumberLimits(minimum: .nan, maximum: .infinity) == .unlimited)
        let limits = NumberLimits(minimum: 3, maximum: 4)
        #expect(ParameterValues([.init(identifier: "x", kind: .number(limits, initial: .nan))]).number(0) == 3)
    }

    @Test("a fade is linear, exact at its ends and over at once without a duration")
    func fade() {
        let fade = NumberFade(from: 0.2, to: 1, start: 10, duration: 4)
        #expect(fade.value(at: 0) == 0.2)
        #expect(fade.value(at: 10) == 0.2)
        #expect(abs(fade.value(at: 11) - 0.4) < 1e-15)
        #expect(fade.value(at: 14) == 1)
        #expect(!fade.isOver(at: 13.9) && fade.isOver(at: 14))
        for duration in [0, -1, Double.nan] {
            #expect(NumberFade(from: 0, to: 1, start: 5, duration: duration).value(at: 5) == 1)
        }
    }
}
