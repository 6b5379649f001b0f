import Foundation
import OssicleC
import OssicleHeader
import OssicleRendering
import Testing

@Suite("Scenes in C")
struct SceneTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../Examples/Scenes").standardizedFileURL
    private static let scene = folder.appendingPathComponent("two-rooms.gltf").path
    private static let walk = folder.appendingPathComponent("two-rooms.walk.json").path

    private func opened() -> OpaquePointer? { made { ossicle_scene_open(Self.scene, Self.walk, $0, $1) }.handle }

    private static func options(_ change: (inout ossicle_render_options) -> Void) -> ossicle_render_options {
        var options = ossicle_render_options()
        ossicle_render_options_init(&options)
        options.seconds = 0.05
        change(&options)
        return options
    }

    @Test("a scene and its walk say what is in them")
    func facts() {
        let scene = opened()
        defer { ossicle_scene_free(scene) }
        let facts = String(cString: ossicle_scene_facts(scene))
        for words in ["\"seconds\" : 8", "\"listener\"", "\"voice\"", "\"talk\"", "\"seed\" : 1"] {
            #expect(facts.contains(words), "\(words)")
        }
    }

    @Test("what is rendered are the samples of ossicle render, with any number of threads")
    func samples() throws {
        let scene = opened()
        defer { ossicle_scene_free(scene) }
        var rendering = try SceneRendering(
            RenderRequest(scene: Self.scene, timeline: Self.walk, seconds: 0.05, seed: 5))
        try rendering.run { _ in }
        for threads: Int32 in [1, 3] {
            var options = Self.options { ($0.seed, $0.has_seed, $0.threads) = (5, 1, threads) }
            let sound = made { ossicle_render(scene, &options, $0, $1) }.handle
            defer { ossicle_sound_free(sound) }
            #expect(ossicle_sound_frames(sound) == 2400 && ossicle_sound_channels(sound) == 2)
            for channel in 0..<2 {
                let samples = try #require(ossicle_sound_samples(sound, channel))
                #expect(Array(UnsafeBufferPointer(start: samples, count: 2400)) == rendering.channels[channel])
            }
        }
    }

    @Test("a progress function receives growing shares and can end the work")
    func progress() {
        let scene = opened()
        defer { ossicle_scene_free(scene) }
        var shares: [Double] = []
        withUnsafeMutablePointer(to: &shares) { shares in
            var options = Self.options {
                $0.context = UnsafeMutableRawPointer(shares)
                $0.progress = { share, context in
                    context?.assumingMemoryBound(to: [Double].self).pointee.append(share)
                    return share > 0.4 ? 1 : 0
                }
            }
            let found = made { ossicle_render(scene, &options, $0, $1) }
            #expect(found.code == OSSICLE_CANCELLED && found.handle == nil)
        }
        #expect(shares.count == 2 && shares == shares.sorted())
    }

    @Test("each option out of its range is refused by name, and options of another header by their size")
    func ranges() {
        let scene = opened()
        defer { ossicle_scene_free(scene) }
        let cases: [(String, (inout ossicle_render_options) -> Void)] = [
            ("options.seconds", { $0.seconds = .nan }), ("options.seconds", { $0.seconds = 3601 }),
            ("options.rate", { $0.rate = 0 }), ("options.threads", { $0.threads = 1025 }),
            ("options.layout", { $0.layout = UnsafePointer(strdup("9.1")) }),
            ("options.listener", { $0.listener = UnsafePointer(strdup("nobody")) }), ("options.size", { $0.size = 8 }),
            (
                "The sound",
                {
                    $0.seconds = 3600
                    $0.rate = 384_000
                }
            ),
        ]
        for (name, change) in cases {
            var options = Self.options(change)
            let found = made { ossicle_render(scene, &options, $0, $1) }
            #expect(found.refusal?.object == name && found.code == OSSICLE_BAD_ARGUMENT, "\(name)")
        }
    }

    @Test("options that are longer are taken where all that is unknown is zero")
    func longerOptions() {
        let scene = opened()
        defer { ossicle_scene_free(scene) }
        let known = MemoryLayout<ossicle_render_options>.size
        let memory = UnsafeMutableRawPointer.allocate(byteCount: known + 16, alignment: 8)
        defer { memory.deallocate() }
        memory.initializeMemory(as: UInt8.self, repeating: 0, count: known + 16)
        memory.storeBytes(of: Self.options { $0.size = known + 16 }, as: ossicle_render_options.self)
        let options = memory.assumingMemoryBound(to: ossicle_render_options.self)
        let sound = made { ossicle_render(scene, options, $0, $1) }
        #expect(sound.code == OSSICLE_OK)
        ossicle_sound_free(sound.handle)
        memory.storeBytes(of: 1, toByteOffset: known + 3, as: UInt8.self)
        #expect(made { ossicle_render(scene, options, $0, $1) }.code == OSSICLE_BAD_ARGUMENT)
    }

    @Test("an error of the file names the place in it, the rule and the cure")
    func places() throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("ossicle-c-\(getpid()).gltf").path
        defer { unlink(path) }
        let text = """
            {"asset": {"version": "2.0"}, "extensionsUsed": ["OSSICLE_audio"],
             "extensions": {"OSSICLE_audio": {"version": 1, "groups": [{"name": "a", "gain": 1.5}]}}}
            """
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        let found = try #require(made { ossicle_scene_open(path, nil, $0, $1) }.refusal)
        #expect(found.code == OSSICLE_BAD_SCENE)
        #expect(found.path == "extensions.OSSICLE_audio.groups[0].gain")
        #expect(found.finding == "extensions.OSSICLE_audio.groups[0].gain is 1.5")
        #expect(found.cure == "give one in that range" && found.rule?.contains("from 0 to 1") == true)
        #expect(found.object == URL(fileURLWithPath: path).lastPathComponent)
    }
}
