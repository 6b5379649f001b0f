// Scalars and small structures used everywhere in AVFAudio.

import OssicleCoreAudioTypes
import OssicleNodes

/// A position or length in sample frames.
public typealias AVAudioFramePosition = Int64
/// A number of sample frames.
public typealias AVAudioFrameCount = UInt32
/// A number of packets.
public typealias AVAudioPacketCount = UInt32
/// A number of channels.
public typealias AVAudioChannelCount = UInt32
/// Index of a bus, beginning with 0.
public typealias AVAudioNodeBus = Int
/// Called when a node is done with something.
public typealias AVAudioNodeCompletionHandler = @Sendable () -> Void
/// A position in beats; at 120 beats per minute a beat is half a second.
public typealias AVMusicTimeStamp = Double

/// A point in metres: right-handed, +y up, the listener looks along -z.
public struct AVAudio3DPoint: Equatable, Hashable, Sendable {
    /// To the right.
    public var x: Float
    /// Up.
    public var y: Float
    /// Backward.
    public var z: Float

    /// The origin.
    public init() { self.init(x: 0, y: 0, z: 0) }

    /// The point (x, y, z).
    public init(x: Float, y: Float, z: Float) {
        self.x = x
        self.y = y
        self.z = z
    }
}

/// A direction in the space of `AVAudio3DPoint`.
public typealias AVAudio3DVector = AVAudio3DPoint

/// An orientation given by two orthogonal directions.
public struct AVAudio3DVectorOrientation: Equatable, Hashable, Sendable {
    /// Where the front points.
    public var forward: AVAudio3DVector
    /// Where the top points.
    public var up: AVAudio3DVector

    /// Two zero vectors.
    public init() { self.init(forward: AVAudio3DVector(), up: AVAudio3DVector()) }

    /// The orientation of `forward` and `up`.
    public init(forward: AVAudio3DVector, up: AVAudio3DVector) {
        self.forward = forward
        self.up = up
    }
}

/// An orientation given by three angles in degrees, each -180...180.
public struct AVAudio3DAngularOrientation: Equatable, Hashable, Sendable {
    /// Turn to the right.
    public var yaw: Float
    /// Nose up.
    public var pitch: Float
    /// Tilt to the right.
    public var roll: Float

    /// Straight ahead.
    public init() { self.init(yaw: 0, pitch: 0, roll: 0) }

    /// The orientation of the three angles.
    public init(yaw: Float, pitch: Float, roll: Float) {
        self.yaw = yaw
        self.pitch = pitch
        self.roll = roll
    }
}

/// The point (x, y, z).
public func AVAudioMake3DPoint(_ x: Float, _ y: Float, _ z: Float) -> AVAudio3DPoint {
    AVAudio3DPoint(x: x, y: y, z: z)
}

/// The vector (x, y, z).
public func AVAudioMake3DVector(_ x: Float, _ y: Float, _ z: Float) -> AVAudio3DVector {
    AVAudio3DVector(x: x, y: y, z: z)
}

/// The orientation of `forward` and `up`.
public func AVAudioMake3DVectorOrientation(
    _ forward: AVAudio3DVector, _ up: AVAudio3DVector
) -> AVAudio3DVectorOrientation {
    AVAudio3DVectorOrientation(forward: forward, up: up)
}

/// The orientation of three angles in degrees.
public func AVAudioMake3DAngularOrientation(_ yaw: Float, _ pitch: Float, _ roll: Float) -> AVAudio3DAngularOrientation
{
    AVAudio3DAngularOrientation(yaw: yaw, pitch: pitch, roll: roll)
}

// MARK: The engine's values

extension SIMD3<Float> {
    init(_ point: AVAudio3DPoint) { self.init(point.x, point.y, point.z) }
}

extension AVAudio3DPoint {
    init(_ vector: SIMD3<Float>) { self.init(x: vector.x, y: vector.y, z: vector.z) }

    var isFinite: Bool { x.isFinite && y.isFinite && z.isFinite }
}

extension ListenerOrientation.Vectors {
    init(_ vectors: AVAudio3DVectorOrientation) { self.init(forward: SIMD3(vectors.forward), up: SIMD3(vectors.up)) }
}

extension AVAudio3DVectorOrientation {
    init(_ vectors: ListenerOrientation.Vectors) {
        self.init(forward: AVAudio3DVector(vectors.forward), up: AVAudio3DVector(vectors.up))
    }
}

extension ListenerOrientation.Angles {
    init(_ angles: AVAudio3DAngularOrientation) { self.init(yaw: angles.yaw, pitch: angles.pitch, roll: angles.roll) }
}

extension AVAudio3DAngularOrientation {
    init(_ angles: ListenerOrientation.Angles) { self.init(yaw: angles.yaw, pitch: angles.pitch, roll: angles.roll) }
}

/// A common form of linear PCM, in the machine's byte order.
public enum AVAudioCommonFormat: UInt, Sendable {
    /// None of the others.
    case otherFormat = 0
    /// 32-bit floating point.
    case pcmFormatFloat32 = 1
    /// 64-bit floating point.
    case pcmFormatFloat64 = 2
    /// 16-bit signed integers.
    case pcmFormatInt16 = 3
    /// 32-bit signed integers.
    case pcmFormatInt32 = 4

    /// Bytes of a sample; 0 for `otherFormat`.
    var sampleSize: UInt32 {
        switch self {
        case .otherFormat: 0
        case .pcmFormatInt16: 2
        case .pcmFormatFloat32, .pcmFormatInt32: 4
        case .pcmFormatFloat64: 8
        }
    }

    var isFloat: Bool { self == .pcmFormatFloat32 || self == .pcmFormatFloat64 }

    /// The stream description of this form.
    func description(sampleRate: Double, channels: UInt32, interleaved: Bool) -> AudioStreamBasicDescription {
        let kind = isFloat ? kAudioFormatFlagIsFloat : kAudioFormatFlagIsSignedInteger
        let flags =
            kind | kAudioFormatFlagIsPacked | kAudioFormatFlagsNativeEndian
            | (interleaved ? 0 : kAudioFormatFlagIsNonInterleaved)
        let frame = sampleSize * (interleaved ? min(channels, 65_535) : 1)
        return AudioStreamBasicDescription(
            mSampleRate: sampleRate, mFormatID: kAudioFormatLinearPCM, mFormatFlags: flags, mBytesPerPacket: frame,
            mFramesPerPacket: 1,
            mBytesPerFrame: frame, mChannelsPerFrame: channels, mBitsPerChannel: sampleSize * 8, mReserved: 0)
    }
}
