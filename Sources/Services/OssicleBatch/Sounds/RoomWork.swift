import OssicleAcoustics
import OssicleCore
import OssicleResponses
import OssicleScenes

/// Computes what a row about a room asks for. On one thread: rows are what is shared out.
struct RoomWork {
    let row: RoomRow
    private let format: SoundFormat
    private let tracer: SceneTracer
    private let solver: RirSolver<SceneTracer>

    /// What came out of a row.
    struct Result {
        /// In the order of the sources.
        var responses: [RirResult] = []
        var sounds: [RowSound] = []
        /// Of each source's first place; nil where they were not asked for.
        var paths: [PathFacts]?
    }

    init(_ row: RoomRow, format: SoundFormat) throws {
        (self.row, self.format) = (row, format)
        let rate = Double(row.sampleRate)
        let receiver = try row.options.receiver(row.receiver.name, microphones: row.receiver.places, sampleRate: rate)
        tracer = try row.room.tracer(in: row.medium)
        solver = row.options.solver(
            tracer, quality: row.quality,
            synthesiser: try row.options.synthesiser(receiver, sampleRate: rate, medium: row.medium, seed: row.seed),
            length: row.length, workers: WorkerPool(workers: 1))
    }

    func result() throws -> Result {
        var result = Result()
        var heard: [[ImpulseResponse]] = []
        for source in row.sources {
            let found = try source.places.map { try response(from: $0, source) }
            result.responses.append(found[0])
            heard.append(found.map(\.response))
        }
        if row.options.listsPaths { result.paths = result.responses.map { PathFacts($0, tracer: tracer) } }
        let isOnly = !row.isMix && heard.count == 1 && heard[0].count == 1
        let responses = heard.enumerated().flatMap { index, places in
            places.enumerated().map { step, response in
                // Behind the first place of a path the others are numbered from 2 on.
                let name = "source\(index + 1)" + (step > 0 ? "-\(step + 1)" : "")
                return RowSound(holds: .response, suffix: isOnly ? nil : name, channels: response.channels)
            }
        }
        guard row.isMix else {
            result.sounds = levelled(responses)
            return result
        }
        let mix = try RoomMix(
            row, heard, synthesiser: solver.synthesiser,
            fractionBits: format == .flac16 ? 15 : 23
        ) {
            try response(from: $0, nil).response
        }
        result.sounds = try mix.sounds() + (row.writesResponses ? responses : [])
        return result
    }

    private func response(from place: Vector, _ source: RowSource?) throws -> RirResult {
        let emission = source?.directivity.map { directivity in
            SourceEmission(
                pose: Pose(listenerAt: place, facing: source?.facing ?? row.listener.position),
                shape: directivity)
        }
        return try solver.result(for: RirPair(source: place, listener: row.listener, emission: emission))
    }

    /// All by one gain, so that what is louder stays louder.
    private func levelled(_ sounds: [RowSound]) -> [RowSound] {
        let peak = sounds.map(\.peak).max() ?? 0
        guard let level = row.level, peak > 0 else { return sounds }
        let gain = Float(Decibels.amplitude(level)) / peak
        return sounds.map {
            RowSound(holds: $0.holds, suffix: $0.suffix, channels: $0.channels.map { $0.map { $0 * gain } })
        }
    }
}

/// A sound of a row, before it is a file.
struct RowSound {
    /// What it is.
    enum Content: String { case response, mix, near, far, echo, noise, reference, render }

    let holds: Content
    /// Between the row's name and the file's ending; nil for nothing.
    let suffix: String?
    /// All of the same length.
    let channels: [[Float]]

    var frameCount: Int { channels.first?.count ?? 0 }
    /// The greatest magnitude.
    var peak: Float { channels.reduce(0) { $1.reduce($0) { max($0, $1.magnitude) } } }
    /// Mean square over frames and channels.
    var power: Double { RowSound.power(channels) }

    static func power(_ channels: [[Float]]) -> Double {
        let count = channels.count * (channels.first?.count ?? 0)
        guard count > 0 else { return 0 }
        return channels.reduce(0.0) { $1.reduce($0) { $0 + Double($1) * Double($1) } } / Double(count)
    }
}
