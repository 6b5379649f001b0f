@testable import OssicleScenes

/// A scene that has something of everything.
enum SceneExample {
    static let audio = #"""
        {
          "version": 1,
          "engine": {
            "seed": 7, "reverb": "mediumRoom", "acoustics": "geometry", "quality": "low", "spatialization": "binaural",
            "medium": {"temperature": 10, "humidity": 30, "pressure": 100, "absorbs": true, "delays": false},
            "groupPreset": "night"
          },
          "sounds": [
            {"name": "voice", "uri": "voice.wav"},
            {"name": "rain", "uri": "rain.wav", "storage": "streamed", "normalization": "dynamic", "layout": "5.1"}
          ],
          "parameters": [
            {"name": "wind", "type": "number", "value": 0.5, "minimum": 0, "maximum": 1, "global": true},
            {"name": "surface", "type": "string", "value": "wood"},
            {"name": "howl", "type": "mapped", "input": "wind",
             "envelope": {"start": [0, 0], "segments": [{"end": [1, 1], "curve": "sigmoid"}, {"end": [2, 0.5]}]}}
          ],
          "groups": [{"name": "speech", "gain": 0.5, "rate": 1.5, "muted": true}, {"name": "music", "soloed": true}],
          "groupPresets": [
            {"name": "night", "timeToTarget": 1, "timeToReset": 2,
             "settings": [{"group": "music", "gain": 0.25, "rate": 0.5, "gainCurve": "squared", "rateCurve": "sine"}]}
          ],
          "duckers": [
            {"sources": ["speech"], "targets": ["music"], "gain": 0.25, "attack": 0.5, "release": 1,
             "attackCurve": "cubed", "releaseCurve": "inverseCubed", "active": false}
          ],
          "mixers": [
            {"name": "there", "type": "spatial", "gain": 0.5, "gainParameter": "howl",
             "direct": {"level": 0.75, "parameter": "wind"}, "early": {}, "late": {"level": 0.25},
             "distance": {"model": "geometric", "rolloff": 0.5, "cullDistance": 40},
             "sourceDirectivity": {"model": "cardioid", "bands": [{"frequency": 500, "pattern": 0.5, "sharpness": 2}, {}]},
             "listenerDirectivity": {"model": "cone", "bands": [{"innerAngle": 90, "outerAngle": 180, "outerGain": 0.5}]}},
            {"name": "near", "type": "spatial", "direct": {},
             "distance": {"model": "envelope", "envelope": {"start": [1, 1], "segments": [{"end": [10, 0]}]}}},
            {"name": "around", "type": "ambient", "layout": "5.1", "orientation": [0, 0.6, 0, 0.8]},
            {"name": "screen", "type": "channel", "layout": "mono"}
          ],
          "events": [
            {"name": "speak", "root": {"type": "container", "name": "all", "children": [
              {"type": "sampler", "sound": "voice", "mixer": "there", "playback": "looping", "culling": "doNotCull",
               "calibration": "relativeSPL", "level": -12, "rate": 1.25, "group": "speech", "gainParameter": "wind",
               "rateParameter": "howl", "priority": 3},
              {"type": "sequence", "overlap": 0.5, "children": [
                {"type": "sampler", "sound": "voice", "mixer": "near"}, {"type": "sampler", "sound": "voice", "mixer": "near"}]},
              {"type": "random", "uniqueSelectionQueueLength": 1, "children": [
                {"node": {"type": "sampler", "sound": "voice", "mixer": "near"}, "weight": 2},
                {"node": {"type": "sampler", "sound": "voice", "mixer": "screen"}}]},
              {"type": "switch", "parameter": "surface", "children": [
                {"node": {"type": "sampler", "sound": "voice", "mixer": "near"}, "value": "wood"}]},
              {"type": "blend", "parameter": "wind", "children": [
                {"node": {"type": "sampler", "sound": "voice", "mixer": "near"},
                 "envelope": {"start": [0, 1], "segments": [{"end": [1, 0], "curve": "holdStartValue"}]}}]},
              {"type": "blend", "distanceMixer": "near", "children": [
                {"node": {"type": "sampler", "sound": "voice", "mixer": "near"},
                 "envelope": {"start": [0, 1], "segments": [{"end": [9, 0]}]}}]}]}},
            {"name": "weather", "root": {"type": "sampler", "sound": "rain", "mixer": "around"}}
          ],
          "instances": [
            {"name": "a", "event": "speak", "source": "mouth", "start": 0.25,
             "bindings": [{"mixer": "near", "source": "door", "listener": "head"}]},
            {"name": "b", "event": "weather", "listener": "head"}
          ]
        }
        """#

    static let nodes = #"""
        [
          {"name": "room", "mesh": 0, "children": [1, 2]},
          {"name": "mouth", "translation": [0.1, 1.5, -2], "extensions": {"OSSICLE_audio": {"source": {"gain": 0.5}}}},
          {"name": "head", "matrix": [0, 0, -1, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0.3, 1.6, 2, 1],
           "extensions": {"OSSICLE_audio": {"listener": {"gain": 0.75}}}},
          {"name": "door", "mesh": 0, "extensions": {"OSSICLE_audio": {"source": {"shape": "mesh"}, "occluder": true}}},
          {"name": "cave", "mesh": 0, "extensions": {"OSSICLE_audio":
            {"zone": {"reverb": "cathedral", "borderWidth": 2, "priority": 1, "level": -3}, "occluder": false}}}
        ]
        """#

    static let materials = #"""
        [
          {"name": "wall", "extensions": {"OSSICLE_audio": {"preset": "brick"}}},
          {"name": "felt", "extensions": {"OSSICLE_audio":
            {"absorption": [0.1, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.8], "scattering": [0.5], "transmissionLoss": [10]}}},
          {"name": "glass"}
        ]
        """#

    /// The whole document, with a tetrahedron.
    static func json() throws -> JSONValue {
        var sketch = GLTFSketch()
        let positions = sketch.positions([SIMD3(0, 0, 0), SIMD3(0.1, 0, 0), SIMD3(0, 0.1, 0), SIMD3(0, 0, 0.1)])
        let view = sketch.view([0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3] as [UInt16])
        let indices = sketch.accessor(view, type: "SCALAR", component: 5123, count: 12)
        sketch.mesh(positions: positions, indices: indices, ["material": JSONValue(1)])
        sketch.members["materials"] = try JSONValue(text: materials)
        sketch.members["nodes"] = try JSONValue(text: nodes)
        sketch.members["scenes"] = try JSONValue(text: #"[{"nodes": [0, 3, 4]}]"#)
        sketch.members["extensions"] = .object([SceneAudio.extensionName: try JSONValue(text: audio)])
        return sketch.json
    }

    static func scene(_ edits: [(String, JSONValue?)] = []) throws -> SceneDocument {
        try SceneDocument(edits.reduce(try json()) { $0.setting($1.0, to: $1.1) }.bytes, name: "a.gltf")
    }

    static let timeline = #"""
        {
          "version": 1, "duration": 8,
          "tracks": [
            {"target": "position", "node": "mouth", "interpolation": "smooth",
             "keys": [{"time": 0, "value": [0, 0, 0]}, {"time": 1, "value": [1, 0, 0]}, {"time": 3, "value": [3, 2, 0]}]},
            {"target": "orientation", "node": "head", "keys": [{"time": 0, "value": [0, 0, 0, 1]}, {"time": 2, "value": [0, 1, 0, 0]}]},
            {"target": "gain", "node": "mouth", "interpolation": "step", "keys": [{"time": 0, "value": 1}, {"time": 4, "value": 0.5}]},
            {"target": "groupGain", "group": "music", "keys": [{"time": 0, "value": 1}]},
            {"target": "groupRate", "group": "music", "keys": [{"time": 0, "value": 2}]},
            {"target": "parameter", "parameter": "wind", "keys": [{"time": 0, "value": 0}, {"time": 8, "value": 1}]}
          ],
          "actions": [
            {"time": 1, "action": "start", "instance": "b"}, {"time": 0.5, "action": "seek", "instance": "a", "to": 0.25},
            {"time": 2, "action": "pause", "instance": "a"}, {"time": 3, "action": "resume", "instance": "a"},
            {"time": 3, "action": "setText", "parameter": "surface", "instance": "a", "value": "stone"},
            {"time": 4, "action": "mute", "group": "music"}, {"time": 5, "action": "unmute", "group": "music"},
            {"time": 5, "action": "activatePreset", "preset": "night"}, {"time": 6, "action": "deactivatePreset", "preset": "night"},
            {"time": 7, "action": "stop", "instance": "a"}
          ]
        }
        """#
}
