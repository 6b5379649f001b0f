import Kit
import PHASE

/// Down the alley at 4 m/s, about turn in a second, and back.
enum Stroll {
    static let (speed, length, seconds) = (4.0, 60.0, 31.0)

    static func pose(at time: Double) -> simd_float4x4 {
        simd_float4x4(simd_float3(0, 0, Float(-way(at: time))), yaw: .pi * Float(min(max(time - length / speed, 0), 1)))
    }

    /// Metres from the gate.
    static func way(at time: Double) -> Double {
        let there = length / speed
        return time < there ? speed * time : length - speed * max(time - there - 1, 0)
    }

    static func distance(to place: simd_float3, at time: Double) -> Double {
        Double(simd_length(place - simd_float3(0, 0, Float(-way(at: time)))))
    }
}
