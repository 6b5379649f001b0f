/// A scene file that cannot be used: which file, what is wrong with it, and what to do.
package struct SceneFileError: Error, Hashable, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }

    /// - Parameters:
    ///   - file: its name. - found: what is wrong. - rule: what must be. - cure: what to do.
    init(_ file: String, _ found: String, rule: String, cure: String) {
        description = "Scene “\(file)”: \(found); \(rule): \(cure)."
    }
}
