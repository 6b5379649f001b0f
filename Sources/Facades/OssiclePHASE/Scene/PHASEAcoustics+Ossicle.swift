import OssicleAcoustics
import OssicleCore
import OssicleSpatial

/// How much work goes into sound from geometry (an addition of Ossicle).
///
/// The late field costs most: rays times the surfaces each of them meets, in every simulation. Early reflections grow
/// with the power of their order in the triangles near source and listener. A level costs three to six times the one
/// below it.
public struct PHASEAcousticsQuality: Sendable, Hashable {
    let quality: AcousticQuality
    /// What was moved into range, one sentence each.
    let corrections: [String]

    /// Rays that look for the late field, at most, 0…1,048,576.
    public var rays: Int { quality.rays }
    /// Standard error of the late field's decay times, as a share of them, that is good enough while something moves,
    /// and of its levels in 5 dB, 0…1: rays are spent until it is reached, between a sixteenth and a quarter of all. 0
    /// for a quarter of all.
    public var lateError: Double { quality.lateError }
    /// Surfaces a ray meets at most, 1…4096.
    public var bounces: Int { quality.bounces }
    /// Highest order of an early reflection, 0…3.
    public var reflectionOrder: Int { quality.reflectionOrder }
    /// Early reflections kept for each source and listener, 0…4096.
    public var reflections: Int { quality.reflections }
    /// Edges in a row that diffract sound, 0…2.
    public var edges: Int { quality.edges }
    /// Whether reflections are diffracted, too.
    public var bendsReflections: Bool { quality.bendsReflections }

    /// For small machines and many engines.
    public static let low = PHASEAcousticsQuality(.low)
    /// The default.
    public static let medium = PHASEAcousticsQuality(.medium)
    /// For one engine on a machine of its own, and for rendering offline.
    public static let high = PHASEAcousticsQuality(.high)

    /// A quality of one's own. Values outside their range are moved to its nearest end; the engine records it when the
    /// quality is set.
    public init(
        rays: Int, bounces: Int = 96, reflectionOrder: Int = 2, reflections: Int = 16, edges: Int = 2,
        bendsReflections: Bool = false, lateError: Double = 0
    ) {
        var corrections: [String] = []
        func usable(_ value: Int, _ range: ClosedRange<Int>, _ name: String) -> Int {
            let taken = min(max(value, range.lowerBound), range.upperBound)
            if taken != value {
                corrections.append(
                    "\(name) \(value) is outside \(range.lowerBound)…\(range.upperBound); \(taken) was taken.")
            }
            return taken
        }
        let error = lateError > 0 ? min(lateError, 1) : 0
        if error != lateError { corrections.append("lateError \(lateError) is outside 0…1; \(error) was taken.") }
        quality = AcousticQuality(
            rays: usable(rays, 0...1_048_576, "rays"), bounces: usable(bounces, 1...4096, "bounces"),
            lateError: error,
            reflectionOrder: usable(reflectionOrder, 0...3, "reflectionOrder"),
            reflections: usable(reflections, 0...4096, "reflections"), edges: usable(edges, 0...2, "edges"),
            bendsReflections: bendsReflections)
        self.corrections = corrections
    }

    init(_ quality: AcousticQuality) { (self.quality, corrections) = (quality, []) }

    /// Qualities are the same that do the same.
    public static func == (a: Self, b: Self) -> Bool { a.quality == b.quality }
    public func hash(into hasher: inout Hasher) { hasher.combine(quality) }
}

extension PHASEAcousticsQuality: CustomStringConvertible {
    /// What it does, and what its rays cost beside those of `.low`.
    public var description: String {
        let name =
            switch self {
            case .low: "low: "
            case .medium: "medium: "
            case .high: "high: "
            default: ""
            }
        let cost = Double(rays) * Double(bounces) / (Double(Self.low.rays) * Double(Self.low.bounces))
        return name + "\(rays) rays that meet up to \(bounces) surfaces (\(cost.words(1)) × the work of low), "
            + "\(reflections) early reflections of up to order \(reflectionOrder)"
            + (bendsReflections ? ", also around an edge" : "")
            + ", \(edges) edges in a row"
    }
}

