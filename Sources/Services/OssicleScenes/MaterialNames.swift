import OssicleAcoustics

/// Finds the material somebody meant: letters and digits count, upper and lower case, blanks, dots and lines do not, and a number at the end
/// that modelling programs add is left out where no material is called so: “Brick_01”, “drywall.001”, “Carpet on concrete”.
package enum MaterialNames {
    /// What the library calls its materials, in its order.
    package static let known = MaterialLibrary.materials.map(\.name)

    package static func material(for name: String) -> AcousticMaterial? {
        let given = key(name)
        return byKey[given] ?? byKey[withoutNumber(given)] ?? byKey[withoutNumber(key(withoutSuffix(name)))] ?? byKey[key(withoutSuffix(name))]
    }

    private static let byKey = Dictionary(MaterialLibrary.materials.map { (key($0.name), $0) }, uniquingKeysWith: { first, _ in first })

    private static func key(_ name: String) -> String { String(name.lowercased().filter { $0.isLetter || $0.isNumber }) }

    private static func withoutNumber(_ key: String) -> String { String(key.reversed().drop { $0.isNumber }.reversed()) }

    /// Without the last dot, line or blank and all behind it.
    private static func withoutSuffix(_ name: String) -> String {
        name.lastIndex { ".-_ ".contains($0) }.map { String(name[..<$0]) } ?? name
    }
}
