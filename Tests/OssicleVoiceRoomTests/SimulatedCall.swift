import OssicleCodecs
import OssicleCore
import OssicleVoice

@testable import OssicleVoiceRoom

/// Talkers that speak into a room over a network which loses, delays and reorders packets, in simulated time.
struct SimulatedCall {
    let room: VoiceRoom
    private(set) var people: [VoiceRoom.Participant] = []
    private let encoders: [OpusVoiceEncoder]
    private let speech: [[Float]]
    private let loss: Double
    /// Packets come up to twice that late, s.
    private let jitter: Double
    private let random: CounterRandom
    private var onTheWay: [(arrival: Double, talker: Int, timestamp: UInt32, packet: [UInt8])] = []
    private(set) var tick = 0
    /// Packets that were lost on the way.
    private(set) var lost = 0

    /// - Parameter talkers: of the people those who speak; the others listen.
    init(
        people count: Int, talkers: Int? = nil, settings: VoiceRoom.Settings = VoiceRoom.Settings(), loss: Double = 0,
        jitter: Double = 0, seconds: Double = 10, seed: UInt64 = 1
    ) throws {
        room = try VoiceRoom(settings)
        (self.loss, self.jitter) = (loss, jitter)
        random = CounterRandom(seed: seed, object: CounterRandom.number(of: "network"))
        for index in 0..<count { people.append(try room.join(at: .around(index, of: count))) }
        encoders = try (0..<(talkers ?? count)).map { _ in
            try OpusVoiceEncoder(channelCount: 1, bitRate: 32_000, complexity: 5, loss: loss)
        }
        // A shorter piece is said again and again.
        speech = (0..<(talkers ?? count)).map {
            SpeechLikeSignal.make(
                sampleRate: 48_000, frames: Int(min(seconds, 10) * 48_000), level: 0.1, seed: seed &+ UInt64($0))
        }
    }

    /// 20 ms: what is said goes onto the way, what has come in is received, and everybody gets a mix.
    mutating func step() throws -> [VoiceRoom.Delivery] {
        try send()
        return try mix()
    }

    mutating func send() throws {
        let now = Double(tick) * VoiceRoom.interval
        for (talker, encoder) in encoders.enumerated() {
            let start = tick * 960 % speech[talker].count
            let packet = speech[talker].withUnsafeBufferPointer { speech in
                speech.baseAddress.map { encoder.encode($0 + start) } ?? []
            }
            let number = UInt64(tick * encoders.count + talker)
            if random.unit(2 * number) < loss {
                lost += 1
                continue
            }
            let delay = 0.02 + 2 * jitter * random.unit(2 * number + 1)
            // Timestamps begin shortly before they wrap.
            onTheWay.append((now + delay, talker, UInt32.max - 48_000 &+ UInt32(tick * 960), packet))
        }
    }

    mutating func mix() throws -> [VoiceRoom.Delivery] {
        let now = Double(tick) * VoiceRoom.interval
        for packet in onTheWay where packet.arrival <= now {
            try room.receive(
                packet.packet, timestamp: packet.timestamp, from: people[packet.talker], at: packet.arrival)
        }
        onTheWay.removeAll { $0.arrival <= now }
        tick += 1
        return room.advance(to: now)
    }
}
