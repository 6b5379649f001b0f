import OssicleTestSupport
import PHASE
import Testing

@Suite struct GroupTests {
    /// Two constant loops of 0.25 and 0.125 in two groups.
    private func stage() throws -> (stage: Stage, first: PHASEGroup, second: PHASEGroup) {
        let stage = try Stage()
        let groups = [PHASEGroup(identifier: "first"), PHASEGroup(identifier: "second")]
        for (group, value) in zip(groups, [Float(0.25), 0.125]) {
            group.register(engine: stage.engine)
            try stage.register(group.identifier, [[Float](repeating: value, count: 4800)])
            try stage.registerEvent(group.identifier, into: stage.channelMixer(), loops: true) { $0.group = group }
        }
        try stage.start()
        for group in groups { try stage.event(group.identifier + " event").start(completion: nil) }
        _ = try stage.render(512)
        return (stage, groups[0], groups[1])
    }

    private func level(_ stage: Stage) throws -> Float { try stage.render(2048)[0][2047] }

    @Test func `gain, mute and solo`() throws {
        let (stage, first, second) = try stage()
        #expect(try level(stage) == 0.375)
        first.gain = 0.5
        #expect(try level(stage) == 0.25)
        first.mute()
        #expect(try level(stage) == 0.125)
        #expect(first.isMuted)
        first.unmute()
        second.solo()
        #expect(try level(stage) == 0.125)
        first.solo()
        #expect(try level(stage) == 0.25)
        second.mute()
        #expect(try level(stage) == 0.125)
        [first, second].forEach { $0.unsolo() }
        second.unmute()
        first.gain = 7
        #expect(first.gain == 1)
        #expect(try level(stage) == 0.375)
    }

    @Test func `fades multiply the gain along their curve`() throws {
        let (stage, first, second) = try stage()
        second.mute()
        first.gain = 0.5
        _ = try stage.render(2048)
        first.fadeGain(gain: 0.5, duration: 1, curveType: .linear)
        let out = try stage.render(51_200)[0]
        for (at, factor) in [(12_000, 0.875), (24_000, 0.75), (36_000, 0.625), (51_000, 0.5)] {
            #expect(abs(Double(out[at]) - 0.125 * factor) < 0.125 * 0.006)
        }
        #expect(first.gain == 0.5)
    }

    @Test func `the rate moves the pitch, and fades`() throws {
        let stage = try Stage()
        let group = PHASEGroup(identifier: "all")
        group.register(engine: stage.engine)
        try stage.register("tone", [sine(500, 48_000)])
        try stage.registerEvent("tone", into: stage.channelMixer(), loops: true) { $0.group = group }
        try stage.start()
        try stage.event("tone event").start(completion: nil)
        func pitch(near frequency: Double) throws -> Double {
            Measure.pitch(near: frequency, in: Array(try stage.render(20_000)[0][2000...])).frequency
        }
        group.rate = 2
        #expect(abs(1200 * log2(try pitch(near: 1000) / 1000)) < 0.1)
        group.fadeRate(rate: 0.75, duration: 0.1, curveType: .sine)
        _ = try stage.render(6000)
        #expect(abs(1200 * log2(try pitch(near: 750) / 750)) < 0.1)
    }

    @Test func `registering twice is recorded and changes nothing`() throws {
        let (stage, first, _) = try stage()
        #expect(stage.engine.lastError == nil)
        first.register(engine: stage.engine)
        #expect((stage.engine.lastError as? PHASEAssetError)?.code == .alreadyExists)
        PHASEGroup(identifier: "second").register(engine: stage.engine)
        #expect(stage.engine.recordedErrors.count == 2)
        #expect(stage.engine.groups.keys.sorted() == ["first", "second"] && stage.engine.groups["first"] === first)
        first.gain = 0
        #expect(try level(stage) == 0.125)
    }

    @Test func `a group that is unregistered lets its generators go`() throws {
        let (stage, first, _) = try stage()
        first.mute()
        #expect(try level(stage) == 0.125)
        first.unregisterFromEngine()
        #expect(try level(stage) == 0.375)
        first.register(engine: stage.engine)
        #expect(stage.engine.lastError == nil)
        #expect(try level(stage) == 0.125)
    }
}
