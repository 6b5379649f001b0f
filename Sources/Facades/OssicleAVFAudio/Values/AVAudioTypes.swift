// Scalars and small structures used everywhere in AVFAudio.

import OssicleCoreAudioTypes

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
public func AVAudioMake3DPoint(_ x: Float, _ y: Float, _ z: Float) -> AVAudio3DPoint { AVAudio3DPoint(x: x, y: y, z: z) }

/// The vector (x, y, z).
public func AVAudioMake3DVector(_ x: Float, _ y: Float, _ z: Float) -> AVAudio3DVector { AVAudio3DVector(x: x, y: y, z: z) }

/// The orientation of `forward` and `up`.
public func AVAudioMake3DVectorOrientation(_ forward: AVAudio3DVector, _ up: AVAudio3DVector) -> AVAudio3DVectorOrientation {
    AVAudio3DVectorOrientation(forward: forward, up: up)
}

/// The orientation of three angles in degrees.
public func AVAudioMake3DAngularOrientation(_ yaw: Float, _ pitch: Float, _ roll: Float) -> AVAudio3DAngularOrientation {
    AVAudio3DAngularOrientation(yaw: yaw, pitch: pitch, roll: roll)
}
