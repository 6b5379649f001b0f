import OssicleTestSupport
import PHASE
import Testing

@testable import OssiclePHASE

@Suite struct ListenerOutputTests {
    /// Two listeners, left and right of one source each; a room; and a channel mixer that belongs to nobody.
    private final class Scene {
        let stage: Stage
        let listeners: [PHASEListener]
        let outputs: [PHASEListenerOutput]

        /// - Parameters:
        ///   - playing: whose events are started. - asked: whether the listeners' outputs are asked for.
        init(
            playing: Set<Int> = [0, 1], music: Bool = true, asked: Bool = true, preset: PHASEReverbPreset = .mediumRoom
        ) throws {
            stage = try Stage(seed: 3)
            stage.engine.defaultReverbPreset = preset
            let stage = stage
            listeners = try [SIMD3<Float>(-5, 0, 0), SIMD3(5, 0, 0)].map { try stage.ears(at: $0) }
            let mixer = try stage.spatialMixer([.directPathTransmission, .lateReverb], rolloff: 1)
            for index in 0..<2 {
                try stage.register("noise \(index)", [Signal.noise(count: 12_000, seed: UInt64(index), amplitude: 0.2)])
                try stage.registerEvent("noise \(index)", into: mixer, loops: true)
            }
            try stage.register("music", [sine(300, 4800, amplitude: 0.1)])
            try stage.registerEvent("music", into: stage.channelMixer(), loops: true)
            outputs = asked ? listeners.map { stage.engine.output(for: $0) } : []
            try stage.start()
            let sources = try [SIMD3<Float>(-6, 0, -1), SIMD3(6, 0, -1)].map { try stage.source(at: $0) }
            for index in playing.sorted() {
                try stage.event("noise \(index) event", mixer, sources[index], listeners[index]).start(completion: nil)
            }
            if music { try stage.event("music event").start(completion: nil) }
        }
    }

    @Test func `the engine's output does not notice`() throws {
        let (with, without) = (try Scene(), try Scene(asked: false))
        let heard = try with.stage.render(9000, listeners: with.outputs)
        let plain = try without.stage.render(9000)
        #expect(heard.engine == plain)
        #expect(rms(plain[0][...]) > 0.01)
    }

    @Test func `each holds what its listener would hear alone, bit for bit`() throws {
        let both = try Scene()
        let outs = try both.stage.render(9000, listeners: both.outputs).listeners
        for index in 0..<2 {
            let alone = try Scene(playing: [index], music: false, asked: false).stage.render(9000)
            #expect(outs[index] == alone)
            #expect(rms(alone[0][...]) > 0.01)
        }
        #expect(outs[0] != outs[1])
    }

    @Test(arguments: [64, 127, 4096])
    func `the same bytes however render calls are cut`(call: Int) throws {
        let (cut, whole) = (try Scene(), try Scene())
        let (a, b) = (
            try cut.stage.render(8192, listeners: cut.outputs, call: call),
            try whole.stage.render(8192, listeners: whole.outputs)
        )
        #expect(a.listeners == b.listeners)
    }

    @Test func `one output may be rendered without the other`() throws {
        let (one, both) = (try Scene(), try Scene())
        let second = try one.stage.render(4096, listeners: [one.outputs[1]]).listeners[0]
        #expect(try both.stage.render(4096, listeners: both.outputs).listeners[1] == second)
    }

    @Test func `channel mixers belong to nobody`() throws {
        let scene = try Scene(playing: [])
        let heard = try scene.stage.render(2048, listeners: scene.outputs)
        #expect(rms(heard.engine[0][...]) > 0.01)
        #expect(heard.listeners.joined().joined().allSatisfy { $0 == 0 })
    }

    @Test func `an output asked for while it plays begins with the next update`() throws {
        let scene = try Scene(playing: [0], music: false, asked: false, preset: .none)
        _ = try scene.stage.render(5000)
        let output = scene.stage.engine.output(for: scene.listeners[0])
        let heard = try scene.stage.render(3000, listeners: [output])
        // Binaural sound goes out in whole quanta.
        let whole = { (sound: [[Float]]) in sound.map { Array($0.dropFirst(128)) } }
        #expect(whole(heard.listeners[0]) == whole(heard.engine))
        #expect(output === scene.stage.engine.output(for: scene.listeners[0]))
    }

