import OssicleAcoustics
import OssicleCore
import OssicleDSP
import OssicleResponses

/// What was found at one place of a map.
struct MapCell: Sendable {
    let column, row: Int
    let place: Vector
    let metrics: RoomMetrics
    let errors: RoomMetrics?
    /// IACC of the first 80 ms, the rest and all, by octave from 31.5 Hz on; empty where it was not asked for.
    let ears: [ResponseMetrics.Band]
    /// A-weighted level of speech; nil without one.
    let level: Double?
}

/// Metrics from one source to listener after listener.
struct MapSolver {
    let speech: SpeechConditions?
    private let metrics: SceneSolver
    /// For responses of a head; nil where no ears are asked for.
    private let responses: RirSolver<SceneTracer>?
    private let workers: WorkerPool

    /// Samples a second of responses for IACC, whose octaves end at 8 kHz.
    private static let rate = 24_000.0
    /// A-weighting of the octaves 31.5 Hz … 16 kHz (IEC 61672-1).
    private static let weights = [-39.4, -26.2, -16.1, -8.6, -3.2, 0, 1.2, 1, -1.1, -6.6]

    init(
        tracer: SceneTracer, quality: AcousticQuality, seed: UInt64, speech: SpeechConditions?, hearsBothEars: Bool,
        workers: WorkerPool
    ) throws {
        (self.speech, self.workers) = (speech, workers)
        metrics = SceneSolver(tracer: tracer, quality: quality, seed: seed)
        responses =
            hearsBothEars
            ? RirSolver(
                tracer: tracer, quality: quality, seed: seed,
                synthesiser: try ResponseSynthesiser(
                    sampleRate: Self.rate, medium: tracer.scene.medium,
                    receiver: .binaural(try HRTFFilters.shared(sampleRate: Self.rate)), seed: seed),
                length: nil, workers: workers, findsErrors: true, measures: true, speech: speech) : nil
    }

    func result(from source: Vector, to listener: Pose, _ cell: ReceiverGrid.Cell) throws -> MapCell {
        if let responses {
            let found = try responses.result(for: RirPair(source: source, listener: listener))
            return make(cell, found.metrics, found.errors, found.measured?.bands ?? [])
        }
        let found = metrics.roomMetrics(
            of: .point(source), at: listener.position, ears: listener.right, speech: speech, workers: workers)
        return make(cell, found.metrics, found.errors, [])
    }

    private func make(
        _ cell: ReceiverGrid.Cell, _ metrics: RoomMetrics, _ errors: RoomMetrics?, _ ears: [ResponseMetrics.Band]
    ) -> MapCell {
        let level = speech.map { speech in
            let bands = speech.speech(strength: metrics.strength)
            let sum = SpeechTransmission.bands.reduce(0.0) {
                $0 + Decibels.energy(Double(bands[$1]) + Self.weights[$1])
            }
            return Decibels.of(energy: sum)
        }
        return MapCell(
            column: cell.column, row: cell.row, place: cell.listener.position, metrics: metrics, errors: errors,
            ears: ears, level: level)
    }
}
