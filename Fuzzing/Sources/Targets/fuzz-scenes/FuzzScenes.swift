import Driver
import OssicleScenes

/// The input is a byte of choice and a scene, `.gltf` or `.glb`, or a timeline for a fixed scene. What is read is
/// written and read again as it was, and all its tracks have finite values.
@main
enum FuzzScenes {
    static func main() {
        fuzz { bytes, count in
            guard let bytes, count > 1 else { return 0 }
            let input = Array(UnsafeBufferPointer(start: bytes + 1, count: count - 1))
            if bytes[0] % 4 == 3 {
                FuzzScenes.timeline(input)
            } else {
                FuzzScenes.scene(input, KhronosDraft.allCases.dropFirst(Int(bytes[0] % 4)).first)
            }
            return 0
        }
    }

    private static func scene(_ bytes: [UInt8], _ draft: KhronosDraft?) {
        guard let scene = try? SceneDocument(bytes, name: "fuzz", draft: draft, channelCount: { _ in 2 }) else {
            return
        }
        for placement in ScenePoses(scene).placements { precondition(placement.pose.position.isFinite) }
        let written = scene.bytes(binary: true)
        let again = try? SceneDocument(written, name: "fuzz")
        precondition(again?.bytes(binary: true) == written)
    }

    private static let stage = try? SceneDocument(
        Array(
            #"""
            {"asset": {"version": "2.0"}, "nodes": [{"name": "n", "extensions": {"OSSICLE_audio": {"source": {}}}},
             {"name": "head", "extensions": {"OSSICLE_audio": {"listener": {}}}}],
             "extensions": {"OSSICLE_audio": {"version": 1, "sounds": [{"name": "s", "uri": "s.wav"}], "groups": [{"name": "g"}],
              "parameters": [{"name": "p", "type": "number", "value": 0.5, "global": true}],
              "mixers": [{"name": "m", "type": "spatial", "direct": {}}],
              "events": [{"name": "e", "root": {"type": "sampler", "sound": "s", "mixer": "m"}}],
              "instances": [{"name": "i", "event": "e", "source": "n"}]}}}
            """#.utf8), name: "stage")

    private static func timeline(_ bytes: [UInt8]) {
        guard let stage, let timeline = try? SceneTimeline(bytes, name: "fuzz", for: stage) else { return }
        precondition(timeline.length.isFinite)
        for track in timeline.tracks {
            for time in [0, 0.3, 1, 2.7, 8, 1e6] { precondition(track.value(at: time).allSatisfy(\.isFinite)) }
        }
        precondition((try? SceneTimeline(timeline.bytes, name: "fuzz", for: stage)) != nil)
    }
}
