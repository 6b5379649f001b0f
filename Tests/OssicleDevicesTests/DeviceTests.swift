@testable import OssicleDevices
import Foundation
import Synchronization
import Testing

/// Counts what a device asks for, and lets a test wait for it.
private final class Listener: Sendable {
    private let frames = Mutex(0)
    private let heard = Mutex<[DeviceEvent]>([])
    private let enough = DispatchSemaphore(value: 0)
    private let goal: Int

    init(goal: Int) { self.goal = goal }

    func take(_ block: borrowing OutputBlock) {
        let count = block.frameCount
        let reached = frames.withLock { total in
            let before = total
            total += count
            return before < goal && total >= goal
        }
        if reached { enough.signal() }
    }

    func hear(_ event: DeviceEvent) { heard.withLock { $0.append(event) } }
    func waitForGoal() -> Bool { enough.wait(timeout: .now() + 60) == .success }
    var total: Int { frames.withLock { $0 } }
    var events: [DeviceEvent] { heard.withLock { $0 } }
}

@Suite struct NullDeviceTests {
    @Test("The null device asks for whole blocks, goes on, and after stop asks no more")
    func asksAndStops() throws {
        let device = try PortOutput(.silence, FormatWishes(sampleRate: 48000, channelCount: 3))
        let listener = Listener(goal: 5 * 512)
        let shapes = Mutex<Set<[Int]>>([])
        try device.start(
            render: { block in
                let shape = [block.channelCount, block[0].count, block[2].count, block[3].count]
                _ = shapes.withLock { $0.insert(shape) }
                listener.take(block)
            }, events: { listener.hear($0) })
        #expect(listener.waitForGoal())
        device.stop()
        let total = listener.total
        #expect(total >= 5 * 512 && total % 512 == 0)
        #expect(shapes.withLock { $0 } == [[3, 512, 512, 0]])
        #expect(listener.events == [.started, .stopped])
        device.stop()
        #expect(listener.total == total)
    }

    @Test("It keeps no less than the clock's pace however late a callback is, and loses no block")
    func catchesUp() throws {
        let device = try PortOutput(.silence, FormatWishes(sampleRate: 48000))
        let listener = Listener(goal: 20 * 512)
        let begin = ContinuousClock().now
        try device.start(render: { block in
            if listener.total == 512 { Thread.sleep(forTimeInterval: 0.1) }
            listener.take(block)
        })
        #expect(listener.waitForGoal())
        // Nineteen blocks must have been played before the twentieth is asked for.
        #expect(begin.duration(to: ContinuousClock().now) > .seconds(19 * 512.0 / 48000))
        device.stop()
    }

    @Test("A second start is refused with a reason; after a stop the device starts again")
    func restart() throws {
        let device = try PortOutput(.silence)
        try device.start { _ in }
        #expect(throws: DeviceError.alreadyRunning(device: "null device")) { try device.start { _ in } }
        device.stop()
        let listener = Listener(goal: 512)
        try device.start { listener.take($0) }
        #expect(listener.waitForGoal())
        device.stop()
    }

    @Test("Stopped from its own callback, that callback is the last")
    func stopFromCallback() throws {
        let device = try PortOutput(.silence)
        let listener = Listener(goal: 512)
        try device.start { [weak device] block in
            device?.stop()
            listener.take(block)
        }
        #expect(listener.waitForGoal())
        device.stop()
        #expect(listener.total == 512)
    }

    @Test("A muted output fades within a block, is silent, and fades in again; each sample by the line between")
    func mute() {
        let mute = OutputMute()
        let buffers = BlockBuffers(channelCount: 2, frameCount: 4)
        func levels(muted: Bool) -> [Float] {
            var levels: [Float] = []
            buffers.render(
                { block in
                    for channel in 0..<2 { block[channel].update(repeating: 1) }
                    mute.apply(block, isMuted: muted)
                }, hostTime: 0)
            buffers.interleave()
            for frame in 0..<4 {
                #expect(buffers.interleaved[2 * frame] == buffers.interleaved[2 * frame + 1])
                levels.append(buffers.interleaved[2 * frame])
            }
            return levels
        }
        #expect(levels(muted: false) == [1, 1, 1, 1])
        #expect(levels(muted: true) == [0.75, 0.5, 0.25, 0])
        #expect(levels(muted: true) == [0, 0, 0, 0])
        #expect(levels(muted: false) == [0.25, 0.5, 0.75, 1])
        #expect(levels(muted: false) == [1, 1, 1, 1])
    }

