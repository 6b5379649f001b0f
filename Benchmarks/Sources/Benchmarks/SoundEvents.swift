import Foundation
import PHASE

/// What it costs to start short sound events, each with a strip of its own, as fast as they come.
enum SoundEvents {
    /// Events per second of processor time, the rendering of what they sound like included.
    static func measure(perBlock: Int, blocks: Int) throws -> Double {
        let stage = try MovingVoices.Stage()
        try stage.register("click", samples: Array(Circles.noise.prefix(2400)), loops: false)
        let source = try stage.source(at: SIMD3(1, 0, -2))
        try stage.engine.start()
        let start = clock()
        for _ in 0..<blocks {
            for _ in 0..<perBlock { try stage.event("click", from: source).start(completion: nil) }
            try stage.render()
        }
        let elapsed = Double(clock() - start) / Double(CLOCKS_PER_SEC)
        stage.engine.stop()
        return Double(perBlock * blocks) / elapsed
    }
}
