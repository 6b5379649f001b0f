import Foundation
import OssiclePHASE
import OssicleRendering

/// What `ossicle explain` prints; `Documentation/CommandLine.md` explains the keys. Levels are dB; one of silence is
/// left out.
struct ExplanationReport: Encodable {
    struct Instance: Encodable {
        let instance, event, state: String
        /// Whether anything of it may reach the listener.
        let isHeard: Bool
        let silentBecause: [String]
        let voices: [Voice]
    }

    struct Voice: Encodable {
        struct Factor: Encodable {
            let name: String
            let level: Double?
            let bands: [Double?]?
            let detail: String
        }

        struct Send: Encodable {
            let part: String
            /// Of the mixer's send; and with all factors.
            let send, level: Double?
        }

        struct Occluder: Encodable {
            let name: String
            let share: Double
            let loss: [Double]
        }

        struct Path: Encodable {
            let course: String
            /// Milliseconds behind the direct sound; degrees to the left and up.
            let delay, azimuth, elevation: Double
            let level: Double?
            let bands: [Double?]
        }

        let node, sound, state: String
        let choices: [String]
        /// Seconds into the sound; speed.
        let position, rate: Double
        /// Of the direct sound.
        let level: Double?
        let factors: [Factor]
        let sends: [Send]
        /// Metres.
        let distance, cullDistance: Double?
        let occluders: [Occluder]
        let paths: [Path]
        let reverbTimes: [Double]?
        let tier: String?
        let silentBecause: [String]
    }

    let scene: String
    let timeline: String?
    /// Seconds.
    let time: Double
    let instances: [Instance]
    /// For people.
    private let explanations: [InstanceExplanation]

    private enum CodingKeys: CodingKey { case scene, timeline, time, instances }

    init(scene: String, timeline: String?, time: Double, _ explanations: [InstanceExplanation]) {
        (self.scene, self.timeline, self.time, self.explanations) = (scene, timeline, time, explanations)
        instances = explanations.map(Instance.init)
    }

    var text: String {
        guard !explanations.isEmpty else { return "The scene has no instances: nothing sounds in it." }
        return explanations.map { "\($0.instance): \($0.explanation)" }.joined(separator: "\n\n")
    }

    var json: String {
        get throws { try JSONText.document(self) }
    }
}

extension ExplanationReport.Instance {
    fileprivate init(_ of: InstanceExplanation) {
        let explanation = of.explanation
        self.init(
            instance: of.instance, event: explanation.event, state: explanation.state,
            isHeard: explanation.silentBecause.isEmpty, silentBecause: explanation.silentBecause.map { "\($0)" },
            voices: explanation.voices.map(ExplanationReport.Voice.init))
    }
}

extension ExplanationReport.Voice {
    fileprivate init(_ voice: PHASEExplanation.Voice) {
        self.init(
            node: voice.node, sound: voice.sound, state: voice.state, choices: voice.way, position: voice.position,
            rate: voice.rate, level: voice.decibels.known,
            factors: voice.factors.map {
                Factor(
                    name: $0.name, level: $0.decibels.known, bands: $0.bands?.map(\.known), detail: $0.detail)
            },
            sends: voice.sends.map {
                Send(
                    part: $0.category.rawValue, send: ($0.level > 0 ? 20 * log10($0.level) : -.infinity).known,
                    level: $0.decibels.known)
            },
            distance: voice.distance, cullDistance: voice.cullDistance,
            occluders: voice.occluders.map { Occluder(name: $0.name, share: $0.share, loss: $0.loss) },
            paths: voice.paths.map {
                Path(
                    course: $0.course, delay: $0.delay, azimuth: $0.azimuth, elevation: $0.elevation,
                    level: $0.decibels.known, bands: $0.bands.map(\.known))
            }, reverbTimes: voice.reverbTimes, tier: voice.tier.map { "\($0)" },
            silentBecause: voice.silentBecause.map { "\($0)" })
    }
}
