import OssicleAcoustics
import OssicleCodecs
import OssicleCore
import OssicleDSP
import Synchronization

/// A room in which everybody hears everybody else from where they sit: Opus packets of talkers in, Opus packets of a
/// binaural mix for each listener out, an addition of Ossicle.
///
///     let room = try VoiceRoom()
///     let anna = try room.join(at: .around(0, of: 2)), bert = try room.join(at: .around(1, of: 2))
///     try room.receive(packet, timestamp: timestamp, from: anna, at: seconds)     // as they come in, of any transport
///     for delivery in room.advance(to: seconds) { send(delivery.packet, to: delivery.participant) }     // every 20 ms
///
/// The transport and the clock are the caller's: `advance` is called once for every 20 ms, with the same steady clock
/// as `receive`. Without a clock, with times that are computed, everything is as fast as it can be, and the same calls
/// give the same bytes with the same libopus on the same processor, at any number of threads. No one's own voice is in
/// the mix that they get.
///
/// Talkers send one channel (two are mixed down by the decoder) at any rate that Opus has, in packets of 2.5 to 120 ms.
/// What is lost is concealed, or taken from the next packet where that carries it. Any thread; calls wait for one
/// another.
public final class VoiceRoom: Sendable {
    /// As the room was made.
    public let settings: Settings
    private let pool: WorkerPool
    private let head: HRTFFilters
    private let lateFilters: LateFilters?
    private let guarded = Mutex(Guarded())

    /// Seconds from one call of `advance` to the next.
    public static let interval = 0.02

    /// `@unchecked`: the mutex guards it.
    private struct Guarded: @unchecked Sendable {
        /// In the order of their numbers.
        var members: [Member] = []
        var lastNumber = 0
        var timestamp: UInt32 = 0
    }

    private struct Member: @unchecked Sendable {
        let id: Participant
        var seat: Seat
        var isMuted = false
        var gain = 0.0
        let talker: Talker
        let listener: RoomListener
    }

    /// - Throws: `VoiceRoomError` where a setting is out of its range, or libopus is missing.
    public init(_ settings: Settings = Settings()) throws(VoiceRoomError) {
        try Self.check(settings)
        self.settings = settings
        pool = WorkerPool(workers: settings.threads)
        do {
            // Says what to install before anyone comes.
            _ = try OpusVoiceDecoder()
            head = try HRTFFilters.shared(sampleRate: RoomBlock.sampleRate)
        } catch {
            throw VoiceRoomError("\(error)")
        }
        var design = EarFilterDesign(head: head.table)
        lateFilters = settings.reverberationTime > 0 ? LateFilters(&design) : nil
    }

    private static func check(_ settings: Settings) throws(VoiceRoomError) {
        let size = settings.size
        let ranges: [(String, Double, ClosedRange<Double>, String)] = [
            ("width", size.x, 1...100, "m"), ("height", size.y, 1...100, "m"), ("depth", size.z, 1...100, "m"),
            ("reverberation time", settings.reverberationTime, 0...10, "s"),
            ("capacity", Double(settings.capacity), 1...256, "participants"),
            ("bit rate", Double(settings.bitRate), 16_000...510_000, "bit/s"),
            ("complexity", Double(settings.complexity), 0...10, ""),
            ("least delay", settings.leastDelay, 0...2, "s"),
            ("greatest delay", settings.greatestDelay, settings.leastDelay...2, "s"),
            ("delay", settings.delay, settings.leastDelay...max(settings.leastDelay, settings.greatestDelay), "s"),
        ]
        for (name, value, range, unit) in ranges where !range.contains(value) {
            throw VoiceRoomError(
                "The voice room's \(name) is \(value) \(unit): it lies between \(range.lowerBound) and \(range.upperBound); give a number in that range."
            )
        }
    }

    // MARK: Who is there

    /// Somebody comes in, and hears and is heard from the next `advance` on.
    /// - Throws: `VoiceRoomError` where the room is full, a seat is no place (up to 1000 m), or libopus gives no
    ///   memory.
    public func join(at seat: Seat) throws(VoiceRoomError) -> Participant {
        try Self.check(seat)
        do {
            let limits = settings.leastDelay...settings.greatestDelay
            let talker = try Talker(limits: limits, initial: settings.delay)
            let listener = try RoomListener(settings, head: head.table, lateFilters: lateFilters)
            nonisolated(unsafe) let made = (talker, listener)
            let id = guarded.withLock { state -> Participant? in
                guard state.members.count < settings.capacity else { return nil }
                state.lastNumber += 1
                let id = Participant(number: state.lastNumber)
                state.members.append(Member(id: id, seat: seat, talker: made.0, listener: made.1))
                return id
            }
            if let id { return id }
        } catch {
            throw VoiceRoomError("\(error)")
        }
        throw VoiceRoomError(
            "The voice room has \(settings.capacity) participants: that is its capacity; let one leave, or give the settings a larger one."
        )
    }

