import Testing
@testable import OssicleSoundEvents

@Suite struct CurveTypeTests {
    private let steps = (0...1000).map { Double($0) / 1000 }

    @Test("every curve joins 0 and 1 exactly and holds them outside", arguments: CurveType.allCases)
    func ends(curve: CurveType) {
        for x in [-Double.infinity, -1, 0, .nan] { #expect(curve(x) == 0) }
        for x in [1, 2, Double.infinity] { #expect(curve(x) == 1) }
    }

    @Test("no curve ever falls or leaves 0…1", arguments: CurveType.allCases)
    func monotone(curve: CurveType) {
        for (a, b) in zip(steps, steps.dropFirst()) {
            #expect(curve(a) <= curve(b))
            #expect((0...1).contains(curve(a)))
        }
    }

    @Test("the inverse of a power is the power seen from the other end (1e-15)")
    func oppositeEasings() {
        for t in steps {
            #expect(abs(CurveType.inverseSquared(t) - (1 - CurveType.squared(1 - t))) < 1e-15)
            #expect(abs(CurveType.inverseCubed(t) - (1 - CurveType.cubed(1 - t))) < 1e-15)
        }
    }

    @Test("inverseSine undoes sine and inverseSigmoid undoes sigmoid (1e-7)")
    func inverseFunctions() {
        for t in steps {
            #expect(abs(CurveType.inverseSine(CurveType.sine(t)) - t) < 1e-7)
            #expect(abs(CurveType.inverseSigmoid(CurveType.sigmoid(t)) - t) < 1e-7)
        }
    }

    @Test(
        "values half way and a quarter of the way (1e-12)",
        arguments: zip(
            CurveType.allCases,
            [
                0.25, 0.0625, 0.4375, 0.015625, 0.578125, 0.3826834323650898, 0.1608612465103942, 0.15625,
                0.3263518223330697, 0, 1,
            ]))
    func quarter(curve: CurveType, expected: Double) {
        #expect(abs(curve(0.25) - expected) < 1e-12)
    }
}