/// What the simulation of sound from geometry does at present (an addition of Ossicle).
///
/// A simulation that takes longer than its budget twice in a row does less from then on: half the rays, down to an
/// eighth; early reflections of a lower order; no diffracted reflections and no second edge; twice the interval, up to
/// a second. Where there is time again it does more, one step after the other. Offline there is no budget, and nothing
/// is ever left out.
public struct PHASEAcousticsReport: Sendable, Hashable {
    /// The quality that was set, and the one in use.
    public let qualityAsked, qualityUsed: PHASEAcousticsQuality
    /// Early reflections at present, of all sources and listeners together.
    public let reflections: Int
    /// Simulations since the engine started, and how many of them took longer than their budget.
    public let simulations, lateSimulations: Int
    /// Seconds the last simulation took; nil before the first, and offline, where no clock is looked at.
    public let lastDuration: Double?
    /// The same as a share of its budget; nil where there is none.
    public let shareOfBudget: Double?
    /// Seconds from the start of one simulation to the start of the next.
    public let interval: Double
    /// Whether less is done than was asked for.
    public let isDegraded: Bool
    /// What is done less, in words.
    public let sacrifices: [String]
    /// What had to be assumed about occluders whose winding does not say where their air is, a sentence each.
    public let assumptions: [String]
    private let state: String

    init(_ budget: SimulationBudget, reflections: Int, assumptions: [String] = []) {
        self.assumptions = assumptions
        (qualityAsked, qualityUsed) = (PHASEAcousticsQuality(budget.asked), PHASEAcousticsQuality(budget.quality))
        self.reflections = reflections
        (simulations, lateSimulations) = (budget.simulations, budget.lateSimulations)
        (lastDuration, shareOfBudget, interval) = (budget.lastDuration, budget.lastLoad, budget.interval)
        (isDegraded, sacrifices, state) = (budget.isDegraded, budget.sacrifices, budget.description)
    }

    /// Rays of one simulation.
    public var rays: Int { qualityUsed.rays }
}

extension PHASEAcousticsReport: CustomStringConvertible {
    public var description: String {
        var lines = ["quality \(state)", "  \(qualityUsed)", "  \(reflections) early reflections at present"]
        if let lastDuration {
            let share = shareOfBudget.map { ", \((100 * $0).words(0)) % of its budget" } ?? ""
            lines.append("  last simulation \((1000 * lastDuration).words(1)) ms\(share)")
        }
        lines.append("  \(lateSimulations) of \(simulations) simulations were late; one every \(interval.words(2)) s")
        lines += assumptions.map { "  \($0)" }
        return lines.joined(separator: "\n")
    }
}

/// The room-acoustic quantities of ISO 3382-1 for one source and one listener (an addition of Ossicle).
///
/// Each list has ten values, for the octave bands 31.5 Hz … 16 kHz. Always numbers: where a band has no decay to
/// measure, times are 0 and levels −120 dB.
public struct PHASERoomMetrics: Sendable, Hashable {
    /// Seconds in which sound decays by 60 dB, from −5 to −25 dB of the decay.
    public let t20: [Double]
    /// The same, from −5 to −35 dB.
    public let t30: [Double]
    /// The same, from 0 to −10 dB: early decay time.
    public let edt: [Double]
    /// dB, energy of the first 50 ms to that of the rest: clarity of speech.
    public let c50: [Double]
    /// dB, energy of the first 80 ms to that of the rest: clarity of music.
    public let c80: [Double]
    /// Share of the energy in the first 50 ms, 0…1.
    public let d50: [Double]
    /// Seconds, mean time of arrival after the first sound.
    public let centreTime: [Double]
    /// dB, energy re that of the direct sound at 10 m.
    public let strength: [Double]
    /// Lateral energy fraction: Σ E cos² θ from 5 to 80 ms over the energy of the first 80 ms, θ to the axis through
    /// the listener's ears. A diffuse field has 1/3.
    public let lf: [Double]
    /// The same with |cos θ|, 1/2 of a diffuse field.
    public let lfc: [Double]
    /// dB, lateral energy Σ E cos² θ from 80 ms on re the energy of the direct sound at 10 m.
    public let lg: [Double]
    /// Speech transmission index of male speech, 0…1: in quiet, or under the conditions that were given.
    public let sti: Double
    /// Share of the rays that left for good, 0…1: 1 in the open, where the rest means little.
    public let escapedShare: Double
    /// By how much other rays would change each quantity.
    public let standardErrors: StandardErrors

