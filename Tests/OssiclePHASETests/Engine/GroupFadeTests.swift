import Foundation
import PHASE
import Testing

/// Fades of groups, heard where their curves say.
@Suite struct GroupFadeTests {
    private static let curves: [(PHASECurveType, @Sendable (Double) -> Double)] = [
        (.linear, { $0 }), (.squared, { $0 * $0 }), (.inverseSquared, { 1 - (1 - $0) * (1 - $0) }),
        (.cubed, { $0 * $0 * $0 }),
        (.sine, { sin($0 * .pi / 2) }), (.inverseSine, { asin($0) * 2 / .pi }), (.sigmoid, { $0 * $0 * (3 - 2 * $0) }),
    ]

    /// A loop of ones at a tenth, in a group that is registered.
    private func stage(_ mode: PHASEEngine.UpdateMode = .automatic) throws -> (stage: Stage, group: PHASEGroup) {
        let stage = try Stage(updateMode: mode)
        let group = PHASEGroup(identifier: "music")
        group.register(engine: stage.engine)
        try stage.register("music", [[Float](repeating: 0.1, count: 4800)])
        try stage.registerEvent("music", into: stage.channelMixer(), loops: true) { $0.group = group }
        try stage.start()
        try stage.event("music event").start(completion: nil)
        return (stage, group)
    }

    @Test(arguments: 0..<7)
    func `a fade is on its curve at every update, and straight in between`(index: Int) throws {
        let (stage, group) = try stage()
        _ = try stage.render(1024)
        let (type, curve) = Self.curves[index]
        group.fadeGain(gain: 0.25, duration: 0.5, curveType: type)
        let out = try stage.render(30 * 1024)[0].map { Double($0) / 0.1 }
        func expected(_ frame: Int) -> Double { 1 - 0.75 * curve(min(Double(frame) / 24_000, 1)) }
        for frame in stride(from: 512, to: 29 * 1024, by: 512) {
            #expect(abs(decibels(out[frame] / expected(frame))) < 0.01, "\(type) at \(frame)")
            #expect(abs(out[frame + 256] - (out[frame] + out[frame + 512]) / 2) < 1e-6)
        }
        #expect(abs(out[29 * 1024] - 0.25) < 1e-7)
    }

    @Test func `so it is in manual mode, at the client's own pace`() throws {
        let (stage, group) = try stage(.manual)
        for _ in 0..<3 { stage.engine.update(); _ = try stage.render(800) }
        group.fadeGain(gain: 0, duration: 1, curveType: .squared)
        for step in 0..<50 {
            stage.engine.update()
            let first = Double(try stage.render(800)[0][0]) / 0.1
            let share = Double(step) / 60
            #expect(abs(decibels(first / (1 - share * share))) < 0.01)
        }
    }

    @Test func `how render calls are cut makes no difference`() throws {
        let runs = try [512, 100, 1].map { call in
            let (stage, group) = try stage()
            _ = try stage.render(1000, call: 500)
            group.fadeGain(gain: 0.1, duration: 0.02, curveType: .sine)
            return try stage.render(3000, call: call)[0]
        }
        #expect(runs[0] == runs[1] && runs[0] == runs[2])
    }

    @Test func `a fade goes on from where another is, and is timed in the engine's units`() throws {
        let (stage, group) = try stage()
        stage.engine.unitsPerSecond = 1000
        _ = try stage.render(1024)
        group.fadeGain(gain: 0, duration: 1000, curveType: .linear)
        _ = try stage.render(512 * 47)
        group.fadeGain(gain: 1, duration: 500, curveType: .linear)
        let out = try stage.render(30 * 1024)[0].map { Double($0) / 0.1 }
        let turn = 1 - 512.0 * 47 / 48_000
        #expect(abs(out[0] - turn) < 1e-6)
        #expect(abs(out[12_288] - (turn + (1 - turn) * 12_288 / 24_000)) < 1e-6)
        #expect(abs(out[25_600] - 1) < 1e-6)
        #expect(zip(out, out.dropFirst()).allSatisfy { abs($0 - $1) < 1e-4 })
    }

    @Test func `a group that is not registered arrives at once, and so does a fade when the group is unregistered`()
        throws
    {
        let (stage, group) = try stage()
        _ = try stage.render(4800)
        group.unregisterFromEngine()
        group.fadeGain(gain: 0.5, duration: 10, curveType: .linear)
        _ = try stage.render(4800)
        group.register(engine: stage.engine)
        #expect(abs(try stage.render(2048)[0][2047] - 0.05) < 1e-7)
        group.fadeGain(gain: 0.25, duration: 10, curveType: .linear)
        group.unregisterFromEngine()
        #expect(try stage.render(2048)[0][2047] == 0.1)
        group.register(engine: stage.engine)
        #expect(abs(try stage.render(2048)[0][2047] - 0.025) < 1e-7)
        #expect(stage.engine.lastError == nil)
    }

    @Test func `numbers that are none, and times without end, do no harm`() throws {
        let (stage, group) = try stage()
        for wrong in [Double.nan, .infinity, -.infinity, -1e300, 1e300] {
            group.fadeRate(rate: wrong, duration: wrong, curveType: .sine)
            group.fadeGain(gain: wrong, duration: wrong, curveType: .sine)
            _ = try stage.render(1024)
        }
        group.fadeRate(rate: 1, duration: 0, curveType: .linear)
        group.fadeGain(gain: 1, duration: 0, curveType: .linear)
        _ = try stage.render(1024)
        #expect(try stage.render(512)[0].allSatisfy { abs($0 - 0.1) < 1e-6 })
    }

    @Test func `a fade that was under way when time began anew has arrived`() throws {
        let (stage, group) = try stage()
        _ = try stage.render(48_000)
        group.fadeGain(gain: 0.5, duration: 1, curveType: .linear)
        _ = try stage.render(1024)
        stage.engine.stop()
        try stage.engine.enableManualRenderingMode(.offline, format: stage.format, maximumFrameCount: 4096)
        try stage.start()
        try stage.event("music event").start(completion: nil)
        #expect(abs(try stage.render(2048)[0][2047] - 0.05) < 1e-7)
    }
}
