import OssicleScenes

extension Kind {
    /// A triangle that is a wall, a source and a listener, and sounds of several kinds.
    static let document: SceneDocument = {
        let text = #"""
            {"asset": {"version": "2.0"},
             "nodes": [{"name": "wall", "mesh": 0, "scale": [1, 2, 1], "children": [1, 2]},
              {"name": "mouth", "translation": [0, 1, -2], "extensions": {"OSSICLE_audio": {"source": {"gain": 0.5}}}},
              {"name": "head", "rotation": [0, 0.6, 0, 0.8], "extensions": {"OSSICLE_audio": {"listener": {}}}}],
             "materials": [{"extensions": {"OSSICLE_audio": {"absorption": [0.1], "scattering": [0.5]}}}],
             "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1, "material": 0}]}],
             "accessors": [{"bufferView": 0, "componentType": 5121, "count": 3, "type": "VEC3", "normalized": true},
              {"bufferView": 1, "componentType": 5121, "count": 3, "type": "SCALAR"}],
             "bufferViews": [{"buffer": 0, "byteLength": 12, "byteStride": 4}, {"buffer": 0, "byteOffset": 12, "byteLength": 3}],
             "buffers": [{"byteLength": 15, "uri": "data:;base64,AAAAAP8AAAAA/wAAAAEC"}],
             "extensions": {"OSSICLE_audio": {"version": 1, "engine": {"seed": 7, "reverb": "mediumHall", "medium": {"humidity": 30}},
              "sounds": [{"name": "s", "uri": "s.wav"}],
              "parameters": [{"name": "p", "type": "number", "value": 0.5, "minimum": 0, "maximum": 1, "global": true}],
              "groups": [{"name": "g", "rate": 2}],
              "mixers": [{"name": "m", "type": "spatial", "direct": {}, "distance": {"model": "envelope", "envelope":
                {"start": [1, 1], "segments": [{"end": [9, 0], "curve": "sine"}]}}}],
              "events": [{"name": "e", "root": {"type": "random", "children": [{"weight": 2, "node":
                {"type": "sampler", "sound": "s", "mixer": "m", "group": "g", "gainParameter": "p"}}]}}],
              "instances": [{"name": "i", "event": "e", "source": "mouth", "start": 0}]}}}
            """#
        return (try? SceneDocument(Array(text.utf8), name: "a.gltf")) ?? SceneDocument(name: "a.gltf")
    }()

    static let timeline = #"""
        {"version": 1, "tracks": [{"target": "position", "node": "mouth", "interpolation": "smooth", "keys":
          [{"time": 0, "value": [0, 0, 0]}, {"time": 1, "value": [1, 0, 0]}, {"time": 3, "value": [3, 2, 0]}]},
          {"target": "parameter", "parameter": "p", "keys": [{"time": 0, "value": 0}, {"time": 8, "value": 1}]}],
         "actions": [{"time": 1, "action": "start", "instance": "i"}, {"time": 2, "action": "mute", "group": "g"}]}
        """#
}
