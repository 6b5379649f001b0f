import Foundation
import OssicleMIDI
import OssicleTestSupport
import Synchronization
import Testing
@testable import OssicleAVFAudio

@Suite struct AVMIDIPlayerTests {
    /// Notes at 0, 0.5 and 1 s; the file ends at 1.5 s.
    private var music: Data {
        var track = MIDIFile.Track()
        for index in 0..<3 {
            track.events.append(.init(tick: index * 480, .channel(status: 0x90, data1: 60, data2: 100)))
            track.events.append(.init(tick: index * 480 + 400, .channel(status: 0x80, data1: 60, data2: 0)))
        }
        track.end = 1440
        return Data(MIDIFile(format: .single, division: .ticksPerQuarter(480), tracks: [track]).bytes)
    }

    private final class Rig {
        let files: SamplerRig
        let device: OfflineAudioDevice
        let player: AVMIDIPlayer

        /// - Parameter hasEffects: false where clicks are told apart by the silence between them.
        init(_ music: Data, hasEffects: Bool = false) throws {
            files = try SamplerRig()
            device = try OfflineAudioDevice(format: files.format)
            let bank = try files.write("clicks.sf2", SamplerRig.clicks)
            player = try device.use { try AVMIDIPlayer(data: music, soundBankURL: bank) }
            player.rendersEffects = hasEffects
        }

        func render(_ frames: Int) throws -> [Float] {
            let buffer = AVAudioPCMBuffer(pcmFormat: device.format, frameCapacity: 96_000)!
            try device.render(AVAudioFrameCount(frames), to: buffer)
            return (0..<frames).map { buffer.floatChannelData![0][$0] }
        }
    }

    @Test func `it plays to its end, says so, and plays again`() throws {
        let rig = try Rig(music), ends = Mutex(0)
        #expect(abs(rig.player.duration - 1.5) < 1e-9 && !rig.player.isPlaying && rig.player.rate == 1)
        rig.player.prepareToPlay()
        rig.player.play { ends.withLock { $0 += 1 } }
        #expect(rig.player.isPlaying)
        #expect(ClickRig.onsets(try rig.render(48_000)) == [0, 24_000])
        #expect(abs(rig.player.currentPosition - 1) < 1e-6 && ends.withLock { $0 } == 0)
        #expect(ClickRig.onsets(try rig.render(48_000)) == [0])
        #expect(ends.withLock { $0 } == 1 && !rig.player.isPlaying)
        rig.player.play()
        #expect(ClickRig.onsets(try rig.render(30_000)) == [0, 24_000])
    }

    @Test func `rate, position and stop`() throws {
        let rig = try Rig(music), ends = Mutex(0)
        rig.player.rate = 2
        rig.player.play { ends.withLock { $0 += 1 } }
        #expect(ClickRig.onsets(try rig.render(20_000)) == [0, 12_000])
        rig.player.stop()
        #expect(ends.withLock { $0 } == 1 && !rig.player.isPlaying)
        #expect(abs(rig.player.currentPosition - 20_000.0 / 24_000) < 1e-6)
        #expect(ClickRig.onsets(try rig.render(10_000)).isEmpty)
        (rig.player.rate, rig.player.currentPosition) = (1, 0.25)
        rig.player.play()
        #expect(ClickRig.onsets(try rig.render(20_000)) == [12_000])
        rig.player.rate = -1
        #expect(rig.player.rate == 1)
    }

    @Test func `the same music twice is the same bytes`() throws {
        let (a, b) = (try Rig(music, hasEffects: true), try Rig(music, hasEffects: true))
        a.player.play()
        b.player.play()
        let sound = try a.render(40_000)
        let isSame = Measure.sameBytes(sound, try b.render(40_000))
        // General MIDI begins with some reverb.
        #expect(isSame && a.player.rendersEffects && sound[2000..<24_000].contains { $0 != 0 })
    }

    @Test func `errors say what is wrong`() throws {
        let rig = try SamplerRig()
        let bank = try rig.write("clicks.sf2", SamplerRig.clicks)
        #expect(throws: OssicleError.self) { try AVMIDIPlayer(data: Data([1, 2, 3]), soundBankURL: bank) }
        #expect(throws: OssicleError.self) {
            try AVMIDIPlayer(contentsOf: rig.folder.appendingPathComponent("gone.mid"), soundBankURL: bank)
        }
        let error = #expect(throws: OssicleError.self) {
            try AVMIDIPlayer(data: music, soundBankURL: rig.folder.appendingPathComponent("gone.sf2"))
        }
        #expect(error?.code == -43 && "\(error!)".contains("gone.sf2"))
    }
}
