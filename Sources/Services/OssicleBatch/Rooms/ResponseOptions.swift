import OssicleAcoustics
import OssicleCore
import OssicleDSP
import OssicleResponses
import OssicleScenes

/// What a response is besides its room, positions and quality: members of a row, and of the interface in C.
///
///     "pattern": "cardioid", or p of p + (1 − p) cos θ, one or octave bands       of microphones
///     "head": "listener.sofa"                                                      of the receiver binaural
///     "waves": true, {"crossover": Hz, "wallImpedance": [r, m, k]}                 the low end
///     "metrics": "all"                                                             sides, and the response itself
///     "speech": {"level": dB, "noise": dB, one or seven}                           for the transmission index
///     "paths": true                                                                a list of the single paths
package struct ResponseOptions: Sendable {
    package static let members = ["pattern", "head", "waves", "metrics", "speech", "paths"]

    package enum Metrics: String, CaseIterable, Sendable {
        /// Those of the energies that paths and rays bring, without lateral ones.
        case energies
        /// Lateral ones too, and those of the response itself.
        case all
    }

    /// Nil for all around.
    private let pattern: MicrophonePattern?
    private let head: String?
    private let waves: WaveOptions?
    private let speech: SpeechConditions?
    package let metrics: Metrics
    package let listsPaths: Bool
    private let files: RowFiles

    /// - Parameters:
    ///   - object: may have other members. - receiver: what pattern and head have to suit. - files: what reads heads.
    package init(
        _ object: JSONObject, receiver: ReceiverName, medium: Medium, files: RowFiles
    ) throws {
        self.files = files
        pattern = try object["pattern"].map { try Self.pattern($0, receiver) }
        head = try object["head"].map { cursor in
            guard receiver == .binaural else {
                throw cursor.fault(rule: "a head has two ears", cure: "take the receiver binaural")
            }
            return files.texts.path(try cursor.name())
        }
        waves = try object["waves"].flatMap { try Self.waves($0, medium) }
        metrics = try object["metrics"]?.choice(of: Metrics.self) ?? .energies
        speech = try object["speech"].map { try Self.speech($0.object()) }
        listsPaths = try object["paths"]?.flag() ?? false
    }

    private static func pattern(_ cursor: JSONCursor, _ receiver: ReceiverName) throws -> MicrophonePattern {
        guard receiver.isMicrophone else {
            throw cursor.fault(rule: "a pattern is that of microphones", cure: "take the receiver mono or an array")
        }
        let found =
            switch cursor.value {
            case .string(let text): MicrophonePattern(text)
            case .array: MicrophonePattern(try cursor.list(atMost: 10).map { try $0.number(in: 0...1) })
            default: MicrophonePattern([try cursor.number(in: 0...1)])
            }
        guard let found else {
            throw cursor.fault(
                rule:
                    "patterns are \(MicrophonePattern.named.map(\.name).joined(separator: ", ")), or p of p + (1 − p) cos θ: \(BandList.rule)",
                cure: "give one of these")
        }
        return found
    }

    private static func waves(_ cursor: JSONCursor, _ medium: Medium) throws -> WaveOptions? {
        if case .bool(let flag) = cursor.value { return flag ? try WaveOptions() : nil }
        let object = try cursor.object()
        try object.refuseMembers(besides: ["crossover", "wallImpedance"])
        let impedance = try object["wallImpedance"].map { cursor in
            if case .number = cursor.value { return [try cursor.number(in: 1e-6...1e9)] }
            return try cursor.numbers([1, 2, 3], in: 0...1e9)
        }
        return try WaveOptions(
            crossover: try object["crossover"]?.number(in: 40...1000), impedance: impedance, in: medium)
    }

    private static func speech(_ object: JSONObject) throws -> SpeechConditions {
        try object.refuseMembers(besides: ["level", "noise"])
        let noise = try object["noise"].map { cursor in
            if case .array = cursor.value { return try cursor.numbers([1, 7], in: -200...200) }
            return [try cursor.number(in: -200...200)]
        }
        return SpeechConditions(
            level: try object["level"]?.number(in: -20...140) ?? SpeechConditions.normalLevel,
            noise: noise.map { OctaveBands(from125HzTo8kHz: $0.map(Float.init)) } ?? SpeechConditions.silence)
    }
}

extension ResponseOptions {
    /// - Parameter microphones: of an array, metres to the listener's right, up and back.
    package func receiver(
        _ name: ReceiverName, microphones: [Vector] = [], sampleRate: Double
    ) throws -> Receiver {
        switch name {
        case .mono: .mono
        case .binaural:
            .binaural(
                try head.map { try files.head($0, sampleRate: sampleRate) }
                    ?? HRTFFilters.shared(sampleRate: sampleRate))
        case .ambisonic(let field): .ambisonic(order: field.order, isN3D: field.isN3D)
        case .array: .array(microphones)
        }
    }

    package func synthesiser(
        _ receiver: Receiver, sampleRate: Double, medium: Medium, seed: UInt64
    ) throws
        -> ResponseSynthesiser
    {
        try ResponseSynthesiser(
            sampleRate: sampleRate, medium: medium, receiver: receiver, pattern: pattern ?? .omnidirectional,
            seed: seed)
    }

    /// - Parameters:
    ///   - length: seconds; nil for as long as anything is heard.
    ///   - hearsSides: whether lateral quantities are found whatever the metrics.
    package func solver(
        _ tracer: SceneTracer, quality: AcousticQuality, synthesiser: ResponseSynthesiser, length: Double?,
        workers: WorkerPool, hearsSides: Bool = false
    ) -> RirSolver<SceneTracer> {
        RirSolver(
            tracer: tracer, quality: quality, seed: synthesiser.seed, synthesiser: synthesiser, length: length,
            workers: workers, hearsSides: hearsSides || metrics == .all, measures: metrics == .all, speech: speech,
            waves: waves)
    }
}
