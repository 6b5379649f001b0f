/// How the numbers and names of a scene file are to be read.
package struct SceneFileOptions: Sendable, Hashable {
    /// Which axis of the file looks up.
    package enum UpAxis: String, Sendable, CaseIterable { case y, z }

    package var metresPerUnit: Double
    package var upAxis: UpAxis
    /// Whether a surface of an unknown material is concrete, with a warning, and not an error.
    package var isLenient: Bool

    package init(metresPerUnit: Double = 1, upAxis: UpAxis = .y, isLenient: Bool = false) {
        (self.metresPerUnit, self.upAxis, self.isLenient) = (metresPerUnit, upAxis, isLenient)
    }
}
