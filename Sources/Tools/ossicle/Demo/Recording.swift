import OssicleCore
import OssicleRendering

/// The rendered demo: the sound of both ears and, step by step, what the engine measured.
struct Recording: Sendable {
    let sampleRate: Int
    let left, right: [Float]
    let moments: [SceneMoment]

    var seconds: Double { Double(left.count) / Double(sampleRate) }

    /// Where a source goes, in steps of the rendering.
    func track(of source: String) -> [(time: Double, place: Vector)] {
        moments.compactMap { moment in moment.positions[source].map { (moment.time, $0) } }
    }

    /// Names of the sources, those that move first, then by the alphabet.
    var sources: [String] {
        let names = (moments.first?.positions ?? [:]).keys.sorted()
        return names.filter(moves) + names.filter { !moves($0) }
    }

    /// Whether a source gets farther than 5 cm from where it begins.
    func moves(_ source: String) -> Bool {
        guard let start = moments.first?.positions[source] else { return false }
        return moments.contains { (($0.positions[source] ?? start) - start).magnitude > 0.05 }
    }
}
