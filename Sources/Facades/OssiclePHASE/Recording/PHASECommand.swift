import OssicleAVFAudio
import OssiclePlayback
import OssicleRecording
import OssicleSoundEvents

/// What a client did to a PHASE engine, as it stands in a recording: identifiers and values. Objects go by their
/// numbers, which an engine counts from 1 on, so that those of a replay are the same.
enum PHASECommand: Codable, Sendable {
    /// The first one: how the engine was made.
    case engine(updates: Int)
    case settings(Settings)
    case spatialization(Int)
    case seed(UInt64)
    case quality(Quality)
    case hrtf(data: String, name: String)
    case builtInHRTF
    case room(data: String, name: String, level: Double)
    case noRoom

    /// Also of an engine at a device: the form of its output.
    case manual(FormatRecord, maximum: UInt32)
    case notManual
    case start
    case pause
    case stop
    case update
    /// A render call begins here: with automatic updates the scene is brought up to date where calls begin.
    case render

    case object(UInt64, Kind, shapes: [Int])
    case addChild(UInt64, to: UInt64)
    case remove([UInt64], from: UInt64)
    case transform(UInt64, [Float])
    case gain(UInt64, Double)
    /// What of the tracked head a listener follows.
    case headFlags(UInt64, UInt)
    /// How the next update finds the head; nil where nothing tracks it.
    case head(Head?)
    /// The tracker was changed: the head's pose is forgotten at once.
    case otherHead
    case zone(UInt64, Zone)
    case zoneRoom(UInt64, data: String?, name: String)
    case shape(Int, data: String, materials: [Material?])
    case material(shape: Int, element: Int, Material?)

    case sound(String, data: String, FormatRecord, normalised: Bool)
    case soundFile(String, data: String, name: String, streamed: Bool, layout: LayoutRecord?, normalised: Bool)
    case eventAsset(String, EventTree, formats: [Int: FormatRecord])
    case globalParameter(ParameterBlueprint)
    case unregister(String)

    case group(String, gain: Double, rate: Double, muted: Bool, soloed: Bool)
    case noGroup(String)
    case groupGain(String, Double)
    case groupRate(String, Double)
    case fadeGain(String, to: Double, seconds: Double, curve: Int)
    case fadeRate(String, to: Double, seconds: Double, curve: Int)
    case mute(String, Bool)
    case solo(String, Bool)
    case preset(Int, [String: GroupSetting], timeToTarget: Double, timeToReset: Double)
    case activatePreset(Int, seconds: Double)
    case deactivatePreset(Int, seconds: Double)
    case ducker(String, Ducker)
    case duck(String, Bool)

    case event(UInt64, asset: String, placements: [String: Placement])
    case prepare(UInt64)
    case startEvent(UInt64, at: TimeRecord?)
    case pauseEvent(UInt64)
    case resumeEvent(UInt64, at: TimeRecord?)
    case seek(UInt64, to: Double, resumeAt: TimeRecord?)
    case stopEvent(UInt64)
    /// Of an event; of event 0: a global one.
    case number(UInt64, String, Double)
    case fadeNumber(UInt64, String, to: Double, seconds: Double)
    case text(UInt64, String, String)
    case push(UInt64, node: String, SoundRecord, at: TimeRecord?, options: UInt)
    /// What the handler of a pull stream gave out, from a frame of the stream on. It comes behind what it sounded with.
    case pulled(UInt64, node: String, SoundRecord, from: Int64)
    /// Of a mixer of an event; of event 0: of the engine's output.
    case inserts(UInt64, mixer: String, [Insert])
    /// On one that is inserted.
    case insertChange(Int, UnitChange)

    enum Kind: String, Codable { case object, source, listener, occluder, zone }

    struct Settings: Codable, Equatable {
        var reverbPreset: Int
        var usesGeometry: Bool
        var unitsPerSecond, unitsPerMeter: Double
        var maximumVoiceCount, maximumFullVoiceCount: Int?
        var medium: Medium?
    }

    struct Medium: Codable, Equatable {
        var temperature, humidity, pressure: Double
        var absorbs, delays: Bool
    }

    struct Quality: Codable {
        var rays, bounces, reflectionOrder, reflections, edges: Int
        var bendsReflections: Bool
        var lateError: Double
    }

    struct Material: Codable {
        var name: String
        var absorption, scattering, transmissionLoss: [Float]
        var thickness: Double
        /// Missing where it is not, as in recordings of before.
        var isLocallyReacting: Bool?
    }

    struct Mesh: Codable {
        var vertices: [Double]
        var triangles, elements: [Int32]
        var elementCount: Int
    }

    struct Zone: Codable {
        /// nil: computed.
        var preset: Int?
        var borderWidth, level: Double
        var priority: Int
    }

    struct GroupSetting: Codable {
        var gain, rate: Double
        var gainCurve, rateCurve: Int
    }

    struct Ducker: Codable {
        var sources, targets: [String]
        var gain, attack, release: Double
        var attackCurve, releaseCurve: Int
    }

    struct Head: Codable {
        /// A quaternion, the real part last.
        var rotation: [Double]
        var position: [Double]
    }

    struct Insert: Codable {
        var number: Int
        var kind: InsertKind
        var state: [UnitChange]
    }

    enum InsertKind: Codable {
        case equalizer(bands: Int)
        case distortion
        case unit(type: UInt32, subtype: UInt32, maker: UInt32)
    }

    struct Placement: Codable {
        var source: UInt64?
        var listener: UInt64
    }
}
