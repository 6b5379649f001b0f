import Kit
import PHASE

/// Eighteen steps of 0.6 s, six on each terrain, each of the three wetter from step to step.
struct Trail {
    struct Step {
        let number: Int
        let terrain: String
        /// Millimetres.
        let water: Double
        var time: Double { Double(number) * Trail.pace }
    }

    static let (pace, stride) = (0.6, 0.75)
    static let gateStep = 9
    static let steps = (0..<18).map {
        Step(number: $0, terrain: ["grass", "gravel", "boards"][$0 / 6], water: Double($0 % 6 * 2))
    }
    static var end: Double { Double(steps.count) * pace }

    /// What was heard, and the wind by itself.
    let heard: Sound
    let wind: Sound

    init(in folder: SoundFolder, _ mode: PHASESpatializationMode) throws {
        let studio = try Studio()
        studio.engine.outputSpatializationMode = mode
        _ = try Clips(in: folder, studio.engine.assetRegistry)
        let walker = try Walker(in: studio)
        let surroundings = try Surroundings(in: studio, under: walker.steps)
        try studio.engine.start()

        for step in Trail.steps {
            try walker.step(step.number, on: step.terrain, water: step.water)
            if step.number == Trail.gateStep { surroundings.gate.start(completion: nil) }
            try Trail.walk(studio, until: step.time + Trail.pace)
        }
        try surroundings.greet(from: simd_float3(0.5, 0, -Float(Trail.end / Trail.pace * Trail.stride) - 1))
        while studio.time < Trail.end + 1.2 { try studio.render() }
        wind = surroundings.wind.heard
        try studio.finish()
        heard = studio.heard
    }

    private static func walk(_ studio: Studio, until time: Double) throws {
        while studio.time < time - 0.001 {
            studio.listener.transform = simd_float4x4(simd_float3(0, 0, -Float(studio.time / pace * stride)))
            try studio.render()
        }
    }
}
