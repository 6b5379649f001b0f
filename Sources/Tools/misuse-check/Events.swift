import Foundation
import OssiclePHASE

/// PHASE: sound events and streams.
let eventCases: [MisuseCase] = [
    MisuseCase("events: start, pause, resume, seek and stop in any order") {
        let scene = try OfflineScene(), called = Count()
        var random = SeededNumbers(seed: 6)
        for round in 0..<20 {
            let event = try OfflineScene.event(
                "event", scene.engine, mixer: scene.mixer, source: scene.source, listener: scene.listener)
            for _ in 0..<20 {
                let (step, value) = (random.next(9), Hostile.doubles[random.next(Hostile.doubles.count)])
                note("round \(round), step \(step), \(value)")
                switch step {
                case 0: event.start { _ in called.add() }
                case 1: event.pause()
                case 2: event.resume()
                case 3: event.seek(to: value) { _ in called.add() }
                case 4: event.prepare { _ in called.add() }
                case 5: event.resume(at: AVAudioTime(sampleTime: .max, atRate: value))
                case 6: event.start(at: AVAudioTime(sampleTime: .min, atRate: value)) { _ in called.add() }
                case 7: event.seek(to: value, resumeAt: AVAudioTime(hostTime: .max)) { _ in called.add() }
                default: try scene.render(128)
                }
            }
            event.stopAndInvalidate()
            event.stopAndInvalidate()
            event.start(completion: nil)
            event.seek(to: 0, completion: nil)
            try scene.render(128)
        }
        try scene.expectAudible("events")
    },
    MisuseCase("events: without parameters, with those of another engine") {
        let scene = try OfflineScene(), other = try OfflineScene()
        note("no parameters")
        _ = try? PHASESoundEvent(engine: scene.engine, assetIdentifier: "event")
        let foreign = PHASEMixerParameters()
        foreign.addSpatialMixerParameters(identifier: "mixer", source: other.source, listener: other.listener)
        foreign.addSpatialMixerParameters(identifier: "", source: other.source, listener: other.listener)
        foreign.addAmbientMixerParameters(identifier: "mixer", listener: other.listener)
        note("source and listener of another engine")
        if let event = try? PHASESoundEvent(engine: scene.engine, assetIdentifier: "event", mixerParameters: foreign) {
            event.start(completion: nil)
        }
        try scene.render()
        note("a source outside of the scene")
        let event = try OfflineScene.event(
            "event", scene.engine, mixer: scene.mixer, source: PHASESource(engine: scene.engine),
            listener: PHASEListener(engine: scene.engine))
        event.start(completion: nil)
        try scene.render()
        note("source and listener leave while it plays")
        scene.engine.rootObject.removeChildren()
        try scene.render()
        try scene.engine.rootObject.addChild(scene.source)
        try scene.engine.rootObject.addChild(scene.listener)
        try scene.expectAudible("leaving and coming back")
    },
    MisuseCase("events: buffers of push streams") {
        let scene = try OfflineScene(), called = Count()
        guard let mono = AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 1),
            let stereo = AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 2),
            let empty = AVAudioPCMBuffer(pcmFormat: mono, frameCapacity: 1),
            let wrong = AVAudioPCMBuffer(pcmFormat: stereo, frameCapacity: 64),
            let bad = AVAudioPCMBuffer(pcmFormat: mono, frameCapacity: 64)
        else { throw MisuseFailure("no buffer") }
        (wrong.frameLength, bad.frameLength) = (64, 64)
        for frame in 0..<64 { bad.floatChannelData?[0][frame] = Hostile.floats[frame % Hostile.floats.count] }
        let event = try scene.play(
            PHASEPushStreamNodeDefinition(mixerDefinition: scene.mixer, format: mono, identifier: "push"))
        guard let node = event.pushStreamNodes["push"] else { throw MisuseFailure("no stream") }
        for options in [[], .loops, .interrupts, .interruptsAtLoop, [.loops, .interrupts]]
            as [PHASEPushStreamBufferOptions]
        {
            for buffer in [empty, wrong, bad] {
                for time in [
                    nil, AVAudioTime(sampleTime: .min, atRate: 48_000), AVAudioTime(sampleTime: .max, atRate: .nan),
                    AVAudioTime(hostTime: 0),
                ] {
                    note("\(buffer.frameLength) frames, options \(options.rawValue)")
                    node.scheduleBuffer(buffer: buffer, time: time, options: options)
                    try scene.render(128)
                }
            }
        }
        event.stopAndInvalidate()
        try scene.render()
        node.scheduleBuffer(buffer: bad)
        node.scheduleBuffer(buffer: bad, completionCallbackType: .dataRendered) { _ in called.add() }
        try scene.render()
        try scene.expectAudible("streams")
    },
    MisuseCase("events: pull streams that fail, and write what is no number") {
        let scene = try OfflineScene()
        guard let mono = AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 1) else {
            throw MisuseFailure("no format")
        }
        let event = try scene.play(
            PHASEPullStreamNodeDefinition(mixerDefinition: scene.mixer, format: mono, identifier: "pull"))
        guard let node = event.pullStreamNodes["pull"] else { throw MisuseFailure("no stream") }
        for status in [noErr, -1, .max] as [OSStatus] {
            note("status \(status)")
            node.renderHandler = { silence, _, frames, list in
                for buffer in UnsafeMutableAudioBufferListPointer(list) {
                    guard let samples = buffer.mData?.assumingMemoryBound(to: Float.self) else { continue }
                    for frame in 0..<Int(frames) { samples[frame] = frame % 2 == 0 ? .nan : .greatestFiniteMagnitude }
                }
                return status
            }
            for _ in 0..<8 { try scene.render(500) }
        }
        event.stopAndInvalidate()
        for _ in 0..<40 { try scene.render() }
        try scene.expectAudible("streams")
    },
    MisuseCase("events: taps and outputs of listeners that come and go") {
        let scene = try OfflineScene(), engine = scene.engine
        for size in Hostile.frames {
            note("tap of \(size)")
            try? engine.installTap(bufferSize: size, format: nil) { [weak engine] _, _ in engine?.removeTap() }
            try scene.render(4096)
            engine.removeTap()
            engine.removeTap()
        }
        let second = PHASEListener(engine: engine), output = engine.output(for: second)
        try engine.rootObject.addChild(second)
        try? output.installTap(bufferSize: 0) { _, _ in }
        try scene.render()
        engine.rootObject.removeChild(second)
        try scene.render()
        output.removeTap()
        _ = output.takeMeters()
        engine.drainCallbacks()
        try scene.expectAudible("taps")
    },
]
