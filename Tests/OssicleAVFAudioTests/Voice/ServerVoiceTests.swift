import Foundation
import OssicleDevices
import OssicleTestSupport
import OssicleVoice
import Testing
@testable import OssicleAVFAudio

/// Voice processing at a private server, whose microphone is what the engine plays: the monitor of its sink, as late as
/// the server's and our buffers make it.
@Suite("Voice processing at a sound server", .serialized, .enabled(if: SoundServer.isRunning))
struct ServerVoiceTests {
    /// An engine that plays words, and what its input gives, frame by frame of the engine's time.
    private final class Call: @unchecked Sendable {
        static let rate = 48_000
        let engine = AVAudioEngine()
        private let far = SpeechLikeSignal.make(sampleRate: 48_000, frames: 20 * rate, level: 0.1, seed: 7)
        private let lock = NSLock()
        private var heard: [Float] = []

        init() throws {
            engine.errorHandler = { _ in }
            engine.staysOnWhenDevicesChange = true
            try engine.inputNode.setVoiceProcessingEnabled(true)
            engine.inputNode.isVoiceProcessingAGCEnabled = false
            let source = OfflineRig.source { [far] frame, _ in far[frame % far.count] }
            engine.attach(source)
            try engine.connectNode(source, to: engine.mainMixerNode, format: nil)
            engine.inputNode.installTap(onBus: 0, bufferSize: 4_800, format: nil) { [weak self] buffer, _ in
                let new = UnsafeBufferPointer(start: buffer.floatChannelData?[0], count: Int(buffer.frameLength))
                self?.lock.withLock { self?.heard += new }
            }
            try engine.start()
        }

        deinit { engine.stop() }

        var count: Int { lock.withLock { heard.count } }

        /// Frames until then; false where they do not come, with ten seconds to spare.
        func reaches(_ frame: Int) -> Bool {
            for _ in 0..<(20 * (10 + max(frame - count, 0) / Self.rate)) where count < frame {
                Thread.sleep(forTimeInterval: 0.05)
            }
            return count >= frame
        }

        /// By how much what is heard is below what was played in the same frames, dB. Both have pauses: the echo's
        /// delay hardly matters in some seconds.
        func reduction(_ frames: Range<Int>) -> Double {
            lock.withLock {
                let played = frames.reduce(1e-20) { $0 + pow(Double(far[$1 % far.count]), 2) }
                let left = heard[frames].reduce(1e-20) { $0 + pow(Double($1), 2) }
                return 10 * log10(played / left)
            }
        }

        /// The first frame from `start` on that is not silent; nil where none comes within ten seconds.
        func firstSound(from start: Int = 0) -> Int? {
            for _ in 0..<200 {
                if let found = lock.withLock({ heard.indices.dropFirst(start).first { heard[$0] != 0 } }) {
                    return found
                }
                Thread.sleep(forTimeInterval: 0.05)
            }
            return nil
        }

        /// Whether something is heard in each second, as a microphone that is there gives.
        func isThere(_ frames: Range<Int>) -> Bool {
            lock.withLock {
                stride(from: frames.lowerBound, to: frames.upperBound, by: Self.rate).allSatisfy {
                    heard[$0..<min($0 + Self.rate, frames.upperBound)].contains { $0 != 0 }
                }
            }
        }

        /// Every tenth of a second, for messages.
        var course: String {
            let tenth = Self.rate / 10
            return stride(from: 0, to: count - tenth, by: tenth).map {
                "\(Int(reduction($0..<($0 + tenth)).rounded()))"
            }
            .joined(separator: " ")
        }
    }

    private static func loadMicrophone() throws -> String {
        let module = try SoundServer.control(
            "load-module", "module-remap-source", "source_name=microphone", "master=\(SoundServer.sink).monitor",
            "channels=1", "master_channel_map=front-left", "channel_map=mono", "remix=no")
        try SoundServer.setDefault(.source, "microphone")
        return module
    }

    @Test("The loop of sink and monitor is cancelled by 25 dB from 2 s on")
    func loop() throws {
        let module = try Self.loadMicrophone()
        defer { _ = try? SoundServer.control("unload-module", module) }
        let (call, second) = (try Call(), Call.rate)
        let begin = try #require(call.firstSound(), "\(call.course)")
        try #require(call.reaches(begin + 6 * second))
        let reduction = call.reduction(begin + 2 * second..<begin + 6 * second)
        #expect(reduction >= 25, "\(reduction) dB: \(call.course)")
        #expect(call.engine.isRunning)
    }

    /// Sink and microphone go, as those of a headset that is unplugged: the server moves the streams to its own sink
    /// without hardware meanwhile. Or the server itself ends.
    @Test(
        "What is lost for a second while words are played, and comes back, is cancelled by 25 dB again 2 s later",
        arguments: [false, true])
    func lostAndBack(isServer: Bool) throws {
        let server = try SoundServer.Victim()
        try server.serve {
            _ = try Self.loadMicrophone()
            let (call, second) = (try Call(), Call.rate)
            let begin = try #require(call.firstSound(), "\(call.course)")
            try #require(call.reaches(begin + 3 * second))
            if isServer {
                server.send(SIGKILL)
                Thread.sleep(forTimeInterval: 1)
                try server.restart()
            } else {
                try server.control("unload-module", "module-remap-source")
                try server.control("unload-module", "module-null-sink")
                Thread.sleep(forTimeInterval: 1)
                try server.addSink()
            }
            let gone = call.count
            _ = try Self.loadMicrophone()
            let back = try #require(call.firstSound(from: gone), "\(call.course)")
            try #require(call.reaches(back + 6 * second), "\(call.course)")
            let after = back + 2 * second..<back + 6 * second
            let reduction = call.reduction(after)
            #expect(reduction >= 25, "\(reduction) dB: \(call.course)")
            #expect(call.isThere(after), "\(call.course)")
        }
    }
}
