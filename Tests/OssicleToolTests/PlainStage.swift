import OssicleCore
@testable import ossicle

/// A stand-in for the engine: a tone with 1/r gain, panned left to right, 20 dB quieter behind anything solid.
struct PlainStage: SceneStage {
    let scene: DemoScene
    let sound: [Float]
    private var position = 0

    init(_ scene: DemoScene, sound: [Float]) {
        self.scene = scene
        self.sound = sound
    }

    mutating func render(_ frames: Int, voiceAt place: Vector) -> StageBlock {
        let voice = path("voice", from: place)
        let gain = Float(voice.obstacles.isEmpty ? 1 : 0.1) / Float((place - scene.listener).magnitude)
        let pan = Float(0.5 + 0.5 * (place - scene.listener).x / (place - scene.listener).magnitude)
        let block = (0..<frames).map { sound[(position + $0) % sound.count] * gain }
        position += frames
        let energy = block.reduce(0) { $0 + Double($1 * $1) } / Double(frames)
        return StageBlock(
            left: block.map { $0 * (1 - pan) }, right: block.map { $0 * pan }, directEnergy: energy,
            reverbEnergy: 0.001 + energy * 0.1,
            paths: [voice, path("music", from: scene.loop)])
    }

    private func path(_ source: String, from place: Vector) -> PathState {
        let hit = scene.boxes.filter { box in
            (1..<400).contains { step in
                let p = place + (scene.listener - place) * (Double(step) / 400)
                return p.x > box.low.x && p.x < box.high.x && p.y > box.low.y && p.y < box.high.y && p.z > box.low.z
                    && p.z < box.high.z
            }
        }
        return PathState(
            source: source, visibleShare: hit.isEmpty ? 1 : 0, obstacles: hit.map { .init(name: $0.name, loss: 20) })
    }
}
