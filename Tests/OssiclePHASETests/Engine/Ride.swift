import Foundation
import PHASE
import Testing

/// A tone from a source, and a client that moves source and listener at a steady pace.
struct Ride {
    let stage: Stage
    let source: PHASESource
    let event: PHASESoundEvent
    /// Frames between two moves.
    let step: Int

    init(
        _ stage: Stage, step: Int = 512, frequency: Double = 1000, at start: SIMD3<Float> = SIMD3(0, 0, -2),
        rolloff: Double? = nil
    ) throws {
        (self.stage, self.step) = (stage, step)
        try stage.register("tone", [sine(frequency, 48_000)])
        let mixer = try stage.spatialMixer(rolloff: rolloff)
        try stage.registerEvent("tone", into: mixer, loops: true)
        source = try stage.source(at: start)
        try stage.start()
        event = try stage.event("tone event", mixer, source)
        event.start(completion: nil)
    }

    /// Renders `frames` frames; before each step `move` puts things where they are at its time in seconds.
    func go(_ frames: Int, from first: Int = 0, call: Int? = nil, _ move: (Double) -> Void) throws -> [[Float]] {
        var out = [[Float]](repeating: [], count: Int(stage.format.channelCount))
        for position in stride(from: first, to: first + frames, by: step) {
            move(Double(position) / stage.sampleRate)
            stage.engine.update()
            for (channel, part) in try stage.render(step, call: call ?? step).enumerated() { out[channel] += part }
        }
        return out
    }
}

extension simd_float4x4 {
    static func place(_ t: SIMD3<Double>) -> simd_float4x4 { .translation(SIMD3<Float>(t)) }

    static func turn(_ angle: Double, about axis: SIMD3<Float> = SIMD3(0, 1, 0)) -> simd_float4x4 {
        simd_float4x4(simd_quatf(angle: Float(angle), axis: axis))
    }
}

/// How clients move things: in which mode, and every how many frames.
struct Pace: Sendable, CustomTestStringConvertible {
    let mode: PHASEEngine.UpdateMode
    let step: Int

    static let all = [
        Pace(mode: .automatic, step: 512), Pace(mode: .automatic, step: 800), Pace(mode: .manual, step: 480),
        Pace(mode: .manual, step: 800),
    ]

    var testDescription: String { "\(mode == .manual ? "manual" : "automatic"), every \(step) frames" }
}
