import Foundation
@testable import OssicleScenes
import Testing

@Suite("Timelines") struct SceneTimelineTests {
    private static func timeline(_ edits: [(String, JSONValue?)] = []) throws -> SceneTimeline {
        let json = edits.reduce(try JSONValue(text: SceneExample.timeline)) { $0.setting($1.0, to: $1.1) }
        return try SceneTimeline(json.bytes, name: "walk.json", for: try SceneExample.scene())
    }

    @Test("are read in order of time and written with the same bytes")
    func roundTrip() throws {
        let timeline = try Self.timeline()
        #expect(timeline.length == 8)
        #expect(timeline.actions.map(\.time) == [0.5, 1, 2, 3, 3, 4, 5, 5, 6, 7])
        let again = try SceneTimeline(timeline.bytes, name: "walk.json", for: try SceneExample.scene())
        #expect(again == timeline)
        #expect(again.bytes == timeline.bytes)
        #expect(try Self.timeline([("duration", nil)]).length == 8)
        #expect(try Self.timeline([("duration", nil), ("tracks[5]", nil)]).length == 7)
    }

    private static func track(
        _ target: SceneTrack.Target, _ interpolation: SceneTrack.Interpolation, _ keys: [(Double, [Double])]
    ) -> SceneTrack {
        var track = SceneTrack()
        (track.target, track.interpolation) = (target, interpolation)
        track.keys = keys.map { SceneTrack.Key(time: $0.0, value: $0.1) }
        return track
    }

    @Test("step, go straight, and hold the ends")
    func straight() {
        let keys: [(Double, [Double])] = [(1, [0]), (2, [1]), (4, [3])]
        let linear = Self.track(.gain(SceneTrack.NodeName()), .linear, keys)
        #expect([0, 1, 1.5, 2, 3, 4, 9].map { linear.value(at: $0)[0] } == [0, 0, 0.5, 1, 2, 3, 3])
        let step = Self.track(.gain(SceneTrack.NodeName()), .step, keys)
        #expect([0, 1.999, 2, 3.999, 4].map { step.value(at: $0)[0] } == [0, 0, 1, 1, 3])
    }

    /// Keys of even spacing on a parabola: a Catmull–Rom curve is the parabola between the inner ones.
    @Test("are smooth through their keys")
    func smooth() {
        let keys = (0..<5).map { (key: Int) -> (Double, [Double]) in (Double(key), [Double(key), Double(key * key), 0])
        }
        let track = Self.track(.position(SceneTrack.NodeName()), .smooth, keys)
        for time in stride(from: 1.0, through: 3, by: 0.125) {
            let value = track.value(at: time)
            #expect(abs(value[0] - time) < 1e-12)
            #expect(abs(value[1] - time * time) < 1e-12)
        }
        for key in track.keys { #expect(track.value(at: key.time) == key.value) }
    }

    /// A turn about y by the angle a is (0, sin a/2, 0, cos a/2).
    @Test("turn at an even pace the shorter way round")
    func turns() {
        func turn(_ angle: Double) -> [Double] { [0, sin(angle / 2), 0, cos(angle / 2)] }
        let track = Self.track(
            .orientation(SceneTrack.NodeName()), .linear, [(0, turn(0)), (2, turn(2).map { -$0 }), (3, turn(2.001))])
        for time in stride(from: 0.0, through: 2, by: 0.25) {
            let value = track.value(at: time)
            let cosine = zip(value, turn(time)).reduce(0) { $0 + $1.0 * $1.1 }
            #expect(abs(abs(cosine) - 1) < 1e-12)
            #expect(abs(value.reduce(0) { $0 + $1 * $1 } - 1) < 1e-12)
        }
        #expect(
            abs(track.value(at: 2.5)[1] - sin(1.00025)) < 1e-9 || abs(track.value(at: 2.5)[1] + sin(1.00025)) < 1e-9)
    }

    @Test(
        "name the place of each fault",
        arguments: [
            ("version", "2", "version is 2"), ("tracks[0].node", "\"x\"", "tracks[0].node is “x”; it names a node"),
            ("tracks[0].keys[1].time", "0", "tracks[0].keys[1].time is 0; keys come in order"),
            ("tracks[0].keys[1].value", "[1]", "tracks[0].keys[1].value is a list of 1"),
            ("tracks[0].keys", "[]", "tracks[0].keys is a list of 0"),
            ("tracks[0].target", "\"scale\"", "tracks[0].target is “scale”"),
            ("tracks[2].node", "\"room\"", "tracks[2].node is “room”; sources and listeners have a gain"),
            ("tracks[2].keys[0].value", "3", "tracks[2].keys[0].value is 3"),
            ("tracks[3].group", "\"x\"", "tracks[3].group is “x”"),
            ("tracks[5].parameter", "\"howl\"", "tracks[5].parameter is “howl”"),
            ("tracks[5].parameter", "\"surface\"", "tracks[5].parameter is “surface”"),
            ("tracks[5].interpolation", "\"cubic\"", "tracks[5].interpolation is “cubic”"),
            ("actions[0].instance", "\"x\"", "actions[0].instance is “x”"),
            ("actions[1].to", "-1", "actions[1].to is -1"),
            ("actions[4].parameter", "\"wind\"", "actions[4].parameter is “wind”"),
            ("actions[0].action", "\"play\"", "actions[0].action is “play”"),
            ("actions[0].time", "1e300", "actions[0].time is"),
            ("actions[7].preset", "\"x\"", "actions[7].preset is “x”"),
            ("actions[0].when", "1", "actions[0] has a member “when”"),
        ])
    func faults(path: String, value: String, message: String) throws {
        let error = try #require(throws: SceneFileError.self) {
            try Self.timeline([(path, try JSONValue(text: value))])
        }
        #expect("\(error)".contains(message), "\(error)")
        let other = try #require(throws: SceneFileError.self) { try Self.timeline([("actions[4].instance", nil)]) }
        #expect("\(other)".contains("without an instance it is a global parameter"), "\(other)")
    }
}
