import OssicleCore
import OssicleDSP

/// Who listens.
package enum Receiver: Sendable {
    /// One microphone that hears all directions alike.
    case mono
    /// Two ears of a head, made for the response's sample rate.
    case binaural(HeadFilters)
    /// A sound field of order 0…3: channels in ACN order, SN3D weights, axes of the listener.
    case ambisonic(order: Int)
    /// Microphones that hear all directions alike, at places in metres along the listener's right, up and back.
    case array([Vector])

    package var channelCount: Int {
        switch self {
        case .mono: 1
        case .binaural: 2
        case .ambisonic(let order): SphericalHarmonics.count(order: min(max(order, 0), SphericalHarmonics.greatestOrder))
        case .array(let microphones): microphones.count
        }
    }

    /// Where sound has to be known: the microphones of an array in the world, else the listener.
    package func places(around listener: Pose) -> [Vector] {
        guard case .array(let microphones) = self else { return [listener.position] }
        return microphones.map { listener.position + listener.right * $0.x + listener.up * $0.y + listener.back * $0.z }
    }
}
