import Foundation
import Testing

@testable import OssiclePlugins

@Suite("LV2 plug-ins, loaded")
struct InstanceTests {
    @Test("A value changes at its frame, in the same block as before and after", arguments: [false, true])
    func valuesAtFrames(isInProcess: Bool) throws {
        let bench = try ProbeBench("scaling", isInProcess: isInProcess)
        let sound = try #require(
            bench.render(512) { renderer in
                renderer.set(0.5, port: 2, frame: 0)
                renderer.set(2, port: 2, frame: 100)
                renderer.set(0.25, port: 2, frame: 511)
            })
        #expect(sound[0][..<100].allSatisfy { $0 == 0.5 })
        #expect(sound[0][100..<511].allSatisfy { $0 == 2 })
        #expect(sound[0][511] == 0.25)
        #expect(bench.renderer.value(ofPort: 3) == 1)
    }

    @Test("Properties that messages set: numbers at their frames, and paths", arguments: [false, true])
    func properties(isInProcess: Bool) throws {
        let plugin = try #require(ProbeBench.plugin("patched"))
        let properties = plugin.properties.map(\.name)
        #expect(properties.sorted() == ["Class", "File", "Gain", "Link", "On", "Title", "steps"])
        func number(_ name: String) throws -> Int { try #require(properties.firstIndex(of: name)) }
        let gain = plugin.properties[try number("Gain")]
        #expect((gain.kind, gain.minimum, gain.maximum, gain.initial) == (.real, 0, 4, 0.5))
        #expect(plugin.properties[try number("steps")].kind == .integer)
        #expect(plugin.properties[try number("On")].kind == .toggled)
        let bench = try ProbeBench("patched", isInProcess: isInProcess)
        let (first, second, third) = (try number("Gain"), try number("steps"), try number("On"))
        let sound = try #require(
            bench.render(256) { renderer in
                renderer.set(0.25, property: first, frame: 0)
                renderer.set(7, property: second, frame: 100)
                renderer.set(1, property: third, frame: 200)
            })
        #expect(sound[0][..<100].allSatisfy { $0 == 0.25 } && sound[0][100..<200].allSatisfy { $0 == 70.25 })
        #expect(sound[0][200...].allSatisfy { $0 == 170.25 })
        try bench.instance.setText("/tmp/a.wav", property: try number("File"))
        #expect(try #require(bench.render(64))[0].allSatisfy { $0 == 10_170.25 })
        #expect(throws: PluginError.self) { try bench.instance.setText("/tmp/a.wav", property: first) }
        // The type of each is its property's: a text, a URI, the number of a URI.
        for name in ["Title", "Link", "Class"] {
            try bench.instance.setText("urn:a", property: try number(name))
        }
        #expect(try #require(bench.render(64))[0].allSatisfy { $0 == 25_170.25 })
    }

    @Test("A side chain has a bus of its own, and is silent without one", arguments: [false, true])
    func sidechain(isInProcess: Bool) throws {
        let bench = try ProbeBench("keyed", isInProcess: isInProcess)
        #expect(try #require(ProbeBench.plugin("keyed")).sidechains == [1])
        #expect(try #require(bench.render(64))[0].allSatisfy { $0 == 1 })
        bench.key = 0.25
        #expect(try #require(bench.render(64))[0].allSatisfy { $0 == 3.5 })
        // Two channels go to the one port as their mean, and the main input's to its own.
        let wide = try ProbeBench("keyed", isInProcess: isInProcess, channels: 2)
        wide.sound = { channel, _ in Float(channel) }
        wide.key = 0.5
        #expect(try #require(wide.render(64)).allSatisfy { $0.allSatisfy { $0 == 5.5 } })
    }

    @Test("A mono effect on three channels runs three times, with one set of values")
    func copies() throws {
        let bench = try ProbeBench("delaying", channels: 3)
        bench.sound = { channel, frame in frame == 10 ? Float(channel + 1) : 0 }
        let sound = try #require(bench.render(512))
        for channel in 0..<3 {
            var expected = [Float](repeating: 0, count: 512)
            expected[110] = Float(channel + 1)
            #expect(sound[channel] == expected)
        }
    }

    @Test("Notes arrive at their frames, and come out an octave higher", arguments: [false, true])
    func notes(isInProcess: Bool) throws {
        let bench = try ProbeBench("notes", isInProcess: isInProcess)
        let sound = try #require(
            bench.render(256) { renderer in
                renderer.send([0x90, 60, 127], count: 3, frame: 0)
                // Cuts the block in two: the second note is in another piece.
                renderer.set(2, port: 2, frame: 100)
                renderer.send([0x91, 64, 127], count: 3, frame: 255)
            })
        #expect(sound[0].enumerated().filter { $1 != 0 }.map(\.offset) == [0, 255])
        var received: [(Int, [UInt8])] = []
        bench.renderer.receive { frame, bytes, count in
            received.append((frame, Array(UnsafeBufferPointer(start: bytes, count: count))))
        }
        #expect(received.map(\.0) == [0, 255])
        #expect(received.map(\.1) == [[0x90, 72, 127], [0x91, 76, 127]])
    }

    @Test("Work that is given away is done at once offline", arguments: [false, true])
    func worker(isInProcess: Bool) throws {
        let bench = try ProbeBench("working", isInProcess: isInProcess)
        let levels = try (0..<5).map { _ in try #require(bench.render(64))[0][0] }
        #expect(levels == [0, 1, 2, 3, 4])
    }

    @Test("A state holds ports and what the plug-in stores beside them", arguments: [false, true])
    func state(isInProcess: Bool) throws {
        let bench = try ProbeBench("storing", isInProcess: isInProcess)
        _ = bench.render(64) { $0.set(3, port: 2, frame: 0) }
        let state = try bench.instance.state()
        let other = try ProbeBench("storing", isInProcess: isInProcess)
        let values = try other.instance.restore(state)
        #expect(values[2] == 3)
        #expect(try #require(other.render(64) { $0.set(0, port: 2, frame: 0) })[0][0] == 3)
        #expect(throws: PluginError.self) { try other.instance.restore(PluginState(text: "no Turtle at all")) }
        let foreign = PluginState(text: state.text.replacing("probe:storing", with: "probe:scaling"))
        #expect(throws: PluginError.self) { try other.instance.restore(foreign) }
    }

    @Test("Files of a state go with it, and those that lead out of its folder are refused", arguments: [false, true])
    func stateFiles(isInProcess: Bool) throws {
        #expect(ProbeBench.plugin("filing")?.makesFiles == true)
        let state: PluginState
        do {
            let bench = try ProbeBench("filing", isInProcess: isInProcess)
            _ = bench.render(64) { $0.set(3, port: 2, frame: 0) }
            state = try bench.instance.state()
            // A reset is a fresh instance with the same state.
            bench.instance.reset()
            #expect(try #require(bench.render(64) { $0.set(0, port: 2, frame: 0) })[0][0] == 3)
        }
        #expect(state.files == ["a folder/the secret.txt": Data("3".utf8)])
        #expect(state.text.contains("urn:ossicle:state-files:/a%20folder/the%20secret.txt"))
        let other = try ProbeBench("filing", isInProcess: isInProcess)
        try other.instance.restore(state)
        #expect(try #require(other.render(64) { $0.set(0, port: 2, frame: 0) })[0][0] == 3)
        // Once more from there, and with another sample rate.
        var shape = other.renderer.shape
        shape.rate = 96_000
        try other.instance.prepare(shape)
        #expect(try other.instance.state().files == state.files)
        for name in ["../outside", "/outside", "a/../../outside", ""] {
            let foreign = PluginState(text: state.text, files: [name: Data()])
            #expect(throws: PluginError.self) { try other.instance.restore(foreign) }
        }
    }

    @Test("Another sample rate keeps the state", arguments: [false, true])
    func anotherRate(isInProcess: Bool) throws {
        let bench = try ProbeBench("storing", isInProcess: isInProcess)
        _ = bench.render(64) { $0.set(2, port: 2, frame: 0) }
        var shape = bench.renderer.shape
        shape.rate = 96_000
        try bench.instance.prepare(shape)
        #expect(try bench.instance.state().text.contains("2"))
        #expect(try bench.instance.presets().isEmpty)
    }

    @Test("A state that a plug-in takes over by work is there with the first block", arguments: [false, true])
    func deferredState(isInProcess: Bool) throws {
        let bench = try ProbeBench("working", isInProcess: isInProcess)
        for _ in 0..<3 { _ = bench.render(64) }
        let other = try ProbeBench("working", isInProcess: isInProcess)
        try other.instance.restore(try bench.instance.state())
        // It has rendered nothing, and begins anew at another rate.
        var shape = other.renderer.shape
        shape.rate = 96_000
        try other.instance.prepare(shape)
        #expect(try other.instance.state().text == bench.instance.state().text)
        let renderer = try #require(other.instance.renderer())
        #expect(renderer.shape.rate == 96_000)
        let again = try ProbeBench("working", isInProcess: isInProcess)
        try again.instance.restore(try other.instance.state())
        #expect(try #require(again.render(64))[0][0] == 3)
    }

    @Test("Presets by name; latency as stated; a reset forgets")
    func presetsAndLatency() throws {
        let bench = try ProbeBench("scaling")
        let presets = try bench.instance.presets()
        #expect(presets.map(\.name) == ["Quiet"])
        #expect(try bench.instance.load(preset: "urn:ossicle:probe:quiet")[2] == 0.25)
        #expect(throws: PluginError.self) { try bench.instance.load(preset: "urn:ossicle:probe:loud") }
        let delay = try ProbeBench("delaying")
        #expect(delay.instance.latency() == 100)
        delay.sound = { _, frame in frame == 0 ? 1 : 0 }
        _ = delay.render(64)
        delay.instance.reset()
        delay.sound = { _, _ in 0 }
        #expect(try #require(delay.render(256))[0].allSatisfy { $0 == 0 })
    }
}
