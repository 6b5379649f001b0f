import Foundation
import OssicleAVFAudio
import OssicleFiles
import Testing
@testable import ossicle

@Suite("ossicle replay") struct ReplayCommandTests {
    /// Records a player for a tenth of a second.
    private static func record(_ path: String) throws -> [[Float]] {
        let engine = AVAudioEngine(), player = AVAudioPlayerNode()
        try engine.startRecordingCommands(to: URL(fileURLWithPath: path))
        let format = try #require(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2))
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 4800))
        buffer.frameLength = 4800
        for channel in 0..<2 {
            for frame in 0..<4800 { buffer.floatChannelData?[channel][frame] = Float(sin(0.05 * Double(frame))) * 0.3 }
        }
        engine.attach(player)
        engine.connect(player, to: engine.mainMixerNode, format: format)
        try engine.enableManualRenderingMode(.offline, format: format, maximumFrameCount: 4800)
        try engine.start()
        player.scheduleBuffer(buffer)
        player.volume = 0.5
        player.play()
        let rendered = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 4800))
        try engine.renderOffline(4800, to: rendered)
        try engine.stopRecordingCommands()
        return (0..<2).map { Array(UnsafeBufferPointer(start: rendered.floatChannelData?[$0], count: 4800)) }
    }

    @Test("writes the bytes that the engine rendered, and prints their hash or the commands")
    func replays() throws {
        let folder = try SoundFolder(), recording = folder.path("commands.txt"), output = folder.path("out.wav")
        let sound = try Self.record(recording)
        let run = try ToolProcess(["replay", recording, "-o", output, "--json"])
        #expect(run.status == 0, "\(run.errors)")
        let report = try #require(try JSONSerialization.jsonObject(with: run.output) as? [String: Any])
        let wave = try #require(WaveFile(channels: sound, sampleRate: 48_000))
        #expect(report["sha256"] as? String == SHA256.hex(of: [UInt8](wave.bytes)))
        #expect([UInt8](try Data(contentsOf: URL(fileURLWithPath: output))) == [UInt8](wave.bytes))
        #expect(report["frames"] as? Int == 4800 && report["isComplete"] as? Bool == true)
        let text = try ToolProcess(["replay", recording, "--text"])
        #expect(String(decoding: text.output, as: UTF8.self).contains(#""do":{"start":{}}"#))
        #expect(try ToolProcess(["replay", recording, "-o", output]).status == 1)
    }

    @Test("a file that is none, a damaged and a newer one are one line that says what to do")
    func refusals() throws {
        let folder = try SoundFolder(), recording = folder.path("commands.txt"), output = folder.path("out.wav")
        _ = try Self.record(recording)
        let bytes = try Data(contentsOf: URL(fileURLWithPath: recording))
        func errors(_ bytes: Data) throws -> String {
            try bytes.write(to: URL(fileURLWithPath: folder.path("other.txt")))
            let run = try ToolProcess(["replay", folder.path("other.txt"), "-o", output])
            #expect(run.status == 1)
            return "\(run.errors)"
        }
        #expect(try errors(Data("RIFF".utf8)).contains("not that of a recording"))
        var spoilt = bytes
        spoilt[200] ^= 1
        #expect(try errors(spoilt).contains("is not what was written"))
        let header = #"{"engine":"phase","format":"ossicle-commands","version":2}"#
        let check = SHA256.hex(of: [UInt8](header.utf8)).prefix(8)
        #expect(try errors(Data("\(check) \(header)\n".utf8)).contains("it has version 2"))
        let run = try ToolProcess(["replay", folder.path("none.txt"), "-o", output])
        #expect(run.status == 1 && "\(run.errors)".contains("cannot be read"))
    }
}
