import OssicleCoreAudioTypes
import OssicleTestSupport
import Testing
@testable import OssicleAVFAudio

/// At a private sound server: what its monitors record.
@Suite("AVAudioPlayer at a sound server", .serialized, .enabled(if: SoundServer.isRunning))
struct AVAudioPlayerSoundServerTests {
    private let folder: TemporaryFolder
    private static let level = Measure.decibels(0.25)

    init() throws { folder = try TemporaryFolder() }

    private func player(_ frequency: Double) throws -> AVAudioPlayer {
        let tone = Signal.sine(frequency, count: 120 * 48_000, amplitude: 0.25)
        return try AVAudioPlayer(contentsOf: try waveFile(folder, "\(frequency).wav", [tone, tone], rate: 48_000).url)
    }

    @Test("Each player has the output it chooses and moves to; one that is not there is an error; mute silences all")
    func currentDevice() throws {
        let module = try SoundServer.addSink("chosen")
        defer { _ = try? SoundServer.control("unload-module", module) }
        let (moved, other) = (try player(440), try player(880))
        let (standard, chosen) = (try SinkRecording(), try SinkRecording(of: "chosen"))
        #expect(moved.play() && standard.hasTone(440, level: Self.level))
        let before = moved.currentTime
        moved.currentDevice = "chosen"
        #expect(moved.isPlaying && chosen.hasTone(440, level: Self.level) && moved.currentTime > before)
        #expect(other.play() && standard.hasTone(880, level: Self.level) && chosen.hasTone(440, level: Self.level))
        moved.currentDevice = "nowhere"
        let error = try #require(moved.lastError as? OssicleError)
        #expect(!moved.isPlaying && chosen.isSilent() && error.value.contains("nowhere"))
        moved.currentDevice = nil
        other.stop()
        #expect(moved.play() && standard.hasTone(440, level: Self.level))
        let session = AVAudioSession.sharedInstance()
        try session.setOutputMuted(true)
        defer { try? session.setOutputMuted(false) }
        #expect(standard.isSilent() && moved.isPlaying)
        try session.setOutputMuted(false)
        #expect(standard.hasTone(440, level: Self.level))
        moved.stop()
        #expect(standard.isSilent())
    }
}
