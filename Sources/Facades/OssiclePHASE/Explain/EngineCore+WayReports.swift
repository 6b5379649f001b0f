import OssicleAcoustics
import OssicleCore

/// What the scene's geometry makes of a sound, as of the last update.
extension EngineCore {
    func explainWays(_ binding: EventInstance.Binding) -> [PHASEExplanation.Path] {
        guard case .spatial(let source, let listener) = binding, let heard = paths.heard(source, listener) else { return [] }
        let ways = heard.acoustics.diffractions + heard.acoustics.reflections
        return ways.map { PHASEExplanation.Path($0, heard, milliseconds: 1000 / (medium?.medium ?? air).speedOfSound) }
            .sorted { ($1.decibels, $0.delay) < ($0.decibels, $1.delay) }
    }

    func reverbTimes(_ binding: EventInstance.Binding) -> [Double]? {
        guard let listener = binding.listener else { return nil }
        let field = rooms.field(at: listener) ?? (reverbPreset == .none || acousticsMode == .geometry ? nil : LateField(reverbPreset))
        return field.flatMap { field in field.energy.values.contains { $0 > 0 } ? field.t60.values.map(Double.init) : nil }
    }

    /// Whether there is anything but the direct sound to be heard.
    func hasRoom(_ binding: EventInstance.Binding) -> Bool { reverbTimes(binding) != nil || !explainWays(binding).isEmpty }
}

extension PHASEExplanation.Path {
    fileprivate init(_ way: SoundPath, _ heard: HeardPath, milliseconds perMetre: Double) {
        course = way.kind.words
        delay = (way.length - heard.path.centreDistance) * perMetre
        let seen = heard.head.toLocalUnscaled(heard.head.position + way.arrival)
        azimuth = DeterministicMath.atan2(-seen.x, -seen.z) * 180 / DeterministicMath.pi
        elevation = DeterministicMath.asin(min(max(seen.y, -1), 1)) * 180 / DeterministicMath.pi
        bands = way.bandGains.values.map { PHASEExplanation.decibels(Double($0) / max(way.length, 1e-6)) }
        decibels = bands[5]
    }
}

extension SoundPath.Kind {
    fileprivate var words: String {
        func count(_ number: Int, _ thing: String) -> String { "\(number) \(thing)\(number == 1 ? "" : "s")" }
        return switch self {
        case .reflection(let order): "off \(count(order, "surface"))"
        case .diffraction(let edges): "around \(count(edges, "edge"))"
        case .diffractedReflection(let order): "off \(count(order, "surface")) and around an edge"
        }
    }
}
