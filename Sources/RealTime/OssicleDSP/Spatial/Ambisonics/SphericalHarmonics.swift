import OssicleChannels
import OssicleCore

/// Real spherical harmonics up to order 3, the ambisonic bus's: channels in ACN order (n = l² + l + m), SN3D weights,
/// no Condon–Shortley phase, as in AmbiX.
///
/// The mean of Yₙ² over the sphere is 1/(2l + 1). Axes are the head's (x right, y up, z back).
package enum SphericalHarmonics {
    package static let greatestOrder = 3
    package static let greatestCount = 16

    package static func count(order: Int) -> Int { (order + 1) * (order + 1) }

    /// The order l of channel `index`, of any order.
    package static func order(of index: Int) -> Int {
        var order = 0
        while count(order: order) <= index { order += 1 }
        return order
    }

    /// Whether channel `index` changes its sign when left and right are exchanged: those with m < 0.
    package static func isOdd(_ index: Int) -> Bool {
        let l = order(of: index)
        return index < l * l + l
    }

    /// Y₀…Y₁₅ of a unit vector: what a plane wave from there has in each channel. Any thread.
    @inline(__always)
    package static func values(_ direction: Vector) -> SIMD16<Double> {
        let (x, y, z) = (-direction.z, -direction.x, direction.y)
        let (xx, yy, zz) = (x * x, y * y, z * z)
        var v = SIMD16<Double>.zero
        v[0] = 1
        v[1] = y
        v[2] = z
        v[3] = x
        v[4] = root3 * x * y
        v[5] = root3 * y * z
        v[6] = (3 * zz - 1) / 2
        v[7] = root3 * x * z
        v[8] = root3 / 2 * (xx - yy)
        v[9] = root5by8 * y * (3 * xx - yy)
        v[10] = root15 * x * y * z
        v[11] = root3by8 * y * (5 * zz - 1)
        v[12] = z * (5 * zz - 3) / 2
        v[13] = root3by8 * x * (5 * zz - 1)
        v[14] = root15 / 2 * z * (xx - yy)
        v[15] = root5by8 * x * (xx - 3 * yy)
        return v
    }

    /// 2l + 1 for every channel; 0 for those above `order`.
    package static func weights(order: Int) -> SIMD16<Double> { .weights(order: order) }

    private static var root3: Double { 1.7320508075688772 }
    private static var root15: Double { 3.872983346207417 }
    private static var root3by8: Double { 0.6123724356957945 }
    private static var root5by8: Double { 0.7905694150420949 }
}

/// Which channel of a stream is which channel of a sound field in ACN order and SN3D weights, and what it has to be
/// multiplied by.
package struct SoundFieldFormat: Sendable, Equatable {
    package struct Channel: Sendable, Equatable {
        /// ACN index.
        package let index: Int
        /// From the stream's weights to SN3D.
        package let gain: Double

        package init(index: Int, gain: Double) { (self.index, self.gain) = (index, gain) }
    }

    /// In the stream's order; nil for a channel that is not used.
    package let channels: [Channel?]
    /// 0…7.
    package let order: Int

    /// Channels above order 7 are dropped.
    package init(_ channels: [Channel?]) {
        self.channels = channels.map { channel in
            channel.flatMap { (0..<HighOrderHarmonics.greatestCount).contains($0.index) ? $0 : nil }
        }
        order = self.channels.compactMap { $0.map { SphericalHarmonics.order(of: $0.index) } }.max() ?? 0
    }

    /// Channels of the field, used or not: (order + 1)².
    package var count: Int { SphericalHarmonics.count(order: order) }
}

extension SoundFieldFormat {
    /// The sound field that channels of Ambisonics make up, in SN3D, N3D or B-format (W at −3 dB, after Furse and
    /// Malham), in any order; nil if there is none among `labels`. Other channels are not part of it.
    package init?(labels: [UInt32]) {
        let channels = labels.map(Self.channel)
        guard channels.contains(where: { $0 != nil }) else { return nil }
        self.init(channels)
    }

    private static func channel(_ label: UInt32) -> Channel? {
        let index = Int(label & 0xFFFF)
        switch label {
        case ChannelLabel.ambisonicW: return Channel(index: 0, gain: 2.0.squareRoot())
        case ChannelLabel.ambisonicY: return Channel(index: 1, gain: 1)
        case ChannelLabel.ambisonicZ: return Channel(index: 2, gain: 1)
        case ChannelLabel.ambisonicX: return Channel(index: 3, gain: 1)
        default: break
        }
        switch label & 0xFFFF_0000 {
        case ChannelLabel.ambisonicSN3D: return Channel(index: index, gain: 1)
        case ChannelLabel.ambisonicN3D:
            return Channel(index: index, gain: 1 / Double(2 * SphericalHarmonics.order(of: index) + 1).squareRoot())
        default: return nil
        }
    }
}

/// Directions and weights to take means over the sphere with. Control side.
package enum SphereGrid {
    package struct Point: Sendable {
        /// Unit vector.
        package let direction: Vector
        /// Share of the sphere; the weights of a grid sum to 1.
        package let weight: Double
    }

    /// The 26 points of Lebedev's rule of degree 7: 6 faces, 12 edges and 8 corners of a cube. Means of polynomials up
    /// to degree 7 are exact, and with them those of two harmonics of order 3 multiplied. Left and right are mirror
    /// images.
    package static func lebedev26() -> [Point] {
        let steps = [-1.0, 0, 1]
        let cube = steps.flatMap { x in steps.flatMap { y in steps.map { z in Vector(x, y, z) } } }.filter {
            $0.lengthSquared > 0
        }
        return cube.map { Point(direction: $0 / $0.magnitude, weight: weight(axes: $0.lengthSquared)) }
    }

    private static func weight(axes: Double) -> Double { axes == 1 ? 1.0 / 21 : (axes == 2 ? 4.0 / 105 : 9.0 / 280) }

    /// Twice `count` points nearly evenly spread (a Fibonacci spiral and its mirror image), for functions that are no
    /// polynomials.
    package static func spiral(_ count: Int) -> [Point] {
        let turn = DeterministicMath.pi * (1 + 5.0.squareRoot())
        return (0..<count).flatMap { index -> [Point] in
            let height = 1 - (2 * Double(index) + 1) / Double(count)
            let (sine, cosine) = DeterministicMath.sincos(turn * (Double(index) + 0.5))
            let ring = (1 - height * height).squareRoot()
            let direction = Vector(ring * sine, height, ring * cosine)
            let mirrored = Vector(-direction.x, direction.y, direction.z)
            return [direction, mirrored].map { Point(direction: $0, weight: 0.5 / Double(count)) }
        }
    }
}
