/// Why a set of head responses cannot be used.
package struct HeadSetError: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String
    package init(_ description: String) { self.description = description }

    /// - Parameters:
    ///   - file: its name. - what: the attribute or variable that is wrong. - value: as found. - rule: what it must be.
    init(_ file: String, _ what: String, _ value: some CustomStringConvertible, rule: String, cure: String) {
        description = "Head set “\(file)”: \(what) is \(value), must be \(rule); \(cure)."
    }
}
