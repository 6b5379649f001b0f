import OssicleNodes
import OssiclePlayback
import OssicleRecording

/// What a client did to an AVAudioEngine, as it stands in a recording: values, and nodes by numbers that they get when
/// they are attached.
enum EngineCommand: Codable, Sendable {
    /// Also of an engine at a device: the form of its output.
    case manual(FormatRecord, maximum: UInt32)
    case notManual
    case start
    case pause
    case stop
    /// Time begins anew.
    case reset

    case implicit(Int, Implicit)
    case attach(Int, Kind)
    case detach(Int)
    case connect(Int, bus: Int, to: [Input], FormatRecord?)
    case disconnect([Input])
    case resetNode(Int)

    case mixing(Int, SourceMixing, [Destination])
    case volume(Int, Float)
    case crossPoint(Int, Float?, bus: Int, input: Int, output: Int)
    case environment(Int, Environment)

    case preset(Int, Int)
    case response(Int, ImpulseResponse.Record?)
    case parameters(Int, [Parameter])
    case bypass(Int, Bool)

    /// What a stand-in gave out, from a frame of its own on. It comes behind what it sounded with.
    case captured(Int, SoundRecord, from: Int64)

    case play(Int, at: TimeRecord?)
    case pausePlayer(Int)
    case stopPlayer(Int)
    case buffer(Int, SoundRecord, at: TimeRecord?, options: UInt)
    case segment(Int, data: String, name: String, from: Int64, count: Int64, at: TimeRecord?)

    enum Implicit: String, Codable { case output, input, mainMixer }

    enum Kind: Codable {
        case player
        case mixer
        case environment
        case equalizer(bands: Int)
        case distortion
        case unit(type: UInt32, subtype: UInt32, isTimeEffect: Bool)
        /// What cannot be made again; its sound is captured.
        case standIn
    }

    struct Input: Codable {
        var node, bus: Int
    }

    struct Destination: Codable {
        var node, bus: Int
        var mixing: SourceMixing
    }

    struct Parameter: Codable {
        var address: UInt64
        var value: Float
    }

    struct Environment: Codable {
        var outputType: Int
        var volume: Float
        var position: SIMD3<Float>
        /// Forward and up, or yaw, pitch and roll, as they were set last.
        var vectors: [SIMD3<Float>]?
        var angles: SIMD3<Float>?
        var distanceModel: Int
        var reference, maximum, rolloff: Float
        var reverbIsEnabled: Bool
        var reverbPreset: Int
        var reverbLevel: Float
        var filter: Int
        var filterFrequency, filterBandwidth, filterGain: Float
        var filterIsBypassed: Bool
    }
}
