import OssicleAcoustics
import OssicleCore
@testable import OssiclePHASE
import PHASE
import Testing

@Suite struct AcousticsValueTests {
    @Test func `named qualities are those of the acoustics and say what they cost`() {
        #expect(PHASEAcousticsQuality.low.quality == .low && PHASEAcousticsQuality.medium.quality == .medium)
        #expect(PHASEAcousticsQuality.high.quality == .high)
        #expect(
            PHASEAcousticsQuality.medium.description.hasPrefix(
                "medium: 1024 rays that meet up to 96 surfaces (3.0 × the work of low)"))
        #expect(PHASEAcousticsQuality.high.description.contains("also around an edge"))
    }

    @Test func `a quality of one's own is moved into range and says so`() {
        let usual = PHASEAcousticsQuality(
            rays: 2000, bounces: 30, reflectionOrder: 3, reflections: 40, edges: 1, bendsReflections: true)
        #expect(
            usual.corrections.isEmpty && usual.rays == 2000 && usual.bounces == 30 && usual.reflectionOrder == 3
                && usual.reflections == 40)
        #expect(usual.edges == 1 && usual.bendsReflections)
        let odd = PHASEAcousticsQuality(rays: .max, bounces: 0, reflectionOrder: -1, reflections: .min, edges: 9)
        #expect(
            odd.rays == 1_048_576 && odd.bounces == 1 && odd.reflectionOrder == 0 && odd.reflections == 0
                && odd.edges == 2)
        #expect(odd.corrections.count == 5 && odd.corrections.first?.contains("0…1048576") == true)
        let loose = PHASEAcousticsQuality(rays: 64, lateError: 2)
        #expect(loose.lateError == 1 && loose.corrections.first?.contains("lateError 2.0 is outside 0…1") == true)
        #expect(PHASEAcousticsQuality(rays: 64, lateError: .nan).lateError == 0)
        #expect(PHASEAcousticsQuality(rays: -5) == PHASEAcousticsQuality(rays: 0))
        #expect(Set([PHASEAcousticsQuality(rays: -5), PHASEAcousticsQuality(rays: 0)]).count == 1)
    }

    @Test func `metrics print a table with a row for each quantity and a dash where there is none`() {
        var t20 = OctaveBands((0..<10).map { 1 + Float($0) / 10 })
        t20[0] = 0
        var strength = OctaveBands(repeating: 12.34)
        strength[9] = -120
        func even(_ value: Float) -> OctaveBands { OctaveBands(repeating: value) }
        let metrics = PHASERoomMetrics(
            t20: t20, t30: t20, edt: t20, c50: even(-1), c80: even(2), d50: even(0.4), centreTime: even(0.085),
            strength: strength, lf: even(0.25), lfc: even(0.375), lg: strength, sti: 0.617, escapedShare: 0.25)
        let lines = metrics.description.split(separator: "\n").map(String.init)
        #expect(lines.count == 13)
        #expect(lines[1] == "T20 s" + "          –" + (1...9).map { "   1.\($0)0" }.joined())
        #expect(lines[8].hasPrefix("G dB") && lines[8].hasSuffix("   12.3      –"))
        #expect(lines[9].hasPrefix("LF ") && lines[9].hasSuffix("   0.25") && lines[11].hasSuffix("   12.3      –"))
        #expect(metrics.lfc[4] == 0.375 && metrics.standardErrors.lf == Array(repeating: 0, count: 10))
        #expect(lines[7].hasSuffix("     85") && lines[12] == "STI 0.62, 25 % of the rays escape")
        #expect(metrics.t20.count == 10 && metrics.t20[3] == Double(Float(1.3)))
    }

    @Test func `a report says what is left out and why`() {
        var budget = SimulationBudget(asked: .high, interval: 0.1, limit: 0.04)
        let fresh = PHASEAcousticsReport(budget, reflections: 0)
        #expect(!fresh.isDegraded && fresh.lastDuration == nil && fresh.qualityUsed == .high)
        #expect(fresh.description.hasPrefix("quality as asked for\n  high: "))
        for _ in 0..<4 { budget.note(0.05) }
        let late = PHASEAcousticsReport(budget, reflections: 7)
        #expect(late.isDegraded && late.rays == 1024 && late.qualityAsked == .high && late.reflections == 7)
        #expect(late.lateSimulations == 4 && late.simulations == 4)
        #expect(late.shareOfBudget.map { abs($0 - 1.25) < 1e-9 } == true && late.interval == 0.1)
        #expect(late.sacrifices == ["1024 rays in place of 4096"])
        #expect(
            late.description.contains(
                "because simulations took longer than their budget twice in a row: 1024 rays in place of 4096"))
        #expect(late.description.contains("last simulation 50.0 ms, 125 % of its budget"))
        #expect(late.description.contains("4 of 4 simulations were late"))
        let assumed = PHASEAcousticsReport(budget, reflections: 0, assumptions: ["It is taken for a room."])
        #expect(assumed.description.hasSuffix("\n  It is taken for a room.") && late.assumptions.isEmpty)
    }

    @Test func `a medium delays unless told otherwise`() {
        let engine = PHASEEngine(updateMode: .manual)
        #expect(PHASEMedium(engine: engine, preset: .air).delays && PHASEMedium(engine: engine, temperature: 20).delays)
        let instant = PHASEMedium(engine: engine, temperature: 20, absorbs: false, delays: false)
        #expect(!instant.delays && !instant.absorbs && instant.medium == Medium() && engine.recordedErrors.isEmpty)
    }
}
