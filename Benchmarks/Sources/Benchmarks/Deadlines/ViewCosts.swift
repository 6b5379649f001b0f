import AVFAudio
import Foundation
import Glibc
import OssicleInspector
import PHASE
import Synchronization

@testable import OssicleDevices

/// What the live view costs on the device's thread: callbacks of 256 frames while nobody looks and while somebody does,
/// by turns.
///
///     Benchmarks view [--seconds 3] [--voices 100] [--rounds 8]
///     Benchmarks view --offline with|without [--blocks 300]       for callgrind: renders as many callbacks
///
/// Who looks is a page without a picture: it opens the inspector's WebSocket, takes what it is sent and says thirty
/// times a second that it has. Processor time of the callbacks, as `Deadlines` has it.
enum ViewCosts {
    private static let quantum = 256
    private static let sampleRate = 48_000.0

    static func run(voices: Int, seconds: Double, rounds: Int) throws {
        let capacity = Int((seconds + 1) * Double(2 * rounds + 4) * sampleRate) / quantum
        let device = try TimedOutput(quantum: quantum, sampleRate: sampleRate, capacity: capacity)
        let scene = try CrowdedScene(voices: voices)
        try DeviceSubstitutes.$current.withValue(DeviceSubstitutes(output: device)) { try scene.engine.start() }
        let inspector = try Inspector { _ in }
        scene.engine.inspector = inspector
        scene.startVoices()
        Thread.sleep(forTimeInterval: 1)
        var (without, with): ([UInt64], [UInt64]) = ([], [])
        var ratios: [Double] = []
        for _ in 0..<rounds {
            let plain = times(device, scene, seconds)
            let viewer = try Viewer(inspector)
            let watched = times(device, scene, seconds)
            viewer.close()
            while inspector.viewerCount > 0 { Thread.sleep(forTimeInterval: 0.01) }
            ratios.append(mean(watched) / mean(plain))
            without += plain
            with += watched
        }
        scene.engine.stop()
        Report.lines(
            "Callbacks of \(quantum) frames with \(voices) moving voices, \(rounds) turns of \(Report.number(seconds)) s each"
        )
        for (name, times) in [("nobody looks", without), ("somebody looks", with)] {
            let sorted = times.sorted()
            func quantile(_ share: Double) -> String {
                Report.number(Double(sorted[min(Int(share * Double(sorted.count)), sorted.count - 1)]) / 1000)
            }
            Report.line(
                name,
                "mean \(Report.number(mean(times) / 1000)) µs, p50 \(quantile(0.5)), p99 \(quantile(0.99)), of processor time"
            )
        }
        let percent = ratios.map { ($0 - 1) * 100 }.sorted()
        Report.line(
            "ratio",
            "\(Report.number(percent[percent.count / 2])) % more in the median of the turns, "
                + "\(Report.number(percent[0])) to \(Report.number(percent[percent.count - 1]))")
    }

    /// Of the callbacks of some seconds in which the scene is edited.
    private static func times(_ device: TimedOutput, _ scene: CrowdedScene, _ seconds: Double) -> [UInt64] {
        // What is made once when somebody begins to look, or ceases, is over by then.
        Thread.sleep(forTimeInterval: 0.3)
        let first = device.callbacks.count
        for turn in 0..<Int(seconds * 60) {
            scene.edit(turn)
            Thread.sleep(forTimeInterval: 1.0 / 60)
        }
        return device.callbacks.dropFirst(first).map(\.processor)
    }

    private static func mean(_ times: [UInt64]) -> Double {
        times.reduce(0) { $0 + Double($1) } / Double(max(times.count, 1))
    }

    /// Renders the scene without a device, watched or not: what callgrind counts in `Executor.render` is then the audio
    /// thread's own work.
    static func renderOffline(voices: Int, blocks: Int, isWatched: Bool) throws {
        guard let format = AVAudioFormat(standardFormatWithSampleRate: sampleRate, channels: 2),
            let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: AVAudioFrameCount(quantum))
        else { throw CocoaError(.featureUnsupported) }
        let scene = try CrowdedScene(voices: voices)
        try scene.engine.enableManualRenderingMode(
            .offline, format: format, maximumFrameCount: AVAudioFrameCount(quantum))
        try scene.engine.start()
        scene.startVoices()
        let holder = Holder()
        scene.engine.inspector = holder
        if isWatched { holder.engine?.setWatched(true) }
        for block in 0..<blocks {
            if block % 3 == 0 { scene.edit(block / 3) }
            _ = try scene.engine.renderOffline(AVAudioFrameCount(quantum), to: buffer)
        }
        scene.engine.stop()
        Report.line("rendered", "\(blocks) callbacks, \(isWatched ? "watched" : "not watched")")
    }
}

/// An inspector that looks at nothing.
private final class Holder: EngineInspector {
    private struct Content: @unchecked Sendable { weak var engine: (any InspectedEngine)? }
    private let content = Mutex(Content())

    var engine: (any InspectedEngine)? { content.withLock { $0.engine } }

    func begin(_ engine: any InspectedEngine) { content.withLock { $0.engine = engine } }
    func end(_ engine: any InspectedEngine) {}
}

/// A page without a picture: takes what the inspector sends, and says thirty times a second that it has.
private final class Viewer: Sendable {
    private let socket: Int32
    private let isOver = Atomic(false)

    init(_ inspector: Inspector) throws {
        let parts = inspector.address.split(whereSeparator: { $0 == "/" || $0 == ":" })
        guard parts.count == 4, let port = UInt16(parts[2]) else { throw CocoaError(.featureUnsupported) }
        socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        let connected = withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard connected == 0 else { throw CocoaError(.fileReadUnknown) }
        write(
            Array(
                ("GET /\(parts[3])/live HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nOrigin: http://127.0.0.1:\(port)\r\n"
                    + "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                    + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n").utf8))
        Thread.detachNewThread { [self] in take() }
    }

    private func take() {
        let seen = Array(#"{"seen":1}"#.utf8)
        let frame = [0x81, UInt8(0x80 | seen.count), 0, 0, 0, 0] + seen
        var bytes = [UInt8](repeating: 0, count: 1 << 18)
        var next = DispatchTime.now().uptimeNanoseconds
        while !isOver.load(ordering: .relaxed) {
            var polled = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
            if poll(&polled, 1, 10) > 0, read(socket, &bytes, bytes.count) <= 0 { break }
            while DispatchTime.now().uptimeNanoseconds > next {
                write(frame)
                next += 1_000_000_000 / 30
            }
        }
        Glibc.close(socket)
    }

    private func write(_ bytes: [UInt8]) { _ = Glibc.send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL)) }

    func close() { isOver.store(true, ordering: .relaxed) }
}
