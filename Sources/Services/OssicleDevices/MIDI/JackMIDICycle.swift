import CJack
import OssicleCore
import Synchronization

/// The process callback of a client with MIDI ports: messages in with the time of their frame, messages out at the
/// frame of their time. On the server's thread, in real time: it neither allocates nor locks.
final class JackMIDICycle: @unchecked Sendable {
    /// A message in, or up to 32 bytes of a long one.
    struct Arrival: BitwiseCopyable {
        var time: UInt64
        var slot: Int32
        var count: Int32
        var bytes: SIMD32<UInt8>
    }

    /// A message out, in memory of its own, which comes back by `sent`.
    struct Departure: BitwiseCopyable {
        var time: UInt64
        var slot: Int
        var bytes: UnsafeMutableBufferPointer<UInt8>
    }

    /// Most ports of ours.
    static let capacity = 128
    private static let most = 1024

    /// From the server's thread to the backend's.
    let arrivals = Ring<Arrival>(capacity: 4096)
    let sent = Ring<Departure>(capacity: 2 * JackMIDICycle.most)
    /// To the server's thread; its one writer holds the backend's lock.
    let departures = Ring<Departure>(capacity: JackMIDICycle.most)
    private let client: OpaquePointer
    private let sampleRate: Double
    private let wake: @Sendable () -> Void
    private let ports: UnsafeMutablePointer<OpaquePointer>
    private let isInput: UnsafeMutablePointer<Bool>
    private let portCount = Atomic(0)
    // In cycles only: messages that wait for their time, earliest first.
    private let waiting: UnsafeMutablePointer<Departure>
    private var waitingCount = 0
    private let lastFrame: UnsafeMutablePointer<UInt32>
    private var clock = JackClock()

    init(client: OpaquePointer, sampleRate: Double, wake: @escaping @Sendable () -> Void) {
        (self.client, self.sampleRate, self.wake) = (client, sampleRate, wake)
        ports = .allocate(capacity: JackMIDICycle.capacity)
        isInput = .allocate(capacity: JackMIDICycle.capacity)
        waiting = .allocate(capacity: JackMIDICycle.most)
        lastFrame = .allocate(capacity: JackMIDICycle.capacity)
    }

    /// The client is closed before.
    deinit {
        while let message = departures.pop() { message.bytes.deallocate() }
        while let message = sent.pop() { message.bytes.deallocate() }
        for index in 0..<waitingCount { waiting[index].bytes.deallocate() }
        arrivals.deallocate()
        sent.deallocate()
        departures.deallocate()
        ports.deallocate()
        isInput.deallocate()
        waiting.deallocate()
        lastFrame.deallocate()
    }

    /// Adds a port for good; its slot, nil where there are too many. On the backend's thread.
    func add(_ port: OpaquePointer, isInput: Bool) -> Int? {
        let slot = portCount.load(ordering: .relaxed)
        guard slot < JackMIDICycle.capacity else { return nil }
        ports[slot] = port
        self.isInput[slot] = isInput
        portCount.store(slot + 1, ordering: .releasing)
        return slot
    }

    func process(_ count: UInt32) { RealTimeWatch.run { carryOut(count) } }

    private func carryOut(_ count: UInt32) {
        let begin = clock.beginOfCycle(client)
        let slots = portCount.load(ordering: .acquiring)
        var hasNews = false
        for slot in 0..<slots {
            guard let buffer = jack_port_get_buffer(ports[slot], count) else { continue }
            lastFrame[slot] = 0
            if isInput[slot] {
                if receive(buffer, slot, begin) { hasNews = true }
            } else {
                jack_midi_clear_buffer(buffer)
            }
        }
        while waitingCount < JackMIDICycle.most, let message = departures.pop() { insert(message) }
        if sendDue(count, begin) { hasNews = true }
        if hasNews { wake() }
    }

    private func receive(_ buffer: UnsafeMutableRawPointer, _ slot: Int, _ begin: UInt64) -> Bool {
        let count = jack_midi_get_event_count(buffer)
        for index in 0..<count {
            var event = ossicle_jack_midi_event()
            guard jack_midi_event_get(&event, buffer, index) == 0, let bytes = event.bytes else { continue }
            let time = HostClock.time(begin, movedBy: Double(event.frame) / sampleRate)
            var done = 0
            while done < Int(event.size) {
                let piece = min(Int(event.size) - done, 32)
                var arrival = Arrival(time: time, slot: Int32(slot), count: Int32(piece), bytes: .zero)
                for place in 0..<piece { arrival.bytes[place] = bytes[done + place] }
                _ = arrivals.push(arrival)
                done += piece
            }
        }
        return count > 0
    }

    /// Behind those of the same time or an earlier one.
    private func insert(_ message: Departure) {
        var place = waitingCount
        while place > 0, waiting[place - 1].time > message.time {
            waiting[place] = waiting[place - 1]
            place -= 1
        }
        waiting[place] = message
        waitingCount += 1
    }

    /// Writes what falls into this cycle. A message the port's buffer has no room for is dropped with it.
    private func sendDue(_ count: UInt32, _ begin: UInt64) -> Bool {
        var done = 0
        while done < waitingCount {
            let message = waiting[done]
            let late = message.time > begin ? Double(message.time - begin) * sampleRate / 1e9 : 0
            guard late.rounded() < Double(count) else { break }
            let frame = max(UInt32(late.rounded()), lastFrame[message.slot])
            if let buffer = jack_port_get_buffer(ports[message.slot], count),
                let place = jack_midi_event_reserve(buffer, frame, UInt(message.bytes.count))
            {
                for index in 0..<message.bytes.count { place[index] = message.bytes[index] }
                lastFrame[message.slot] = frame
            }
            _ = sent.push(message)
            done += 1
        }
        guard done > 0 else { return false }
        for index in done..<waitingCount { waiting[index - done] = waiting[index] }
        waitingCount -= done
        return true
    }
}