    private static func check(_ seat: Seat) throws(VoiceRoomError) {
        guard !seat.isUsable else { return }
        throw VoiceRoomError(
            "The seat at \(seat.x), \(seat.y), \(seat.z) m with a yaw of \(seat.yaw)° is no place: positions lie within 1000 m; give finite numbers."
        )
    }

    /// Somebody leaves. One who is not there has left already.
    public func leave(_ participant: Participant) {
        guarded.withLock { state in
            state.members.removeAll { $0.id == participant }
            for member in state.members { member.listener.forget(participant) }
        }
    }

    /// Somebody is elsewhere, or looks elsewhere, from the next `advance` on; the sound follows within 10 ms.
    /// - Throws: `VoiceRoomError` where a seat is no place, or there is no participant with this number.
    public func move(_ participant: Participant, to seat: Seat) throws(VoiceRoomError) {
        try Self.check(seat)
        try change(participant) { $0.seat = seat }
    }

    /// What the others hear of a talker, dB; held within −60 … 20.
    public func setGain(_ gain: Double, of participant: Participant) throws(VoiceRoomError) {
        try change(participant) { $0.gain = gain.isNaN ? 0 : min(max(gain, -60), 20) }
    }

    /// Whether the others hear nothing of a talker.
    public func setMuted(_ isMuted: Bool, _ participant: Participant) throws(VoiceRoomError) {
        try change(participant) { $0.isMuted = isMuted }
    }

    private func change(_ participant: Participant, _ body: (inout Member) -> Void) throws(VoiceRoomError) {
        let isThere = guarded.withLock { state in
            guard let place = state.members.firstIndex(where: { $0.id == participant }) else { return false }
            body(&state.members[place])
            let member = state.members[place]
            member.talker.gain = member.isMuted ? 0 : Float(Decibels.amplitude(member.gain))
            return true
        }
        guard isThere else { throw Self.notInRoom(participant) }
    }

    private static func notInRoom(_ participant: Participant) -> VoiceRoomError {
        VoiceRoomError(
            "Participant \(participant.number) is not in the voice room: it has left or comes from another room; let it join."
        )
    }

    /// Everybody, in the order in which they came.
    public var participants: [State] {
        guarded.withLock { state in
            state.members.map { member in
                State(
                    participant: member.id, seat: member.seat, level: member.talker.level,
                    isSpeaking: member.talker.isSpeaking && !member.isMuted, isMuted: member.isMuted,
                    gain: member.gain, delay: member.talker.delay, packets: member.talker.counts)
            }
        }
    }

    // MARK: Sound

    /// Takes a packet of a talker. One that is broken, late, or there already is counted and otherwise left out.
    /// - Parameters:
    ///   - packet: Opus, up to 1500 bytes.
    ///   - timestamp: of its first frame at 48 kHz, as RTP counts: it wraps.
    ///   - participant: the talker.
    ///   - seconds: when it came in, of the clock of `advance`.
    /// - Throws: `VoiceRoomError` where there is no participant with this number.
    public func receive(
        _ packet: [UInt8], timestamp: UInt32, from participant: Participant, at seconds: Double
    ) throws(VoiceRoomError) {
        let isThere = guarded.withLock { state in
            guard let member = state.members.first(where: { $0.id == participant }) else { return false }
            member.talker.add(packet, timestamp: timestamp, at: seconds.isFinite ? seconds : 0)
            return true
        }
        guard isThere else { throw Self.notInRoom(participant) }
    }

    /// Mixes the next 20 ms for everybody.
    /// - Parameter seconds: of the caller's clock; from call to call 20 ms more.
    /// - Returns: a packet for each participant, in the order in which they came.
    public func advance(to seconds: Double) -> [Delivery] {
        guarded.withLock { state in
            let members = state.members, timestamp = state.timestamp
            state.timestamp &+= UInt32(RoomBlock.packetFrames)
            let now = seconds.isFinite ? seconds : 0
            _ = pool.map(count: members.count) { members[$0].talker.advance(at: now) }
            let packets = pool.map(count: members.count) { index in
                let others = members.indices.filter { $0 != index }.map {
                    (id: members[$0].id, talker: members[$0].talker, seat: members[$0].seat)
                }
                return members[index].listener.packet(others, at: members[index].seat)
            }
            return zip(members, packets).map { Delivery(participant: $0.id, packet: $1, timestamp: timestamp) }
        }
    }

    /// The samples of a participant's last mix before they were encoded, left and right: for tests.
    package func lastMix(of participant: Participant) -> (left: [Float], right: [Float])? {
        guarded.withLock { state in
            state.members.first { $0.id == participant }.map { member in
                let count = RoomBlock.packetFrames
                return (
                    Array(UnsafeBufferPointer(start: member.listener.lastMix, count: count)),
                    Array(UnsafeBufferPointer(start: member.listener.lastMix + count, count: count))
                )
            }
        }
    }
}
