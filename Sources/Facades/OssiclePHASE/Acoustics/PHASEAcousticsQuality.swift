import OssicleAcoustics

/// How much work goes into sound from geometry (an addition of Ossicle).
///
/// The late field costs most: rays times the surfaces each of them meets, in every simulation. Early reflections grow with the power of their order
/// in the triangles near source and listener. A level costs three to six times the one below it.
public struct PHASEAcousticsQuality: Sendable, Hashable {
    package let quality: AcousticQuality
    /// What was moved into range, one sentence each.
    package let corrections: [String]

    /// Rays that look for the late field, 0…1,048,576.
    public var rays: Int { quality.rays }
    /// Surfaces a ray meets at most, 1…4096.
    public var bounces: Int { quality.bounces }
    /// Mirrorings of an early reflection, 0…3.
    public var reflectionOrder: Int { quality.reflectionOrder }
    /// Early reflections kept for each source and listener, 0…4096.
    public var reflections: Int { quality.reflections }
    /// Edges in a row that sound bends around, 0…2.
    public var edges: Int { quality.edges }
    /// Whether reflections, too, may bend around an edge.
    public var bendsReflections: Bool { quality.bendsReflections }

    /// For small machines and many engines.
    public static let low = PHASEAcousticsQuality(.low)
    /// The default.
    public static let medium = PHASEAcousticsQuality(.medium)
    /// For one engine on a machine of its own, and for rendering offline.
    public static let high = PHASEAcousticsQuality(.high)

    /// A quality of one's own. Values outside their range are moved to its nearest end; the engine records it when the quality is set.
    public init(rays: Int, bounces: Int = 96, reflectionOrder: Int = 2, reflections: Int = 16, edges: Int = 2, bendsReflections: Bool = false) {
        var corrections: [String] = []
        func usable(_ value: Int, _ range: ClosedRange<Int>, _ name: String) -> Int {
            let taken = min(max(value, range.lowerBound), range.upperBound)
            if taken != value { corrections.append("\(name) \(value) is outside \(range.lowerBound)…\(range.upperBound); \(taken) was taken.") }
            return taken
        }
        quality = AcousticQuality(rays: usable(rays, 0...1_048_576, "rays"), bounces: usable(bounces, 1...4096, "bounces"),
                                  reflectionOrder: usable(reflectionOrder, 0...3, "reflectionOrder"),
                                  reflections: usable(reflections, 0...4096, "reflections"), edges: usable(edges, 0...2, "edges"),
                                  bendsReflections: bendsReflections)
        self.corrections = corrections
    }

    package init(_ quality: AcousticQuality) { (self.quality, corrections) = (quality, []) }

    /// Qualities are the same that do the same.
    public static func == (a: Self, b: Self) -> Bool { a.quality == b.quality }
    public func hash(into hasher: inout Hasher) { hasher.combine(quality) }
}

extension PHASEAcousticsQuality: CustomStringConvertible {
    /// What it does, and what its rays cost beside those of `.low`.
    public var description: String {
        let name = switch self {
        case .low: "low: "
        case .medium: "medium: "
        case .high: "high: "
        default: ""
        }
        let cost = Double(rays) * Double(bounces) / (Double(Self.low.rays) * Double(Self.low.bounces))
        return name + "\(rays) rays that meet up to \(bounces) surfaces (\(cost.words(1)) × the work of low), "
            + "\(reflections) early reflections of up to order \(reflectionOrder)" + (bendsReflections ? ", also around an edge" : "")
            + ", \(edges) edges in a row"
    }
}
