import Foundation
import OssicleDevices
import OssiclePHASE
import OssicleTestSupport
import Synchronization

/// A scene at a sound server's default sink (`Scripts/with-sound-server`) while that changes between two channels and
/// eight: the engine follows with another plan, for other loudspeakers, and the device's thread stays under watch.
enum CheckRoutes {
    private final class Width: Sendable { let channels = Atomic(0) }

    /// - Returns: how many changes it followed.
    static func run(rounds: Int) throws -> Int {
        guard SoundServer.isRunning else { throw CheckError("run it by Scripts/with-sound-server") }
        let voices = try MovingVoices(count: 8)
        voices.engine.watchesRealTime = false
        let heard = Width()
        try voices.engine.installTap(bufferSize: 512) { buffer, _ in
            heard.channels.store(Int(buffer.format.channelCount), ordering: .relaxed)
        }
        try voices.start()
        try expect(2, heard, voices)
        RealTimeWatch.isOn = true
        for _ in 0..<rounds {
            let module = try SoundServer.addSink("wide", channels: 8)
            try SoundServer.setDefault(.sink, "wide")
            try expect(8, heard, voices)
            try SoundServer.control("unload-module", module)
            try expect(2, heard, voices)
        }
        RealTimeWatch.isOn = false
        voices.engine.stop()
        return 2 * rounds
    }

    /// Turns the listener until the engine renders so many channels.
    private static func expect(_ channels: Int, _ heard: Width, _ voices: MovingVoices) throws {
        for step in 0..<1000 {
            voices.turn(step)
            Thread.sleep(forTimeInterval: 0.02)
            if step >= 20, heard.channels.load(ordering: .relaxed) == channels { return }
        }
        throw CheckError("the engine does not render the \(channels) channels of the default sink")
    }
}
