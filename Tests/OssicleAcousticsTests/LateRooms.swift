@testable import OssicleAcoustics
import OssicleCore
import OssicleTestSupport

/// Rooms of twelve triangles for the tests of the late part.
enum LateRooms {
    /// A box with a corner at the origin, its size in the tables' order (z up there, y up here).
    static func box(_ size: Vector, walls: AcousticMaterial, ceiling: AcousticMaterial? = nil) -> PortableTracer {
        let extent = Vector(size.x, size.z, size.y)
        let mesh = Meshes.box(extent, at: extent / 2, elements: [0, 0, 0, 1, 0, 0])
        return PortableTracer(
            AcousticScene(occluders: [
                Occluder(id: 1, name: "room", geometry: MeshGeometry(mesh), materials: [walls, ceiling ?? walls])
            ]))
    }

    /// A place given in the tables' order.
    static func place(_ x: Double, _ y: Double, _ z: Double) -> Vector { Vector(x, z, y) }

    /// Lets nothing pass.
    static func wall(_ absorption: Double, scattering: OctaveBands) -> AcousticMaterial {
        AcousticMaterial(
            name: "wall", absorption: OctaveBands(repeating: Float(absorption)), scattering: scattering,
            transmissionLoss: OctaveBands(repeating: 200))
    }

    static func wall(_ absorption: Double, scattering: Double) -> AcousticMaterial {
        wall(absorption, scattering: OctaveBands(repeating: Float(scattering)))
    }

    /// The numbers of a cell like "10x8x3" or "2 3 1.5".
    static func numbers(_ cell: String) -> [Double] { cell.split { $0 == "x" || $0 == " " }.compactMap { Double($0) } }

    static func vector(_ cell: String) -> Vector {
        let n = numbers(cell)
        return n.count == 3 ? Vector(n[0], n[1], n[2]) : Vector(repeating: .nan)
    }

    /// Responses of several places in one: what a room does on average.
    static func average(_ responses: [EnergyResponse]) -> EnergyResponse {
        var sum = EnergyResponse(binWidth: responses[0].binWidth, binCount: responses[0].bins.count)
        for response in responses {
            for bin in sum.bins.indices {
                sum.bins[bin] = sum.bins[bin] + response.bins[bin] * (1 / Float(responses.count))
            }
            sum.completeBins = min(sum.completeBins, response.completeBins)
        }
        return sum
    }

    /// Places spread evenly over a box: the additive recurrence of the plastic number's kin in three dimensions
    /// (Roberts 2018).
    static func places(_ count: Int, in size: Vector) -> [Vector] {
        (1...max(count, 1)).map { index in
            let share = Vector(0.8191725134, 0.6710436067, 0.5497004779) * Double(index) + 0.5
            return (share - share.rounded(.down)) * Vector(size.x, size.z, size.y)
        }
    }
}

extension EnergyResponse {
    func curve(_ band: Int) -> DecayCurve { DecayCurve(energies: energies(band), binWidth: binWidth) }
}
