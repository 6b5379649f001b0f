import OssicleAcoustics
import OssicleCore
import OssicleResponses
import OssicleScenes

/// A row that was read and checked: what is to be computed, and from what.
enum Row {
    case room(RoomRow)
    case scene(SceneJob)
}

/// How the sounds of a row are written.
package enum SoundFormat: String, CaseIterable, Sendable {
    /// WAVE of 32-bit floating point.
    case wav
    /// FLAC of 24 and of 16 bits.
    case flac, flac16

    var ending: String { self == .wav ? "wav" : "flac" }
}

/// Responses of a room, and the sound of what plays in it.
struct RoomRow {
    let room: RowRoom
    let medium: Medium
    let options: ResponseOptions
    let receiver: RowReceiver
    let listener: Pose
    let sources: [RowSource]
    let noises: [RowNoise]
    /// Hz.
    let sampleRate: Int
    let quality: AcousticQuality
    /// Of the responses, in seconds; nil for as long as anything is heard.
    let length: Double?
    let seed: UInt64
    /// Of the mix, in seconds; nil for as long as anything is heard.
    let seconds: Double?
    /// dB re full scale that the loudest sample is to have; nil for levels as they are.
    let level: Double?
    let writesStems: Bool
    let writesResponses: Bool
    /// Whether what was sent to the loudspeakers is written.
    let writesReference: Bool

    /// Whether the row has sound, and not the responses alone.
    var isMix: Bool { sources.contains { $0.dry != nil } }
}

/// Where sound comes from in a room.
struct RowSource {
    /// The stem its sound belongs to.
    enum Role: String, CaseIterable {
        /// A talker to be understood, a talker farther away, a loudspeaker that plays the other end of a call.
        case near, far, echo
    }

    let position: Vector
    /// Where it moves on to, at even steps of the mix.
    let path: [Vector]
    let directivity: SourceEmission.Shape?
    /// A position that it faces; nil for the listener's.
    let facing: Vector?
    let role: Role
    /// Of the role echo.
    let playback: RowPlayback
    /// The path of a sound without a room; nil in a row of responses.
    let dry: String?
    let gain: Double
    /// dB by which the near talkers are louder, in place of the gain; nil for that.
    let ratio: Double?
    /// Seconds.
    let start: Double

    /// All places it sounds from, in order.
    var places: [Vector] { [position] + path }
}

/// Noise at a ratio to the near talkers.
struct RowNoise {
    enum Kind {
        case spectrum(NoiseSpectrum)
        case file(String)
    }

    let kind: Kind
    /// As the row has it.
    let name: String
    /// dB.
    let ratio: Double
    /// Nil for noise from all around.
    let position: Vector?
}

/// A scene to render.
package struct SceneJob: Sendable, Hashable {
    /// Paths.
    package let scene: String
    package let timeline: String?
    package let listener: String?
    package let layout: String?
    package let seconds: Double?
    package let seed: UInt64
    package let sampleRate: Int
}

/// Renders scenes for rows; what `ossicle render` does.
package protocol SceneRenderer: Sendable {
    /// On any thread, also at once with others.
    func render(_ job: SceneJob) throws -> RenderedScene
}

package struct RenderedScene: Sendable {
    /// All of the same length.
    package let channels: [[Float]]
    /// As the renderer calls it.
    package let layout: String
    /// What was guessed or is odd.
    package let warnings: [String]

    package init(channels: [[Float]], layout: String, warnings: [String] = []) {
        (self.channels, self.layout, self.warnings) = (channels, layout, warnings)
    }
}