    @Test func `an output nobody holds is given up`() throws {
        let scene = try Scene(asked: false)
        var output: PHASEListenerOutput? = scene.stage.engine.output(for: scene.listeners[0])
        _ = try scene.stage.render(1024)
        #expect(scene.stage.engine.control.outlets.planned.count == 1)
        withExtendedLifetime(output) {}
        output = nil
        _ = try scene.stage.render(1024)
        #expect(scene.stage.engine.control.outlets.planned.isEmpty)
    }

    @Test func `a listener that leaves the scene is silent until it is back, and another one hears for itself`() throws
    {
        let scene = try Scene(playing: [0], music: false, preset: .none)
        let (stage, listener) = (scene.stage, scene.listeners[0])
        _ = try stage.render(4096, listeners: scene.outputs)
        stage.engine.rootObject.removeChild(listener)
        _ = try stage.render(4096, listeners: scene.outputs)
        let away = try stage.render(4096, listeners: scene.outputs).listeners[0]
        #expect(away.joined().allSatisfy { $0 == 0 })
        let another = try stage.ears(at: SIMD3(-5, 0, 0))
        let mixer = try stage.spatialMixer(rolloff: 1)
        try stage.register("tone", [sine(500, 4800)])
        try stage.registerEvent("tone", into: mixer, loops: true)
        try stage.event("tone event", mixer, stage.source(at: SIMD3(-6, 0, -1)), another).start(completion: nil)
        let new = try stage.render(4096, listeners: [stage.engine.output(for: another)] + scene.outputs).listeners
        #expect(rms(new[0][0][2048...]) > 0.01)
        #expect(new[1].joined().allSatisfy { $0 == 0 })
        try stage.engine.rootObject.addChild(listener)
        let back = try stage.render(4096, listeners: scene.outputs).listeners[0]
        #expect(rms(back[0][2048...]) > 0.01)
        #expect(stage.engine.lastError == nil)
    }

    @Test func `each has a limiter and meters of its own`() throws {
        let stage = try Stage(mode: .alwaysUseChannelBased)
        let (near, far) = (try stage.ears(at: .zero), try stage.ears(at: SIMD3(20, 0, 0)))
        let mixer = try stage.spatialMixer(rolloff: 1)
        try stage.register("loud", [sine(500, 4800, amplitude: 1)])
        let event = try stage.registerEvent("loud", into: mixer, loops: true) {
            $0.setCalibrationMode(calibrationMode: .none, level: 1)
        }
        let source = try stage.source(at: SIMD3(0, 0, -0.5))
        let outputs = [near, far].map { stage.engine.output(for: $0) }
        try stage.start()
        for listener in [near, far] { try stage.event(event, mixer, source, listener).start(completion: nil) }
        // Both in one output would not fit.
        for _ in 0..<2 { try stage.event(event, mixer, source, near).start(completion: nil) }
        let heard = try stage.render(9600, listeners: outputs)
        let meters = outputs.map { $0.takeMeters() }
        #expect(meters[0].frames == 9600 && meters[1].frames == 9600)
        #expect(meters[0].limitedFrames > 0 && meters[1].limitedFrames == 0)
        #expect(heard.listeners[0].joined().allSatisfy { $0.magnitude <= 1 })
        let power = heard.listeners[1].joined().reduce(0) { $0 + Double($1) * Double($1) } / 19_200
        #expect(abs(meters[1].directPower / power - 1) < 1e-6 && meters[1].reverbPower == 0)
    }

    @Test func `what is not an output of this engine is refused`() throws {
        let (stage, other) = (try Stage(), try Stage())
        let foreign = stage.engine.output(for: other.listener)
        #expect(stage.engine.lastError?.localizedDescription.contains("another engine") == true)
        try stage.start()
        #expect { try stage.render(64, listeners: [foreign]) } throws: {
            $0.localizedDescription.contains("another engine")
        }
        let own = stage.engine.output(for: stage.listener)
        let format = try TestFailure.unwrap(AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 2))
        let (main, wrong) = (
            try TestFailure.unwrap(AVAudioPCMBuffer(pcmFormat: stage.format, frameCapacity: 64)),
            try TestFailure.unwrap(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 64))
        )
        #expect { try stage.engine.renderOffline(64, to: main, listeners: [own: wrong]) } throws: {
            $0.localizedDescription.contains("format")
        }
    }
}
