import Foundation

/// Where the moving voices are: a circle around the listener for each, 1 to 5 m wide, one turn in 4 to 12 s.
enum Circles {
    static let sampleRate = 48_000
    static let blockFrames = 512

    static func place(of number: Int, at time: Double) -> SIMD3<Float> {
        let share = Double(number) * 0.618_033_988_75
        let (radius, period) = (1 + 4 * (share - share.rounded(.down)), 4 + Double(number % 9))
        let angle = 2 * Double.pi * (time / period + share)
        return SIMD3(Float(radius * sin(angle)), Float(number % 5) * 0.4 - 0.8, Float(radius * cos(angle)))
    }

    /// One second of quiet white noise.
    static var noise: [Float] {
        var state: UInt32 = 1
        return (0..<sampleRate).map { _ in
            state = state &* 1_664_525 &+ 1_013_904_223
            return Float(state) / 4_294_967_296 * 0.02 - 0.01
        }
    }

    /// Seconds of sound per second of processor time: `render` is given each block's time.
    static func speed(seconds: Double, _ render: (Double) throws -> Void) rethrows -> Double {
        let (warmUp, blocks) = (20, Int(seconds * Double(sampleRate)) / blockFrames)
        func time(_ block: Int) -> Double { Double(block * blockFrames) / Double(sampleRate) }
        for block in 0..<warmUp { try render(time(block)) }
        let start = WallTime.seconds
        for block in warmUp..<(warmUp + blocks) { try render(time(block)) }
        return time(blocks) / (WallTime.seconds - start)
    }
}
