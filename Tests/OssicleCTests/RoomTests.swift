import Foundation
import OssicleC
import OssicleHeader
import Testing

@Suite("Rooms and responses in C")
struct RoomTests {
    /// Two metres apart in the box, without rays and reflections: quick, and known in closed form.
    private static var options: ossicle_response_options {
        var options = ossicle_response_options()
        ossicle_response_options_init(&options)
        (options.source, options.listener) = ((1, 1.5, 2.5), (3, 1.5, 2.5))
        (options.rays, options.order, options.threads, options.length) = (0, 0, 1, 0.05)
        return options
    }

    private func refusal(_ change: (inout ossicle_response_options) -> Void) -> Refusal? {
        let room = box()
        defer { ossicle_room_free(room) }
        var options = Self.options
        change(&options)
        return made { ossicle_respond(room, &options, $0, $1) }.refusal
    }

    @Test("the direct sound over two metres comes after 2 m / c with half the amplitude")
    func directSound() throws {
        let room = box()
        defer { ossicle_room_free(room) }
        var options = Self.options
        let sound = made { ossicle_respond(room, &options, $0, $1) }.handle
        defer { ossicle_sound_free(sound) }
        let frames = ossicle_sound_frames(sound)
        #expect(frames == 2400 && ossicle_sound_channels(sound) == 1 && ossicle_sound_rate(sound) == 48_000)
        let samples = UnsafeBufferPointer(start: try #require(ossicle_sound_samples(sound, 0)), count: frames)
        let peak = try #require(samples.indices.max { abs(samples[$0]) < abs(samples[$1]) })
        // 343.2 m/s at 20 °C: 279.7 samples. The pulse lies between samples and air takes its top, so that its peak is
        // low.
        #expect(abs(peak - 280) <= 1)
        #expect((0.3...0.55).contains(abs(samples[peak])))
        #expect(ossicle_sound_samples(sound, 1) == nil)
        #expect(String(cString: ossicle_sound_facts(sound)).contains("\"visibleShare\" : 1"))
    }

    @Test("options of a header that did not know the last member are taken, and what it says changes the sound")
    func olderHeader() throws {
        let room = box()
        defer { ossicle_room_free(room) }
        func hash(_ change: (inout ossicle_response_options) -> Void) -> String? {
            var options = Self.options
            change(&options)
            let sound = made { ossicle_respond(room, &options, $0, $1) }.handle
            defer { ossicle_sound_free(sound) }
            return ossicle_sound_sha256(sound).map { String(cString: $0) }
        }
        let plain = hash { _ in }
        #expect(plain != nil)
        let older = try #require(MemoryLayout<ossicle_response_options>.offset(of: \.more))
        #expect(hash { $0.size = older } == plain)
        let behind = try #require(strdup(#"{"directivity": "cardioid", "aim": [0, 1.5, 2.5]}"#))
        defer { free(behind) }
        let changed = hash { $0.more = UnsafePointer(behind) }
        #expect(changed != nil && changed != plain)
        #expect(hash { ($0.size, $0.more) = (older, UnsafePointer(behind)) } == plain)
        let odd = try #require(strdup(#"{"pattern": "heart"}"#))
        defer { free(odd) }
        let refusal = refusal { $0.more = UnsafePointer(odd) }
        #expect(refusal?.code == Int(OSSICLE_BAD_ARGUMENT) && refusal?.message.contains("pattern is “heart”") == true)
    }

    @Test("what is copied is what is there, in either order, and no more than fits")
    func copies() throws {
        let samples: [Float] = [1, 2, 3, 4, 5, 6]
        let sound = made { ossicle_sound_make(samples, 3, 2, 48_000, $0, $1) }.handle
        defer { ossicle_sound_free(sound) }
        var copy = [Float](repeating: 0, count: 6)
        #expect(ossicle_sound_copy(sound, &copy, 6, 0, nil) == OSSICLE_OK && copy == samples)
        #expect(ossicle_sound_copy(sound, &copy, 6, 1, nil) == OSSICLE_OK && copy == [1, 4, 2, 5, 3, 6])
        #expect(ossicle_sound_copy(sound, &copy, 5, 0, nil) == OSSICLE_BAD_ARGUMENT)
        #expect(ossicle_sound_copy(sound, nil, 6, 0, nil) == OSSICLE_BAD_ARGUMENT)
        for (frames, channels, rate) in [
            (0, 1, 48_000.0), (1, 0, 48_000), (.max, 1, 48_000), (1, .max, 48_000), (1, 1, .nan),
        ] {
            #expect(ossicle_sound_make(samples, frames, channels, rate, nil, nil) == OSSICLE_BAD_ARGUMENT)
        }
    }

    @Test("a file is written whole, is not replaced unasked, and has the hash that was said")
    func files() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("ossicle-c-\(getpid())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("a.wav").path
        let sound = made { ossicle_sound_make([0.25, -0.5], 2, 1, 8000, $0, $1) }.handle
        defer { ossicle_sound_free(sound) }
        #expect(ossicle_sound_write(sound, path, 0, nil) == OSSICLE_OK)
        #expect(ossicle_sound_write(sound, path, 0, nil) == OSSICLE_BAD_FILE)
        #expect(ossicle_sound_write(sound, path, 1, nil) == OSSICLE_OK)
        #expect(ossicle_sound_write(sound, "/nowhere/a.wav", 0, nil) == OSSICLE_BAD_FILE)
        #expect(ossicle_sound_write(sound, "a.flac", 0, nil) == OSSICLE_BAD_ARGUMENT)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["a.wav"])
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)).count == 58 + 8)
        #expect(ossicle_sound_sha256(sound).map { strlen($0) } == 64)
    }

    @Test("each option out of its range is refused by name")
    func ranges() {
        let cases: [(String, (inout ossicle_response_options) -> Void)] = [
            ("options.rate", { $0.rate = .nan }), ("options.rate", { $0.rate = 48_000.5 }),
            ("options.source", { $0.source.1 = .infinity }), ("options.listener", { $0.listener.2 = .nan }),
            ("options.yaw", { $0.yaw = .nan }), ("options.pitch", { $0.pitch = 91 }),
            ("options.rays", { $0.rays = .min }), ("options.order", { $0.order = 1001 }),
            ("options.length", { $0.length = -1 }), ("options.temperature", { $0.temperature = 100 }),
            ("options.humidity", { $0.humidity = .nan }), ("options.threads", { $0.threads = -1 }),
            (
                "options.microphones",
                {
                    $0.receiver = UnsafePointer(strdup("array"))
                    $0.microphone_count = .max
                }
            ),
            ("options.receiver", { $0.receiver = UnsafePointer(strdup("ambisonic:8")) }),
            ("options.quality", { $0.quality = UnsafePointer(strdup("")) }),
            ("options.size", { $0.size = 0 }), ("options.size", { $0.size = .max }),
            ("options.size", { $0.size = MemoryLayout<ossicle_response_options>.size - 1 }),
            (
                "options.facing",
                {
                    $0.has_facing = 1
                    $0.facing.0 = .nan
                }
            ),
        ]
        for (name, change) in cases {
            let found = refusal(change)
            #expect(found?.object == name && found?.code == OSSICLE_BAD_ARGUMENT, "\(name)")
            #expect(found?.rule != nil && found?.cure != nil, "\(name)")
        }
        #expect(refusal { $0.listener = (9, 1, 1) }?.code == OSSICLE_BAD_POSITION)
        #expect(refusal { $0.listener = $0.source }?.code == OSSICLE_BAD_POSITION)
    }

    @Test("boxes, meshes and files that are none are refused")
    func rooms() {
        let brick = UnsafePointer(strdup("brick"))
        #expect(ossicle_room_box([0, 3, .nan], [brick], 1, nil, nil) == OSSICLE_BAD_ARGUMENT)
        #expect(made { ossicle_room_box([6, 3, .nan], [brick], 1, $0, $1) }.code == OSSICLE_BAD_SCENE)
        #expect(made { ossicle_room_box([6, 3, 5], [brick, brick], 2, $0, $1) }.code == OSSICLE_BAD_SCENE)
        #expect(made { ossicle_room_box([6, 3, 5], [brick, nil], 2, $0, $1) }.code == OSSICLE_BAD_ARGUMENT)
        #expect(made { ossicle_room_box([6, 3, 5], [brick], .max, $0, $1) }.code == OSSICLE_BAD_ARGUMENT)
        let corners: [Float] = [0, 0, 0, 1, 0, 0, 0, 1, 0]
        func mesh(
            _ corners: [Float], _ vertices: Int, _ triangles: [UInt32], _ count: Int, materials: [UInt32]? = nil
        ) -> Int32 {
            made { ossicle_room_mesh(corners, vertices, triangles, count, [brick], 1, materials, $0, $1) }.code
        }
        #expect(mesh(corners, 3, [0, 1, 3], 1) == OSSICLE_BAD_ARGUMENT)
        #expect(mesh(corners, 3, [0, 1, 2], 0) == OSSICLE_BAD_ARGUMENT)
        #expect(mesh(corners, -1, [0, 1, 2], 1) == OSSICLE_BAD_ARGUMENT)
        #expect(mesh(corners, 3, [0, 1, 2], 1, materials: [7]) == OSSICLE_BAD_ARGUMENT)
        #expect(mesh([Float](repeating: .nan, count: 9), 3, [0, 1, 2], 1) == OSSICLE_BAD_SCENE)
        #expect(mesh(corners, 3, [0, 1, 2], 1) == OSSICLE_OK)
        free(UnsafeMutablePointer(mutating: brick))
        let cheese = UnsafePointer(strdup("cheese"))
        let unknown = made { ossicle_room_box([6, 3, 5], [cheese], 1, $0, $1) }
        free(UnsafeMutablePointer(mutating: cheese))
        #expect(unknown.refusal?.object == "Material “cheese”" && unknown.refusal?.code == OSSICLE_BAD_SCENE)
        #expect(made { ossicle_room_open("none.obj", nil, $0, $1) }.code == OSSICLE_BAD_SCENE)
        #expect(made { ossicle_room_open(nil, nil, $0, $1) }.code == OSSICLE_BAD_ARGUMENT)
    }
}
