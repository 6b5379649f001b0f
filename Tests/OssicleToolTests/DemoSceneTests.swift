import Foundation
import OssicleCore
import OssicleRendering
import OssicleScenes
import Testing
@testable import ossicle

/// The whole walk of the demo in two seconds, rendered once for all tests.
enum DemoRun {
    static let whole = Result { try render(.geometry) }

    static func render(_ acoustics: SceneEngine.Acoustics) throws -> (recording: Recording, map: SceneMap) {
        let voice = VoiceSynthesiser.samples(seed: 1, frames: 2 * 48_000, sampleRate: 48_000)
        let music = LoopSynthesiser.samples(seed: 1, sampleRate: 48_000)
        let files = try DemoFiles(
            voice: voice, music: music, seconds: 2, sampleRate: 48_000, acoustics: acoustics)
        var rendering = try SceneRendering(
            RenderRequest(scene: files.scene, timeline: files.timeline, layout: .binaural, seconds: 2, seed: 1))
        try rendering.run(observing: files.document) { _ in }
        let recording = Recording(
            sampleRate: 48_000, left: rendering.channels[0], right: rendering.channels[1], moments: rendering.moments)
        return (recording, SceneMap(files.document))
    }
}

@Suite("The demo's scene")
struct DemoSceneTests {
    private static let example = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Examples/Scenes/two-rooms.gltf").path

    private static func walk() throws -> SceneTrack {
        let walk = try DemoFiles.walk(of: try SceneDocument(contentsOfFile: example), lasting: 20)
        #expect(walk.length == 20)
        return try #require(walk.tracks.first)
    }

    private static func place(_ walk: SceneTrack, _ share: Double) -> Vector {
        let value = walk.value(at: 20 * share)
        return Vector(value[0], value[1], value[2])
    }

    @Test("the walk is even: equal shares of time are equal lengths of path, within a quarter")
    func evenWalk() throws {
        let walk = try Self.walk()
        let steps = (0..<100).map {
            (Self.place(walk, Double($0 + 1) / 100) - Self.place(walk, Double($0) / 100)).magnitude
        }
        let mean = steps.reduce(0, +) / 100
        // A Catmull–Rom curve is as fast as its keys are apart only on average.
        for step in steps { #expect(abs(step - mean) < 0.25 * mean) }
    }

    @Test("the walker keeps clear of everything solid by 20 cm and stays inside")
    func clearWalk() throws {
        let walk = try Self.walk(), scene = try SceneDocument(contentsOfFile: Self.example)
        let occluders = scene.occluders(ScenePoses(scene).placements)
        #expect(occluders.count == 11)
        for share in stride(from: 0.0, through: 1, by: 0.005) {
            let place = Self.place(walk, share)
            for occluder in occluders {
                let nearest = pointwiseMin(pointwiseMax(place, occluder.bounds.lower), occluder.bounds.upper)
                #expect((place - nearest).magnitude > 0.2, "\(occluder.name) at \(share)")
            }
        }
    }

    @Test("the path leads from behind the partition through the open door and behind the cardboard box")
    func story() throws {
        let hidden = try DemoRun.whole.get().recording.moments.map { moment in
            moment.paths.first { $0.source == "voice" }?.obstacles.max { $0.loss < $1.loss }?.name ?? ""
        }
        #expect(hidden.first == "south partition")
        let stations = hidden.reduce(into: [String]()) { if $0.last != $1 { $0.append($1) } }
        #expect(stations == ["south partition", "", "cardboard box", ""])
    }

    @Test(
        "the voice is heard through the door before it is seen: off a wall or around an edge, louder than through the partition"
    )
    func heardBeforeSeen() throws {
        let moments = try DemoRun.whole.get().recording.moments
        let seen = try #require(
            moments.firstIndex { $0.paths.contains { $0.source == "voice" && $0.visibleShare > 0 } })
        #expect((0.5...0.875).contains(moments[seen].time))
        let before = moments[..<seen].filter { $0.time > 0.3 }.compactMap { moment in
            moment.paths.first { $0.source == "voice" && $0.detour != nil }
        }
        #expect(!before.isEmpty)
        for path in before {
            let wall = path.obstacles.map(\.loss).max() ?? 0, detour = path.detour?.loss ?? .infinity
            // Off a wall of brick and through the door it is a little farther; around its edge the loss is 6 dB at the
            // boundary of the shadow and some 20 dB deep in it. The partition takes 40.
            #expect((0...30).contains(detour), "\(detour)")
            #expect(detour < wall - 6, "\(detour) beside \(wall)")
        }
    }

    @Test("with a preset the voice comes through the partition alone until it is seen, and a room is heard")
    func preset() throws {
        let (geometry, preset) = (
            try DemoRun.whole.get().recording.moments, try DemoRun.render(.preset).recording.moments
        )
        #expect(preset.allSatisfy { $0.paths.allSatisfy { $0.detour == nil } })
        #expect(preset.contains { $0.reverbPower > 1e-6 })
        let hidden = preset.indices.prefix { index in
            preset[index].paths.contains { $0.source == "voice" && $0.visibleShare == 0 }
        }
        // The partition takes 40 dB; ways around it lose 30 at most.
        let power = { (moments: [SceneMoment]) in hidden.reduce(0) { $0 + moments[$1].directPower } }
        #expect(!hidden.isEmpty && power(geometry) > 10 * power(preset))
    }

    @Test("a walk of another length is the same walk")
    func stretchedWalk() throws {
        let scene = try SceneDocument(contentsOfFile: Self.example)
        let (slow, fast) = (
            try DemoFiles.walk(of: scene, lasting: 16).tracks[0], try DemoFiles.walk(of: scene, lasting: 4).tracks[0]
        )
        for share in stride(from: 0.0, through: 1, by: 0.05) {
            let (a, b) = (slow.value(at: 16 * share), fast.value(at: 4 * share))
            for axis in 0..<3 { #expect(abs(a[axis] - b[axis]) < 1e-9) }
        }
    }

    @Test("its files are gone with it")
    func files() throws {
        var files: DemoFiles? = try DemoFiles(voice: [0.5], music: [0.25], seconds: 1, sampleRate: 48_000)
        let path = try #require(files?.scene)
        #expect(FileManager.default.fileExists(atPath: path))
        files = nil
        #expect(!FileManager.default.fileExists(atPath: path))
    }
}
