import CJack
import Foundation
import Synchronization

/// What the device's thread does in a cycle of the server.
enum JackWork: Sendable {
    case play(RenderCallback)
    case record(ReceiveCallback)
}

/// The process callback of one client: calls the program's with the ports' own memory, in pieces no longer than a
/// quantum. On the server's thread, in real time.
final class JackCycle: @unchecked Sendable {
    private let client: OpaquePointer
    private let work: JackWork
    private let format: StreamFormat
    private let meters: DeviceMeters
    private let ports: UnsafeMutablePointer<OpaquePointer>
    private let channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    private let isRunning = Atomic(false)
    /// Identity of the thread inside the program's callback; 0 while none is.
    private let thread = Atomic<UInt>(0)

    init(_ client: JackClient, ports: [OpaquePointer], format: StreamFormat, meters: DeviceMeters, work: JackWork) {
        (self.client, self.work, self.format, self.meters) = (client.handle, work, format, meters)
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

    func process(_ count: Int) {
        guard findMemory(count) else { return }
        let isWorking = isRunning.load(ordering: .acquiring)
        if case .play = work { silence(count) }
        guard isWorking else { return }
        thread.store(JackCycle.currentThread, ordering: .relaxed)
        let begin = beginOfCycle
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
        switch work {
        case .play(let render):
            let time = HostClock.time(hostTime, movedBy: meters.latency)
            render(
                OutputBlock(
                    channels: channels, channelCount: format.channelCount, frameCount: count, hostTime: time))
        case .record(let receive):
            let time = HostClock.time(hostTime, movedBy: -meters.latency)
            receive(
                InputBlock(channels: channels, channelCount: format.channelCount, frameCount: count, hostTime: time))
        }
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

    /// When the server began this cycle, in nanoseconds of `HostClock`: its own clock counts microseconds from
    /// somewhere, so what has gone by since is subtracted from now.
    private var beginOfCycle: UInt64 {
        var (frame, begin, next, period) = (UInt32(0), UInt64(0), UInt64(0), Float(0))
        let now = (host: HostClock.now, jack: jack_get_time())
        guard jack_get_cycle_times(client, &frame, &begin, &next, &period) == 0 else { return now.host }
        return HostClock.time(now.host, movedBy: (Double(begin) - Double(now.jack)) * 1e-6)
    }

    private static var currentThread: UInt { UInt(bitPattern: pthread_self().hashValue) }
}
