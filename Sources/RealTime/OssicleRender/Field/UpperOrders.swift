import COssicle
import OssicleCore
import OssicleDSP

/// The channels of the orders 4 to 7 of an ambisonic bus, whose writers know sixteen channels: what those add is a
/// plane wave, or belongs to an isotropic field.
///
/// - A wave's direction stands in its gains of order 1: the higher ones are those of the same direction.
/// - A signal from one of the `DiffuseDirections` is a wave from there.
/// - The sixteen channels of an isotropic field are sixteen waves from there: every order has as much energy as the
///   first channel, but the sixteen waves are as many as can be told apart.
///
/// A plain handle, valid as long as the `UpperOrdersMemory`. Audio thread.
package struct UpperOrders: BitwiseCopyable, Hashable, @unchecked Sendable {
    /// Lanes of the kernels.
    private static let lanes = SphericalHarmonics.greatestCount
    /// Groups of so many channels above order 3.
    fileprivate static let groupCount = (HighOrderHarmonics.greatestCount - lanes) / lanes

    /// By group and direction the harmonics of the direction; divided by what `DiffuseDirections.encoders` has in the
    /// first channel, as gains re that channel.
    fileprivate let directions: UnsafePointer<SIMD16<Float>>
    /// By group and channel of order 3 what that brings to each of the group.
    fileprivate let channels: UnsafePointer<SIMD16<Float>>
    fileprivate let order: Int

    /// A plane wave.
    func add(
        _ sound: UnsafePointer<Float>, _ gains: Ramp<SIMD16<Float>>, step: Float, moving: Int,
        to sums: UnsafePointer<UnsafeMutablePointer<Float>>, _ frames: Int
    ) {
        let target = Self.wave(gains.target, order), start = moving > 0 ? Self.wave(gains.start, order) : target
        for group in 0..<Self.groupCount {
            add(
                sound, start[group], target[group], step: step, index: gains.index, moving: moving, to: sums, group,
                frames)
        }
    }

    /// Gains of a wave by group, from those of order 3.
    private static func wave(_ gains: SIMD16<Float>, _ order: Int) -> InlineArray<3, SIMD16<Float>> {
        var wave = InlineArray<3, SIMD16<Float>>(repeating: .zero)
        let level = Double(gains[0])
        guard level != 0, let direction = Vector(-Double(gains[1]), Double(gains[2]), -Double(gains[3])).direction
        else { return wave }
        let values = HighOrderHarmonics.all(level < 0 ? -direction : direction, order: order)
        for group in 0..<groupCount {
            for lane in 0..<lanes { wave[group][lane] = Float(values[lanes * (group + 1) + lane] * level) }
        }
        return wave
    }

    /// Sixteen signals.
    func add(
        _ signals: UnsafePointer<UnsafeMutablePointer<Float>>, _ encoders: UnsafePointer<SIMD16<Float>>,
        to sums: UnsafePointer<UnsafeMutablePointer<Float>>, _ frames: Int
    ) {
        for group in 0..<Self.groupCount {
            var gains = InlineArray<16, SIMD16<Float>>(repeating: .zero)
            for signal in 0..<Self.lanes {
                gains[signal] = directions[Self.lanes * group + signal] * encoders[signal][0]
            }
            withUnsafeBytes(of: gains) { bytes in
                guard let floats = bytes.assumingMemoryBound(to: Float.self).baseAddress else { return }
                ossicle_field_encode(signals, floats, sums + Self.lanes * (group + 1), frames)
            }
        }
    }

    /// One of the sixteen channels.
    func add(
        _ sound: UnsafePointer<Float>, gain: Float, of channel: Int,
        to sums: UnsafePointer<UnsafeMutablePointer<Float>>, _ frames: Int
    ) {
        for group in 0..<Self.groupCount {
            let gains = channels[Self.lanes * group + channel] * gain
            add(sound, gains, gains, step: 0, index: 0, moving: 0, to: sums, group, frames)
        }
    }

    private func add(
        _ sound: UnsafePointer<Float>, _ start: SIMD16<Float>, _ target: SIMD16<Float>, step: Float, index: Int,
        moving: Int, to sums: UnsafePointer<UnsafeMutablePointer<Float>>, _ group: Int, _ frames: Int
    ) {
        withUnsafeBytes(of: (start, target)) { bytes in
            guard let gains = bytes.assumingMemoryBound(to: Float.self).baseAddress else { return }
            ossicle_field_add(
                sound, gains, gains + Self.lanes, step, Int32(truncatingIfNeeded: index), moving,
                sums + Self.lanes * (group + 1), frames)
        }
    }
}

/// The tables behind `UpperOrders`. Control side.
struct UpperOrdersMemory: ~Copyable {
    let handle: UpperOrders
    private let directions, channels: OwnedMemory<SIMD16<Float>>

    /// - Parameter order: 4…7; channels above it get nothing.
    init(order: Int) {
        let (groups, lanes) = (UpperOrders.groupCount, DiffuseDirections.count)
        directions = OwnedMemory(count: groups * lanes, .zero)
        channels = OwnedMemory(count: groups * lanes, .zero)
        // `pointer` is changed through a copy (CONTRIBUTING).
        let (byDirection, byChannel) = (directions.pointer, channels.pointer)
        let scales = SphericalHarmonics.weights(order: SphericalHarmonics.greatestOrder).squareRoot()
        for (number, direction) in DiffuseDirections.all.enumerated() {
            let values = HighOrderHarmonics.all(direction, order: order)
            let pattern = SIMD16<Double>(DiffuseDirections.patterns[number]) * scales / 4
            let first = Double(DiffuseDirections.encoders[number][0])
            for group in 0..<groups {
                var harmonics = SIMD16<Double>.zero
                for lane in 0..<lanes { harmonics[lane] = values[lanes * (group + 1) + lane] }
                byDirection[lanes * group + number] = SIMD16<Float>(harmonics / first)
                for channel in 0..<lanes {
                    byChannel[lanes * group + channel] += SIMD16<Float>(harmonics * pattern[channel])
                }
            }
        }
        handle = UpperOrders(
            directions: UnsafePointer(byDirection), channels: UnsafePointer(byChannel), order: order)
    }
}
