import OssicleSpatial
import PHASE
import Testing

@testable import OssiclePHASE

@Suite struct LifetimeTests {
    @Test func `an engine that is let go takes everything with it`() throws {
        weak var engine: PHASEEngine?
        weak var control: EngineControl?
        weak var instance: EventInstance?
        weak var root: PHASEObject?
        do {
            let stage = try Stage()
            (engine, control, root) = (stage.engine, stage.engine.control, stage.engine.rootObject)
            try stage.register("tone", [sine(440, 48_000)])
            let mixer = try stage.spatialMixer([.directPathTransmission, .lateReverb])
            stage.engine.defaultReverbPreset = .smallRoom
            let group = PHASEGroup(identifier: "all")
            group.register(engine: stage.engine)
            let event = try stage.registerEvent("tone", into: mixer, loops: true) { $0.group = group }
            try stage.engine.assetRegistry.registerGlobalMetaParameter(
                metaParameterDefinition: PHASENumberMetaParameterDefinition(value: 1))
            try stage.start()
            let playing = try stage.event(event, mixer, stage.source(at: SIMD3(0, 0, -1)))
            instance = playing.instance
            playing.start(completion: nil)
            _ = try stage.render(4096)
        }
        #expect(engine == nil)
        #expect(control == nil)
        #expect(instance == nil)
        #expect(root == nil)
    }

    @Test func `what outlives its engine does no harm`() throws {
        var stage: Stage? = try Stage()
        let registry = try TestFailure.unwrap(stage?.engine.assetRegistry)
        let source = try TestFailure.unwrap(stage?.source(at: SIMD3(0, 0, -1)))
        try stage?.register("tone", [sine(440, 480)])
        let event = try TestFailure.unwrap(
            stage.map { try $0.event($0.registerEvent("tone", into: $0.channelMixer())) })
        stage = nil
        #expect(registry.asset(forIdentifier: "tone") == nil)
        source.transform = .translation(SIMD3(1, 0, 0))
        event.start(completion: nil)
        event.stopAndInvalidate()
        #expect(source.parent == nil && event.renderingState == .stopped)
    }
}
