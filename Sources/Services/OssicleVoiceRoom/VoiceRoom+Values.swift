import OssicleCore

extension VoiceRoom {
    /// Fixed for the life of a room.
    public struct Settings: Sendable, Equatable {
        /// Metres: width along x, height along y, depth along z. It sets how loud the reverberation is.
        public var size: (x: Double, y: Double, z: Double) {
            get { (width, height, depth) }
            set { (width, height, depth) = newValue }
        }
        private var (width, height, depth) = (8.0, 3.0, 6.0)
        /// Seconds; 0 for no reverberation.
        public var reverberationTime = 0.35
        /// Participants at most, 1 to 256.
        public var capacity = 64
        /// Bits a second of each mix, 16,000 to 510,000.
        public var bitRate = 64_000
        /// Of the mixes' encoders, 0 to 10: what they spend on quality.
        public var complexity = 5
        /// Seconds for which packets are held back at first.
        public var delay = 0.06
        /// Seconds: the least that `delay` becomes.
        public var leastDelay = 0.02
        /// Seconds: the most that `delay` becomes.
        public var greatestDelay = 0.4
        /// Of what is left to chance: the reverberation.
        public var seed: UInt64 = 1
        /// Threads that decode, mix and encode; nil for as many as there are cores.
        public var threads: Int?

        /// The values above.
        public init() {}
    }

    /// Where somebody is: metres, x to the right, y up, z to the back, and degrees to the left of −z, the way the head
    /// looks.
    public struct Seat: Sendable, Equatable {
        /// Metres to the right.
        public var x: Double
        /// Metres up, from the floor.
        public var y: Double
        /// Metres to the back.
        public var z: Double
        /// Degrees to the left of −z.
        public var yaw: Double

        /// By default at the height of a seated head, looking to −z.
        public init(x: Double, y: Double = 1.2, z: Double, yaw: Double = 0) {
            (self.x, self.y, self.z, self.yaw) = (x, y, z, yaw)
        }

        /// Seat `index` of `count` around a table, looking at its centre.
        public static func around(_ index: Int, of count: Int, radius: Double = 1.5) -> Seat {
            let turn = 2 * DeterministicMath.pi * Double(index) / Double(max(count, 1))
            let (sin, cos) = DeterministicMath.sincos(turn)
            return Seat(x: radius * sin, z: radius * cos, yaw: turn * 180 / DeterministicMath.pi)
        }

        var isUsable: Bool { [x, y, z].allSatisfy { $0.magnitude <= 1000 } && yaw.magnitude <= 1e6 }
        var position: Vector { Vector(x, y, z) }

        /// A position as the head sees it: right, up, back.
        func local(_ other: Vector) -> Vector {
            let way = other - position
            let (sin, cos) = DeterministicMath.sincos(yaw * DeterministicMath.pi / 180)
            return Vector(way.x * cos - way.z * sin, way.y, way.x * sin + way.z * cos)
        }
    }

    /// One in the room. Numbers are not used again.
    public struct Participant: Sendable, Hashable, Comparable {
        /// Counted from 1.
        public let number: Int

        public static func < (a: Participant, b: Participant) -> Bool { a.number < b.number }
    }

    /// 20 ms of one participant's mix.
    public struct Delivery: Sendable {
        /// Whose mix it is.
        public let participant: Participant
        /// Opus, two channels at 48 kHz.
        public let packet: [UInt8]
        /// Of its first frame at 48 kHz, as RTP counts.
        public let timestamp: UInt32
    }

    /// What became of a talker's packets.
    public struct PacketCounts: Sendable, Equatable {
        /// Taken.
        public internal(set) var received = 0
        /// Too late to be played.
        public internal(set) var late = 0
        /// Doubled, or beyond what is kept.
        public internal(set) var dropped = 0
        /// No Opus, or none that can be decoded.
        public internal(set) var damaged = 0
        /// Gaps that were filled.
        public internal(set) var concealed = 0
        /// Periods of pitch that were put in, where the delay grew.
        public internal(set) var stretched = 0
        /// Periods of pitch that were left out, where the delay shrank.
        public internal(set) var shortened = 0
    }

    /// What is known of a participant.
    public struct State: Sendable, Equatable {
        /// Who it is.
        public let participant: Participant
        /// Where the participant sits.
        public let seat: Seat
        /// Of the talker, dB re full scale over some 0.1 s; −100 for silence.
        public let level: Double
        /// Whether the level is above that of silence.
        public let isSpeaking: Bool
        /// Whether the others do not hear the participant.
        public let isMuted: Bool
        /// dB.
        public let gain: Double
        /// Seconds for which the talker's packets are held back.
        public let delay: Double
        /// What became of the talker's packets.
        public let packets: PacketCounts
    }
}

/// What a voice room refuses: the object, the value, the rule and the cure.
public struct VoiceRoomError: Error, Hashable, Sendable, CustomStringConvertible {
    public let description: String

    init(_ sentence: String) { description = sentence }
}
