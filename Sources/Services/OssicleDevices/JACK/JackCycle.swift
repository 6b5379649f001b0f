import CJack
import Foundation
import Synchronization

/// The process callback of one client: calls the program's with the ports' own memory, in pieces no longer than a
/// quantum. On the server's thread, in real time.
final class JackCycle: @unchecked Sendable {
    private let client: OpaquePointer
    private let callback: BlockCallback
    private let format: DeviceFormat
    private let meters: DeviceMeters
    private let ports: UnsafeMutablePointer<OpaquePointer>
    private let channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    private let isRunning = Atomic(false)
    /// Frames between a cycle's begin and the loudspeaker, or the microphone and a cycle's begin, as the server states.
    private let portLatency = Atomic(0)
    /// In cycles only.
    private var clock = JackClock()
    /// Identity of the thread inside the program's callback; 0 while none is.
    private let thread = Atomic<UInt>(0)

    init(
        _ client: JackClient, ports: [OpaquePointer], format: DeviceFormat, meters: DeviceMeters,
        callback: BlockCallback
    ) {
        (self.client, self.callback, self.format, self.meters) = (client.handle, callback, format, meters)
        self.ports = .allocate(capacity: ports.count)
        self.ports.initialize(from: ports, count: ports.count)
        channels = .allocate(capacity: ports.count)
    }

    /// The client is closed before.
    deinit {
        ports.deallocate()
        channels.deallocate()
    }

    func begin() { isRunning.store(true, ordering: .releasing) }
    /// The callback under way is the last.
    func end() { isRunning.store(false, ordering: .releasing) }
    /// Whether the caller is inside the program's callback.
    var isOnThread: Bool { thread.load(ordering: .relaxed) == JackCycle.currentThread }

    func process(_ count: Int) { RealTimeWatch.run { carryOutCycle(count) } }

    private func carryOutCycle(_ count: Int) {
        guard findMemory(count) else { return }
        let isWorking = isRunning.load(ordering: .acquiring)
        if case .play = callback { silence(count) }
        guard isWorking else { return }
        thread.store(JackCycle.currentThread, ordering: .relaxed)
        let begin = time(inCycleOf: count)
        var done = 0
        while done < count {
            let piece = min(format.quantum, count - done)
            carryOut(piece, hostTime: HostClock.time(begin, movedBy: Double(done) / format.sampleRate))
            for channel in 0..<format.channelCount { channels[channel] += piece }
            done += piece
        }
        thread.store(0, ordering: .relaxed)
    }

    private func carryOut(_ count: Int, hostTime: UInt64) {
        let channelCount = format.channelCount
        switch callback {
        case .play(let render):
            render(
                OutputBlock(channels: channels, channelCount: channelCount, frameCount: count, hostTime: hostTime))
        case .record(let receive):
            receive(
                InputBlock(channels: channels, channelCount: channelCount, frameCount: count, hostTime: hostTime))
        }
    }

    /// - Parameters: frames: of the ports. - cycle: frames of one.
    func note(portLatency frames: Int, cycle: Int) {
        portLatency.store(frames, ordering: .relaxed)
        let latency =
            switch callback {
            case .play: frames - untilTaken(cycle)
            case .record: frames
            }
        meters.set(latency: Double(latency) / format.sampleRate)
    }

    /// Frames from a cycle's begin until the device takes what the cycle plays: with the next cycle, or at once where
    /// the server states less than one until it is heard.
    private func untilTaken(_ cycle: Int) -> Int { min(portLatency.load(ordering: .relaxed), cycle) }

    /// Host time of the first frame of a cycle of so many: when the device takes it, or when it was at the microphone.
    private func time(inCycleOf count: Int) -> UInt64 {
        let frames =
            switch callback {
            case .play: untilTaken(count)
            case .record: -portLatency.load(ordering: .relaxed)
            }
        return HostClock.time(clock.beginOfCycle(client), movedBy: Double(frames) / format.sampleRate)
    }

    /// Where the ports' frames of this cycle are.
    private func findMemory(_ count: Int) -> Bool {
        for channel in 0..<format.channelCount {
            guard let memory = jack_port_get_buffer(ports[channel], UInt32(count)) else { return false }
            channels[channel] = memory.assumingMemoryBound(to: Float.self)
        }
        return true
    }

    private func silence(_ count: Int) {
        for channel in 0..<format.channelCount { channels[channel].update(repeating: 0, count: count) }
    }

    private static var currentThread: UInt { UInt(bitPattern: pthread_self().hashValue) }
}
