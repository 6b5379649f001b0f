import OssicleCodecs
import OssicleCore

/// Turns the packets of one talker, which come late, doubled, in any order or not at all, into a steady sound of 48
/// kHz.
///
/// Each packet is played `ArrivalTimes.target` behind the moment at which it would have come through an empty network.
/// What is missing then is taken from the packet behind it, where that carries it, or concealed. Where the target
/// changes, sound is made shorter or longer by periods of its pitch. Nothing grows with time. One thread at a time.
struct JitterBuffer: ~Copyable {
    /// Packets that wait at most, and bytes of one.
    private static let (mostPackets, mostBytes) = (100, 1500)
    /// Frames by which a timestamp may be away from what is played, before it counts as another stream's: 5 s.
    private static let farthest: Int64 = 240_000
    /// Frames that are concealed before the talker counts as gone: 0.2 s.
    private static let patience = 9600
    private static let rate = 48_000.0

    private struct Packet {
        let timestamp: Int64
        let frames: Int
        let payload: [UInt8]
    }

    private let decoder: OpusVoiceDecoder
    private let limits: ClosedRange<Double>
    private let memory: SampleMemory
    /// Decoded frames that are not played yet, at the beginning of `memory`.
    private var ready = 0
    private var waiting: [Packet] = []
    private var times: ArrivalTimes
    /// The timestamp of what is decoded next; nil in silence.
    private var next: Int64?
    private var lastTimestamp: Int64?
    private var packetFrames = OpusVoiceEncoder.framesPerPacket
    private var concealed = 0
    private(set) var counts = VoiceRoom.PacketCounts()

    init(limits: ClosedRange<Double>, initial: Double) throws(CodecError) {
        decoder = try OpusVoiceDecoder()
        self.limits = limits
        times = ArrivalTimes(limits: limits, initial: initial)
        memory = SampleMemory(count: 2 * OpusVoiceDecoder.mostFrames + 4 * PeriodChange.longest)
    }

    /// Seconds for which packets are held back.
    var target: Double { times.target }

    /// - Parameters:
    ///   - timestamp: of the packet's first frame at 48 kHz, as RTP counts. - now: seconds of a steady clock.
    mutating func add(_ payload: [UInt8], timestamp short: UInt32, at now: Double) {
        let frames = OpusHeader.frames(of: payload)
        guard frames > 0, payload.count <= Self.mostBytes else {
            counts.damaged += 1
            return
        }
        let timestamp = extended(short)
        if let last = lastTimestamp, (timestamp - last).magnitude > Self.farthest.magnitude { restart() }
        lastTimestamp = max(lastTimestamp ?? timestamp, timestamp)
        counts.received += 1
        packetFrames = frames
        times.add(
            timestamp: Double(timestamp) / Self.rate, arrival: now, duration: Double(frames) / Self.rate)
        if let next, timestamp < next {
            counts.late += 1
            return
        }
        let place = waiting.firstIndex { $0.timestamp >= timestamp } ?? waiting.count
        guard place == waiting.count || waiting[place].timestamp != timestamp, waiting.count < Self.mostPackets else {
            counts.dropped += 1
            return
        }
        waiting.insert(Packet(timestamp: timestamp, frames: frames, payload: payload), at: place)
    }

    /// The timestamp without its wrap every 24 hours: the nearest to the last one.
    private func extended(_ short: UInt32) -> Int64 {
        guard let last = lastTimestamp else { return Int64(short) }
        return last + Int64(Int32(bitPattern: short &- UInt32(truncatingIfNeeded: last)))
    }

    /// Another stream begins.
    private mutating func restart() {
        waiting.removeAll(keepingCapacity: true)
        (next, lastTimestamp, ready) = (nil, nil, 0)
        times = ArrivalTimes(limits: limits, initial: times.target)
        decoder.reset()
    }

    /// The next `count` frames, at most 960.
    /// - Returns: whether there is anything but silence.
    mutating func read(into output: UnsafeMutablePointer<Float>, _ count: Int, at now: Double) -> Bool {
        // What an unhurried packet that is to sound now has as its timestamp.
        let due = Int64(((now - times.base - times.target) * Self.rate).rounded())
        if next == nil {
            guard let first = waiting.first, first.timestamp <= due else {
                output.update(repeating: 0, count: count)
                return false
            }
            (next, concealed) = (first.timestamp, 0)
        }
        while ready < count, next != nil { decodeNext(due) }
        adjust(due, count)
        let played = min(ready, count)
        output.update(from: memory.pointer, count: played)
        (output + played).update(repeating: 0, count: count - played)
        memory.pointer.update(from: memory.pointer + played, count: ready - played)
        ready -= played
        return played > 0
    }

    private mutating func decodeNext(_ due: Int64) {
        guard let expected = next else { return }
        let output = memory.pointer + ready
        if let packet = waiting.first, packet.timestamp <= expected {
            waiting.removeFirst()
            guard packet.timestamp == expected else {
                counts.late += 1
                return
            }
            guard let frames = decoder.decode(packet.payload, into: output) else {
                counts.damaged += 1
                return
            }
            (next, concealed) = (expected + Int64(frames), 0)
            ready += frames
            return
        }
        let gap = waiting.first.map { Int($0.timestamp - expected) }
        if concealed >= Self.patience {
            // The sender has paused: what comes then begins anew.
            next = nil
            return
        }
        let frames = min(gap ?? packetFrames, packetFrames) / 120 * 120
        guard frames > 0 else { return next = waiting.first?.timestamp }
        // The packet behind a single one that is missing may carry it.
        let behind = gap == frames ? waiting.first?.payload : nil
        let made = decoder.conceal(frames, before: behind, into: output) ?? 0
        if made < frames { (output + made).update(repeating: 0, count: frames - made) }
        fade(output, frames)
        (concealed, ready) = (concealed + frames, ready + frames)
        counts.concealed += 1
        // Where nothing has come at all and it is early, there is time to wait for it.
        if gap != nil || expected - Int64(ready) <= due { next = expected + Int64(frames) }
    }

    /// Down to silence from 60 ms to the end of patience.
    private func fade(_ samples: UnsafeMutablePointer<Float>, _ frames: Int) {
        guard concealed + frames > 2880 else { return }
        for i in 0..<frames {
            let past = Float(max(concealed + i - 2880, 0)) / Float(Self.patience - 2880)
            samples[i] *= max(1 - past, 0)
        }
    }

    /// Moves what is played towards what is due, 15 ms a packet at most.
    private mutating func adjust(_ due: Int64, _ count: Int) {
        guard let next, concealed == 0 else { return }
        let early = next - Int64(ready) - due
        // A change of less than a packet is not worth its distortion.
        guard early.magnitude > 960 else { return }
        let needed = 2 * PeriodChange.longest + (early < 0 ? count : 0)
        while ready < needed, let packet = waiting.first, packet.timestamp == self.next { decodeNext(due) }
        guard ready >= needed else { return }
        if early > 0 {
            ready = PeriodChange.lengthen(memory.pointer, ready)
            counts.stretched += 1
        } else {
            ready = PeriodChange.shorten(memory.pointer, ready)
            counts.shortened += 1
        }
    }
}
