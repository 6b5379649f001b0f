import OssicleAcoustics
import OssicleCore

/// How a microphone hears around its axis: in each octave band p + (1 − p) cos θ, a pressure and a gradient capsule
/// added up. Behind a figure of eight the sign is the other one.
package struct MicrophonePattern: Sendable, Hashable {
    /// p of each band, 0…1: 1 all around, 0.5 a cardioid, 0 a figure of eight.
    package let pressure: OctaveBands

    /// Values outside 0…1 are moved to the nearest end; what is no number is 1.
    package init(pressure: OctaveBands) { self.pressure = pressure.map { $0.isNaN ? 1 : min(max($0, 0), 1) } }

    package static let omnidirectional = MicrophonePattern(pressure: .ones)

    /// Patterns by name, from all around to the figure of eight, and their p. Supercardioid and hypercardioid are the
    /// ones with the most sound from ahead re behind, and re all around: (√3 − 1)/2 and 1/4.
    package static let named: [(name: String, pressure: Double)] = [
        ("omni", 1), ("subcardioid", 0.7), ("cardioid", 0.5), ("supercardioid", 0.366_025_403_784_438_6),
        ("hypercardioid", 0.25), ("figure-eight", 0),
    ]

    package var isOmnidirectional: Bool { pressure == .ones }

    /// The two parts of what it hears: the colour of each, and how loud the gradient is in a direction.
    /// - Parameter direction: unit, right, up and back of the listener; the microphone looks ahead.
    func parts(_ direction: Vector) -> [(gains: OctaveBands, level: Float)] {
        guard !isOmnidirectional else { return [(.ones, 1)] }
        return [(pressure, 1), (pressure.map { 1 - $0 }, Float(-direction.z))]
    }
}
