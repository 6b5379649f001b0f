import OssicleAcoustics
import OssicleCore
import OssicleScenes

/// What a row says of its walls: a material for all, one for each, one for walls, floor and ceiling, or the decay time
/// they are to make.
struct WallMaterials {
    let size: Vector
    let notch: (x: Double, z: Double)?
    /// What names stand for.
    let book: MaterialBook

    /// Scattering of walls that a decay time is asked of.
    private static let scattering: Float = 0.1
    private var count: Int { notch == nil ? 6 : 8 }

    func read(_ row: JSONObject) throws -> [AcousticMaterial] {
        if let time = row["t60"] {
            guard row["material"] == nil else {
                throw time.fault(
                    "and material are both there", rule: "walls are given by one of them", cure: "leave one out")
            }
            return Array(repeating: try uniform(decaying: time), count: count)
        }
        guard let material = row["material"] else { return Array(repeating: MaterialLibrary.opaque, count: count) }
        switch material.value {
        case .array:
            let list = try material.list(atMost: count)
            guard list.count == count else {
                throw material.fault(
                    rule:
                        "there is a material for each of the \(count) surfaces: low x, high x, floor, ceiling, low z, high z"
                        + (notch == nil ? "" : ", notch x, notch z"), cure: "give \(count), or one for all")
            }
            return try list.map(read)
        case .object(let members) where members["absorption"] == nil:
            let object = try material.object()
            try object.refuseMembers(besides: ["walls", "floor", "ceiling"])
            let walls = try read(try object.required("walls"))
            let (floor, ceiling) = (try object["floor"].map(read) ?? walls, try object["ceiling"].map(read) ?? walls)
            return (0..<count).map { $0 == 2 ? floor : $0 == 3 ? ceiling : walls }
        default: return Array(repeating: try read(material), count: count)
        }
    }

    /// A name, or values of octave bands.
    private func read(_ cursor: JSONCursor) throws -> AcousticMaterial {
        guard case .object = cursor.value else { return try book.material(cursor, named: "custom") }
        let object = try cursor.object()
        try object.refuseMembers(besides: ["absorption", "scattering", "transmissionLoss"])
        return AcousticMaterial(
            name: "custom", absorption: try bands(try object.required("absorption")),
            scattering: try object["scattering"].map { try bands($0) } ?? OctaveBands(repeating: Self.scattering),
            transmissionLoss: try object["transmissionLoss"].map { try bands($0, in: 0...200) }
                ?? MaterialLibrary.opaque.transmissionLoss)
    }

    /// One value for all bands, or up to ten from 31.5 Hz on, of which the last continues.
    private func bands(_ cursor: JSONCursor, in range: ClosedRange<Double> = 0...1) throws -> OctaveBands {
        if case .array = cursor.value {
            return OctaveBands(try cursor.numbers(Set(1...10), in: range).map(Float.init))
        }
        return OctaveBands(repeating: Float(try cursor.number(in: range)))
    }

    /// The absorption with which the room's sound decays by 60 dB in that time, by Eyring's formula without air:
    /// T = 24 ln 10 · V / (−c S ln(1 − α)).
    private func uniform(decaying time: JSONCursor) throws -> AcousticMaterial {
        let seconds = try time.number(in: 0.02...30)
        let surface = BatchRoom.areas(size, notch).reduce(0, +)
        let exponent =
            24 * DeterministicMath.ln10 * BatchRoom.volume(size, notch) / (343.2 * surface * seconds)
        return AcousticMaterial(
            name: "t60", absorption: OctaveBands(repeating: Float(1 - DeterministicMath.exp(-exponent))),
            scattering: OctaveBands(repeating: Self.scattering),
            transmissionLoss: MaterialLibrary.opaque.transmissionLoss)
    }
}
