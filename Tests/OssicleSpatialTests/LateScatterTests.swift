@testable import OssicleAcoustics
import OssicleCore
import Testing
@testable import OssicleSpatial

/// How many rays the late field needs, for echograms that scatter by a known amount.
@Suite struct LateScatterTests {
    /// An exponential decay of 1 s, of a level in nepers.
    private func response(_ level: Double, t60: Double = 1) -> EnergyResponse {
        var response = EnergyResponse(binWidth: 0.004, binCount: 250)
        for bin in 0..<250 {
            let energy = DeterministicMath.exp(level - 6 * DeterministicMath.ln10 * Double(bin) * 0.004 / t60)
            response.bins[bin] = OctaveBands(repeating: Float(energy))
        }
        return response
    }

    private func scatter(
        room: (Int) -> (level: Double, t60: Double), source: (Int) -> Double = { _ in 0 }, rays: Int
    ) -> LateScatter {
        scatter(room: room, sources: { [source($0)] }, rays: rays)
    }

    private func scatter(
        room: (Int) -> (level: Double, t60: Double), sources: (Int) -> [Double], rays: Int
    ) -> LateScatter {
        var scatter = LateScatter()
        for round in 0..<40 {
            let (level, t60) = room(round)
            scatter.learn(
                LateResponses(
                    sources: sources(round).map { response($0) }, room: response(level, t60: t60),
                    survey: RaySurvey(meanFreePath: 4, escapedShare: 0)), rays: rays, speedOfSound: 343)
        }
        return scatter
    }

    private func quality(_ error: Double, rays: Int = 16_384) -> AcousticQuality {
        AcousticQuality(
            rays: rays, bounces: 10, lateError: error, reflectionOrder: 1, reflections: 1, edges: 1,
            bendsReflections: false)
    }

    /// What jumps up and down by d with 256 rays has second differences of 2d, and a variance of (2d)² · 256/6 for one
    /// ray; the prior of a quarter of all rays counts for one difference of nine.
    private func expected(_ difference: Double, _ error: Double, most: Double) -> Double {
        let wanted = 4 * difference * difference * 256 / 6 / (8 * error * error)
        return (8 * wanted + most) / 9
    }

    @Test func `levels that scatter get as many rays as keep the mean of eight within five times the error in dB`() {
        // 2 dB from one simulation to the next are 0.4 of 5 dB.
        let nepers = 2 * DeterministicMath.ln10 / 10
        let found = scatter(room: { (Double($0 % 2) * nepers, 1) }, source: { Double($0 % 2) * nepers }, rays: 256)
        #expect(abs(Double(found.rays(quality(0.05), meanOf: 8)) / expected(0.4, 0.05, most: 4096) - 1) < 0.03)
    }

    @Test func `a source that scatters by itself counts as the room does`() {
        let nepers = 2 * DeterministicMath.ln10 / 10
        let found = scatter(room: { _ in (0, 1) }, source: { Double($0 % 2) * nepers }, rays: 256)
        #expect(abs(Double(found.rays(quality(0.05), meanOf: 8)) / expected(0.4, 0.05, most: 4096) - 1) < 0.03)
    }

    @Test func `of a crowd nothing odd counts for more than four times the usual`() {
        let nepers = 2 * DeterministicMath.ln10 / 10
        // One of ten scatters by twenty times as much: 9 and 4 shares in place of 10.
        let odd = scatter(
            room: { _ in (0, 1) },
            sources: { round in (0..<10).map { Double(round % 2) * nepers * ($0 == 0 ? 20 : 1) } },
            rays: 256)
        let bounded = expected(0.4 * 1.3.squareRoot(), 0.05, most: 4096)
        #expect(abs(Double(odd.rays(quality(0.05), meanOf: 8)) / bounded - 1) < 0.03)
        // The last but one is in three differences, each of which counts for an eighth: less than (1 + 3/8)³ = 2.6
        // times.
        let late = scatter(
            room: { _ in (0, 1) },
            sources: { round in [Double](repeating: Double(round % 2) * nepers * (round == 37 ? 10 : 1), count: 5) },
            rays: 256)
        let ratio = Double(late.rays(quality(0.05), meanOf: 8)) / expected(0.4, 0.05, most: 4096)
        #expect(ratio > 2 && ratio < 2.6)
        // Four are none: the one that scatters makes all rays necessary.
        let few = scatter(
            room: { _ in (0, 1) },
            sources: { round in (0..<4).map { Double(round % 2) * nepers * ($0 == 0 ? 20 : 1) } },
            rays: 256)
        #expect(few.rays(quality(0.05), meanOf: 8) == 4096)
    }

    @Test func `so do decay times`() {
        // Of one energy, so that levels do not scatter.
        func energy(_ t60: Double) -> Double {
            let rate = 6 * DeterministicMath.ln10 / t60
            return 1 / (1 - DeterministicMath.exp(-rate * 0.004))
        }
        let quieter = DeterministicMath.log(energy(1) / energy(1.2))
        let found = scatter(room: { $0 % 2 == 0 ? (0, 1) : (quieter, 1.2) }, rays: 256)
        let difference = DeterministicMath.log(1.2)
        #expect(abs(Double(found.rays(quality(0.02), meanOf: 8)) / expected(difference, 0.02, most: 4096) - 1) < 0.05)
    }

    @Test func `a quarter of all rays at most, a sixteenth and 64 at least, and a quarter where no error is asked for`()
    {
        let wild = scatter(room: { (Double($0 % 2) * 3, 1) }, rays: 256)
        let still = scatter(room: { _ in (0, 1) }, rays: 256)
        #expect(wild.rays(quality(0.03, rays: 4096), meanOf: 8) == 1024)
        #expect(still.rays(quality(0.03, rays: 4096), meanOf: 8) == 256)
        // What moves evenly is no noise.
        let louder = scatter(room: { (0.1 * Double($0), 1) }, source: { 0.1 * Double($0) }, rays: 256)
        #expect(louder.rays(quality(0.03, rays: 4096), meanOf: 8) == 256)
        #expect(still.rays(quality(0.03, rays: 512), meanOf: 8) == 64)
        #expect(still.rays(quality(0, rays: 4096), meanOf: 8) == 1024)
        #expect(LateScatter().rays(quality(0.03, rays: 4096), meanOf: 8) == 1024)
        #expect(still.rays(quality(0.03, rays: 0), meanOf: 8) == 0)
    }
}
