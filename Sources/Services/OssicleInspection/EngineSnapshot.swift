import Foundation

/// What an engine does at one moment. Plain values; the live view's page reads their JSON, but for what is many times
/// there (`FrameRows`), and `schema` is the version of both.
///
/// Levels are in dB; −200 stands for silence.
public struct EngineSnapshot: Codable, Hashable, Sendable {
    /// Changes with the meaning of any member.
    public static let schema = 2

    /// Whether an engine renders.
    public enum State: String, Codable, Hashable, Sendable {
        /// Not started, or stopped: its time stands.
        case stopped
        /// Started.
        case running
        /// Paused: its time stands, and goes on from there.
        case paused
    }

    /// `EngineSnapshot.schema`, for readers of the JSON.
    public var schema = EngineSnapshot.schema
    /// Whether it renders.
    public var state: State
    /// Seconds of engine time at the next frame.
    public var time: Double
    /// Where its sound goes.
    public var output: InspectedOutput
    /// Whether the machine keeps up.
    public var load: InspectedLoad
    /// Of a `PHASEEngine`, and of an `AVAudioEngine` that has an environment.
    public var scene: InspectedScene?
    /// Of an `AVAudioEngine`.
    public var graph: InspectedGraph?

    /// Of a scene or of a graph.
    public init(
        state: State, time: Double, output: InspectedOutput, load: InspectedLoad, scene: InspectedScene? = nil,
        graph: InspectedGraph? = nil
    ) {
        self.state = state
        self.time = time
        self.output = output
        self.load = load
        self.scene = scene
        self.graph = graph
    }
}

/// Where the sound goes, and how loud it is there.
public struct InspectedOutput: Codable, Hashable, Sendable {
    /// Hz.
    public var sampleRate = 0.0
    /// Of the output's format.
    public var channels = 0
    /// "headphones, HRTF KEMAR (built in)", "5 loudspeakers", "manual rendering" …
    public var form = ""
    /// Seconds from when the device takes a frame to the loudspeaker.
    public var latency = 0.0
    /// dB re full scale, mean over the channels since the last snapshot: of direct sound and of the reverb.
    public var direct: Double?
    /// As `direct`: of the reverb alone.
    public var reverb: Double?
    /// dB re full scale: the largest sample since the engine started, where it has a master.
    public var peak: Double?
    /// Frames since the last snapshot in which the limiter was at work, and frames silenced for not being numbers.
    public var limitedFrames: Int64 = 0
    /// As `limitedFrames`: those that were silenced.
    public var nonFiniteFrames: Int64 = 0

    /// All zero.
    public init() {}
}

/// Whether the machine keeps up.
public struct InspectedLoad: Codable, Hashable, Sendable {
    /// Share of a block's duration that rendering it took, since the last snapshot: in the mean, and at worst. Nil in
    /// manual rendering.
    public var mean: Double?
    /// As `mean`: of the block that took longest.
    public var worst: Double?
    /// Times that the device ran out of sound since it was started.
    public var dropouts = 0
    /// Seconds behind the device.
    public var lag = 0.0
    /// Whether rendering takes longer than the device plays, so that it leaves things out.
    public var isOverloaded = false
    /// How the device's thread is scheduled.
    public var scheduling = ""
    /// Whether a silent clock stands in for a device.
    public var isSilent = false

    /// Idle.
    public init() {}
}

/// The last frames of an output.
public struct InspectedSound: Codable, Hashable, Sendable {
    /// Engine frame behind the last of them.
    public var end: Int64
    /// Hz.
    public var sampleRate: Double
    /// Number of channels, each with as many frames.
    public var channels: Int
    /// Channel after channel.
    public var samples: PackedNumbers

    /// By default nothing.
    public init(end: Int64 = 0, sampleRate: Double = 0, channels: Int = 0, samples: PackedNumbers = PackedNumbers([])) {
        self.end = end
        self.sampleRate = sampleRate
        self.channels = channels
        self.samples = samples
    }
}

/// Many numbers in few bytes: in JSON a string, base64 of their 32-bit floats, the lowest byte first; or, where the
/// encoder has a `NumbersBeside` in its user info, the place of the first of them there and how many they are.
public struct PackedNumbers: Codable, Hashable, Sendable {
    /// In order.
    public var values: [Float]

    /// Of any count.
    public init(_ values: [Float]) { self.values = values }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let data = Data(base64Encoded: try container.decode(String.self)), data.count % 4 == 0 else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not base64 of 32-bit numbers")
        }
        values = stride(from: data.startIndex, to: data.endIndex, by: 4).map { place in
            Float(bitPattern: (0..<4).reduce(UInt32(0)) { $0 | UInt32(data[place + $1]) << UInt32(8 * $1) })
        }
    }

    public func encode(to encoder: any Encoder) throws {
        if let beside = encoder.userInfo[NumbersBeside.key] as? NumbersBeside {
            var container = encoder.unkeyedContainer()
            try container.encode(beside.values.count)
            try container.encode(values.count)
            beside.values += values
            return
        }
        var container = encoder.singleValueContainer()
        try container.encode(values[...].withLittleEndianBytes { Data($0) }.base64EncodedString())
    }
}

extension ArraySlice<Float> {
    /// As they travel: four bytes each, the lowest first.
    package func withLittleEndianBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        #if _endian(little)
        withUnsafeBytes(body)
        #else
        map(\.bitPattern.littleEndian).withUnsafeBytes(body)
        #endif
    }
}

/// Collects the numbers of all `PackedNumbers` of a message that has them behind its JSON: as text they cost more than
/// all the rest.
package final class NumbersBeside {
    package static let key = CodingUserInfoKey(rawValue: "NumbersBeside")!
    package fileprivate(set) var values: [Float] = []

    package init() {}
}

extension Double {
    /// With three digits behind the point, which JSON writes in few characters; what is no number is 0.
    package var brief: Double { isFinite && magnitude < 1e12 ? (self * 1000).rounded() / 1000 : 0 }

    /// A level in dB with two digits, not below −200.
    package var briefLevel: Double { isNaN ? -200 : (Swift.min(Swift.max(self, -200), 200) * 100).rounded() / 100 }
}

extension SIMD3<Double> {
    /// Each as `Double.brief`.
    package var brief: SIMD3<Double> { SIMD3(x.brief, y.brief, z.brief) }
}

extension EngineSnapshot {
    /// Of an engine that has gone.
    package static var ofNoEngine: EngineSnapshot {
        EngineSnapshot(state: .stopped, time: 0, output: InspectedOutput(), load: InspectedLoad())
    }
}
