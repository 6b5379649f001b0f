import OssicleCore
import OssicleDSP

/// Positions of a SOFA variable in its own axes, x ahead, y left, z up; metres.
struct Coordinates {
    private let variable: SofaFile.Variable
    private let name: String
    private let isSpherical: Bool

    var count: Int { variable.values.count / 3 }

    /// - Parameter defaultType: for a variable that need not say it.
    init(_ variable: SofaFile.Variable, _ name: String, _ file: String, defaultType: String? = nil) throws(HRTFSetError)
    {
        (self.variable, self.name) = (variable, name)
        let type = variable.attributes["Type"] ?? defaultType
        guard let type, ["spherical", "cartesian"].contains(type) else {
            throw HRTFSetError(
                file, name + ":Type", type.map { "“\($0)”" } ?? "missing", rule: "“spherical” or “cartesian”",
                cure: "convert the positions")
        }
        isSpherical = type == "spherical"
        let units = variable.attributes["Units"]?.lowercased() ?? ""
        guard units.isEmpty || units.hasPrefix(isSpherical ? "degree" : "met") else {
            throw HRTFSetError(
                file, name + ":Units", "“\(units)”", rule: isSpherical ? "“degree, degree, metre”" : "“metre”",
                cure: "convert the positions")
        }
        guard variable.values.count % 3 == 0 else {
            throw HRTFSetError(
                file, "number of values in \(name)", variable.values.count, rule: "a multiple of C = 3",
                cure: "write three coordinates each")
        }
        guard variable.values.allSatisfy(\.isFinite) else {
            throw HRTFSetError(
                file, name, "not finite", rule: "made of finite numbers", cure: "write the positions again")
        }
    }

    func position(_ index: Int) throws(HRTFSetError) -> Vector {
        let (a, b, c) = (
            Double(variable.values[3 * index]), Double(variable.values[3 * index + 1]),
            Double(variable.values[3 * index + 2])
        )
        guard isSpherical else { return Vector(a, b, c) }
        // Files write angles in single precision, or convert them to and fro.
        let unit = HeadDirection.vector(azimuth: Coordinates.rounded(a), elevation: Coordinates.rounded(b))
        // A direction without a distance is as good as any.
        return Vector(-unit.z, -unit.x, unit.y) * (c > 0 ? c : 1)
    }

    /// To a millionth of a degree.
    private static func rounded(_ degrees: Double) -> Double { (degrees * 1e6).rounded() / 1e6 }
}

/// Where the listener is and looks, one for all measurements.
struct ListenerView {
    private let origin, ahead, left, up: Vector

    init(_ file: SofaFile) throws(HRTFSetError) {
        origin = try ListenerView.one(file.listenerPosition, "ListenerPosition", file) ?? .zero
        let view = try ListenerView.one(file.listenerView, "ListenerView", file)?.direction ?? Vector(1, 0, 0)
        let top = try ListenerView.one(file.listenerUp, "ListenerUp", file)?.direction ?? Vector(0, 0, 1)
        guard let side = top.cross(view).direction else {
            throw HRTFSetError(
                file.name, "ListenerUp", "along ListenerView", rule: "across it",
                cure: "write which way the listener looks, and where up is")
        }
        (ahead, left, up) = (view, side, view.cross(side))
    }

    /// The way from the listener to a place, in the engine's axes: x right, y up, z back.
    func inHead(_ position: Vector) -> Vector {
        let way = position - origin
        return Vector(-way.dot(left), way.dot(up), -way.dot(ahead))
    }

    private static func one(
        _ variable: SofaFile.Variable, _ name: String, _ file: SofaFile
    ) throws(HRTFSetError) -> Vector? {
        guard !variable.values.isEmpty else { return nil }
        let all = try Coordinates(variable, name, file.name, defaultType: "cartesian")
        let first = try all.position(0)
        for index in 1..<max(all.count, 1) where try all.position(index) != first {
            throw HRTFSetError(
                file.name, name, "different from measurement to measurement", rule: "the same in all",
                cure: "export a set in which the sources move and the listener stays")
        }
        return first
    }
}