    @Test("Blocks come silent, and interleave channel by channel")
    func blocks() {
        let buffers = BlockBuffers(channelCount: 2, frameCount: 3)
        buffers.render(
            { block in
                for frame in 0..<3 { block[0][frame] = Float(frame) }
                block[1][1] = 9
            }, hostTime: 0)
        buffers.interleave()
        #expect((0..<6).map { buffers.interleaved[$0] } == [0, 0, 1, 9, 2, 0])
        buffers.render(
            { block in #expect(block[0].allSatisfy { $0 == 0 } && block[1].allSatisfy { $0 == 0 }) }, hostTime: 0)
    }

    @Test(
        "Formats no device can do are refused with the numbers",
        arguments: [(48000.0, 0), (48000.0, 33), (0.0, 2), (.nan, 2), (1e9, 2), (48000.0, -1)])
    func badFormats(rate: Double, channels: Int) {
        #expect(throws: DeviceError.self) {
            try PortOutput(.silence, FormatWishes(sampleRate: rate, channelCount: channels))
        }
        #expect(throws: DeviceError.self) {
            try PortOutput(.pulse(), FormatWishes(sampleRate: rate, channelCount: channels))
        }
    }

    @Test("Playing samples returns when the last was handed over, and follows what is heard by the clock")
    func play() throws {
        let device = try PortOutput(.silence, FormatWishes(sampleRate: 48000, channelCount: 2))
        let begin = HostClock.now
        try device.play(interleaved: [Float](repeating: 0.1, count: 48000)) { seconds in
            let most = min(Double(HostClock.now - begin) * 1e-9, 0.5)
            #expect(seconds >= 0 && seconds <= most)
        }
        // The last block is taken when the one before has been heard.
        let elapsed = Double(HostClock.now - begin) * 1e-9
        #expect(elapsed > 0.45)
        try device.play(interleaved: [])
    }
}

@Suite struct PulseDeviceTests {
    @Test(
        "Without a server the error says what is missing and what to do",
        arguments: ["unix:/nowhere/native", "/nowhere/native"])
    func noServer(server: String) {
        #expect {
            try PortOutput(.pulse(server: server))
        } throws: { Self.helps($0, server) }
        #expect { try PortInput(.pulse(server: server)) } throws: { Self.helps($0, server) }
        #expect { try DeviceWatch(server: server) } throws: { Self.helps($0, server) }
        #expect { try DeviceList.current(server: server) } throws: { Self.helps($0, server) }
    }

    @Test("A server on the network that is not there is an error")
    func noNetworkServer() {
        #expect(throws: DeviceError.self) { try PortOutput(.pulse(server: "tcp:127.0.0.1:9")) }
        #expect(throws: DeviceError.self) { try PortInput(.pulse(server: "tcp:127.0.0.1:9")) }
        #expect(throws: DeviceError.self) { try DeviceList.current(server: "tcp:127.0.0.1:9") }
    }

    @Test("Sockets are looked for where the environment says, and something that listens is found")
    func sockets() throws {
        #expect(
            PulseServer.localSockets(["XDG_RUNTIME_DIR": "/a", "PULSE_RUNTIME_PATH": "/b"]).prefix(2) == [
                "/b/native", "/a/pulse/native",
            ])
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "ossicle-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let environment = ["PULSE_RUNTIME_PATH": folder.path]
        #expect(PulseServer.find(named: "unix:\(folder.path)/native", environment: environment) == nil)
        let listening = try #require(Self.listen(at: folder.path + "/native"))
        #expect(PulseServer.find(named: nil, environment: environment) == "unix:\(folder.path)/native")
        #expect(PulseServer.find(named: "unix:\(folder.path)/native", environment: environment) != nil)
        // Something listens but never answers: whoever asks gives up by itself.
        let deaf = "unix:\(folder.path)/native"
        #expect { try PortOutput(.pulse(server: deaf)) } throws: { String(describing: $0).contains("no answer within") }
        #expect { try PortInput(.pulse(server: deaf)) } throws: { String(describing: $0).contains("no answer within") }
        let watch = try DeviceWatch(server: deaf)
        #expect { try watch.start { _ in } } throws: { String(describing: $0).contains("no answer within") }
        #expect(watch.stop())
        close(listening)
    }

    @Test("The default device without a server is silent if the caller allows it")
    func fallback() throws {
        let (output, input) = (
            try DefaultDevice.open(channelCount: 1, fallback: .silence),
            try DefaultInput.open(channelCount: 1, fallback: .silence)
        )
        #expect(output.channelCount == 1 && input.channelCount == 1)
    }

    private static func helps(_ error: any Error, _ server: String) -> Bool {
        guard case DeviceError.noServer = error else { return false }
        let text = String(describing: error)
        return text.contains(server) && text.contains("PULSE_SERVER") && text.contains("offline")
    }

    private static func listen(at path: String) -> Int32? {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        #if canImport(Glibc)
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        #else
        let descriptor = socket(AF_UNIX, SOCK_STREAM, 0)
        #endif
        let bound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        return bound == 0 && Foundation.listen(descriptor, 64) == 0 ? descriptor : nil
    }
}
