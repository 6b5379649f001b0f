/// The channels of a sound field in ACN order, as tools and files name them: `ambisonic:N` for order N with SN3D
/// weights, `ambisonic:N:n3d` with N3D weights.
package struct AmbisonicLayout: Hashable, Sendable {
    package static let greatestOrder = 7

    /// 0…7.
    package let order: Int
    package let isN3D: Bool

    /// nil for an order outside 0…7.
    package init?(order: Int, isN3D: Bool = false) {
        guard (0...Self.greatestOrder).contains(order) else { return nil }
        (self.order, self.isN3D) = (order, isN3D)
    }

    /// nil for a name that is none of theirs.
    package init?(name: String) {
        let parts = name.split(separator: ":", omittingEmptySubsequences: false)
        guard (2...3).contains(parts.count), parts[0] == "ambisonic", parts.count == 2 || parts[2] == "n3d",
            let layout = Self.all.first(where: { parts[1] == "\($0.order)" })
        else { return nil }
        self.init(order: layout.order, isN3D: parts.count == 3)
    }

    package var name: String { "ambisonic:\(order)" + (isN3D ? ":n3d" : "") }
    package var channelCount: Int { (order + 1) * (order + 1) }
    /// Core Audio's.
    package var tag: UInt32 { (isN3D ? 191 : 190) << 16 | UInt32(channelCount) }

    /// From order 0 on, first those with SN3D weights.
    package static let all = [false, true].flatMap { isN3D in
        (0...greatestOrder).compactMap { AmbisonicLayout(order: $0, isN3D: isN3D) }
    }
}
