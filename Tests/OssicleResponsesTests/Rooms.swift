import Foundation
import OssicleAcoustics
import OssicleCore
@testable import OssicleResponses

/// Acoustics in closed form, made by hand.
enum Rooms {
    /// The room of `image-source-check.csv`.
    static let source = Vector(2, 3.5, 1.5), listener = Vector(4.2, 1.3, 1.7)
    static let box = BoxRoom(
        corner: .zero, size: Vector(6, 5, 3),
        walls: [0.1, 0.2, 0.15, 0.3, 0.05, 0.4].map { OctaveBands(repeating: Float((1 - $0).squareRoot())) })

    /// The straight way and the mirrored ones up to `order`.
    static func acoustics(_ room: BoxRoom, from source: Vector, to listener: Vector, order: Int) -> SourceAcoustics {
        let reflections = (order > 0 ? BoxRoom.indices(upTo: order) : []).map { index in
            let image = room.image(of: source, index)
            let way = image.position - listener
            return SoundPath(
                kind: .reflection(order: image.order), identity: 0, length: way.magnitude,
                bandGains: room.gains(of: index),
                arrival: way.direction ?? .zero, departure: .zero, corners: [])
        }
        return SourceAcoustics(direct: direct(from: source, to: listener), reflections: reflections)
    }

    static func direct(from source: Vector, to listener: Vector) -> DirectPath {
        let way = source - listener
        var path = DirectPath.silent
        (path.bandGains, path.visibleShare, path.direction) = (.ones, 1, way.direction ?? .zero)
        (path.effectiveDistance, path.centreDistance) = (way.magnitude, way.magnitude)
        return path
    }

    /// An exponential decay per band, T60 in seconds, with `level` dB of energy in all.
    static func decay(
        _ times: [Double], level: Double = 0, binWidth: Double = 0.004, seconds: Double = 2
    ) -> EnergyResponse {
        var response = EnergyResponse(binWidth: binWidth, binCount: Int(seconds / binWidth))
        for bin in response.bins.indices {
            for band in 0..<OctaveBands.count {
                let rate = 6 * log(10) / times[band]
                let (from, to) = (Double(bin) * binWidth, Double(bin + 1) * binWidth)
                response.bins[bin][band] = Float(pow(10, level / 10) * (exp(-rate * from) - exp(-rate * to)))
            }
            response.octants[bin] = SIMD8(repeating: 1)
        }
        return response
    }
}
