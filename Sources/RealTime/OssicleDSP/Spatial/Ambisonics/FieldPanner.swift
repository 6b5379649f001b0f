import OssicleChannels
import OssicleCore

/// Encodes a direction into the channels of a sound field: what a plane wave of amplitude 1 from there has in each,
/// Yₙ(direction) in the channel's own weights; channels that are not of the field get 0. A handle, see `VBAPPanner`.
struct FieldPanner: BitwiseCopyable, @unchecked Sendable {
    /// ACN index, −1 for none, and factor from SN3D, by channel.
    private let indices: UnsafeMutablePointer<Int>
    private let factors: UnsafeMutablePointer<Double>
    private let count, order: Int

    init(_ format: SoundFieldFormat) {
        (count, order) = (format.channels.count, format.order)
        indices = .allocate(capacity: max(count, 1))
        factors = .allocate(capacity: max(count, 1))
        for (place, channel) in format.channels.enumerated() {
            (indices + place).initialize(to: channel?.index ?? -1)
            (factors + place).initialize(to: channel.map { 1 / $0.gain } ?? 0)
        }
    }

    func deallocate() {
        indices.deallocate()
        factors.deallocate()
    }

    /// Overwrites the gains of all channels.
    /// - Parameter p: a unit vector.
    func set(_ p: Vector, to gains: UnsafeMutablePointer<Float>) {
        let harmonics = HighOrderHarmonics.all(p, order: order)
        for channel in 0..<count {
            gains[channel] = indices[channel] < 0 ? 0 : Float(harmonics[indices[channel]] * factors[channel])
        }
    }

    /// What each channel gets of each channel of a field of `order` in ACN order and SN3D weights, channel by channel.
    func gains(order: Int) -> [Float] {
        (0..<count).flatMap { channel in
            (0..<SphericalHarmonics.count(order: order)).map {
                indices[channel] == $0 ? Float(factors[channel]) : 0
            }
        }
    }
}