    /// Standard errors, each in the unit of its quantity: what the number of rays leaves, estimated from shares of them
    /// (jackknife). How well materials and scene describe a room is not in them. Lists of ten octave bands; 0 where no
    /// rays were needed.
    public struct StandardErrors: Sendable, Hashable {
        /// Seconds.
        public let t20, t30, edt, centreTime: [Double]
        /// dB.
        public let c50, c80, strength, lg: [Double]
        /// 0…1.
        public let d50, lf, lfc: [Double]
        /// 0…1.
        public let sti: Double

        init(_ errors: RoomMetrics?) {
            func list(_ bands: KeyPath<RoomMetrics, OctaveBands>) -> [Double] {
                (errors?[keyPath: bands] ?? .zeros).values.map(Double.init)
            }
            (t20, t30, edt, centreTime) = (list(\.t20), list(\.t30), list(\.edt), list(\.centreTime))
            (c50, c80, strength, d50) = (list(\.c50), list(\.c80), list(\.strength), list(\.d50))
            (lf, lfc) = (list(\.lateralFraction), list(\.lateralFractionCosine))
            lg = list(\.lateLateralStrength)
            sti = errors?.speechTransmission ?? 0
        }
    }

    init(
        t20: OctaveBands, t30: OctaveBands, edt: OctaveBands, c50: OctaveBands, c80: OctaveBands, d50: OctaveBands,
        centreTime: OctaveBands,
        strength: OctaveBands, lf: OctaveBands = .zeros, lfc: OctaveBands = .zeros,
        lg: OctaveBands = OctaveBands(repeating: -120), sti: Double, escapedShare: Double, errors: RoomMetrics? = nil
    ) {
        func list(_ bands: OctaveBands) -> [Double] { bands.values.map(Double.init) }
        (self.t20, self.t30, self.edt, self.c50, self.c80) = (list(t20), list(t30), list(edt), list(c50), list(c80))
        (self.d50, self.centreTime, self.strength) = (list(d50), list(centreTime), list(strength))
        (self.lf, self.lfc, self.lg) = (list(lf), list(lfc), list(lg))
        (self.sti, self.escapedShare) = (sti, escapedShare)
        standardErrors = StandardErrors(errors)
    }
}

extension PHASERoomMetrics: CustomStringConvertible {
    /// A table, with a column for each band and a dash where there is nothing to measure.
    public var description: String {
        let rows: [(name: String, values: [String])] = [
            ("", ["31.5", "63", "125", "250", "500", "1k", "2k", "4k", "8k", "16k"]),
            ("T20 s", times(t20)), ("T30 s", times(t30)), ("EDT s", times(edt)), ("C50 dB", levels(c50)),
            ("C80 dB", levels(c80)),
            ("D50", d50.map { $0.words(2) }), ("centre ms", centreTime.map { $0 > 0 ? (1000 * $0).words(0) : "–" }),
            ("G dB", levels(strength)), ("LF", lf.map { $0.words(2) }), ("LFC", lfc.map { $0.words(2) }),
            ("LG dB", levels(lg)),
        ]
        let lines = rows.map { row in row.name.padded(9) + row.values.map { $0.aligned(7) }.joined() }
        return (lines + ["STI \(sti.words(2)), \((100 * escapedShare).words(0)) % of the rays escape"]).joined(
            separator: "\n")
    }

    private func times(_ values: [Double]) -> [String] { values.map { $0 > 0 ? $0.words(2) : "–" } }
    private func levels(_ values: [Double]) -> [String] { values.map { $0 > -120 ? $0.words(1) : "–" } }
}
