import Foundation
import OssicleMIDI
import OssicleTestSupport
import Testing
@testable import OssicleAVFAudio

/// Every note of a MIDI file sounds where the file's own ticks and tempi put it. The times are computed here, tick by
/// tick.
@Suite struct MusicTimingTests {
    private static let folder = "/usr/share/games/openttd/baseset/openmsx"
    private static var pieces: [String] {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return files.filter { $0.hasSuffix(".mid") }.sorted().map { folder + "/" + $0 }
    }

    /// Seconds of all notes of a file, in their order.
    private func onsets(_ bytes: [UInt8]) throws -> [Double] {
        let file = try MIDIFile(reading: bytes, named: "music")
        guard case .ticksPerQuarter(let ticks) = file.division else { return [] }
        var tempi: [(tick: Int, microseconds: Double)] = [], notes: [Int] = []
        for track in file.tracks {
            for event in track.events {
                switch event.message {
                case .meta(0x51, let data) where data.count == 3:
                    tempi.append((event.tick, Double(data.reduce(0) { $0 << 8 | Int($1) })))
                case .channel(let status, _, let velocity) where status & 0xF0 == 0x90 && velocity > 0:
                    notes.append(event.tick)
                default: break
                }
            }
        }
        tempi.sort { $0.tick < $1.tick }
        var (seconds, tick, microseconds, next) = (0.0, 0, 500_000.0, 0)
        return notes.sorted().map { note in
            while next < tempi.count, tempi[next].tick < note {
                seconds += Double(tempi[next].tick - tick) * microseconds / Double(ticks) * 1e-6
                (tick, microseconds) = tempi[next]
                next += 1
            }
            return seconds + Double(note - tick) * microseconds / Double(ticks) * 1e-6
        }
    }

    /// Plays a file with clicks, and checks that each note has one within a millisecond and that nothing else sounds.
    private func check(_ bytes: [UInt8], seconds limit: Double, callsOf size: Int = 4096) throws -> [Float] {
        let rig = try SamplerRig()
        // A click is one frame, and a piece may ask for reverb.
        rig.sampler.rendersEffects = false
        try rig.sampler.loadSoundBankInstrument(
            at: try rig.write("clicks.sf2", SamplerRig.clicks), program: 0, bankMSB: 0x79, bankLSB: 0)
        let sequencer = AVAudioSequencer(audioEngine: rig.engine)
        try sequencer.load(from: Data(bytes))
        let times = try onsets(bytes).filter { $0 < limit - 0.01 }
        try sequencer.start()
        let sound = try rig.render(Int(limit * 48_000), callsOf: size)[0]
        let heard = ClickRig.onsets(sound)
        #expect(times.count > 10 && !heard.isEmpty)
        var next = 0, late: [Double] = []
        for time in times {
            let frame = time * 48_000
            while next < heard.count, Double(heard[next]) < frame - 48 { next += 1 }
            if next >= heard.count || abs(Double(heard[next]) - frame) > 48 { late.append(time) }
        }
        #expect(late.isEmpty, "\(late.count) notes of \(times.count), first at \(late.first ?? 0) s")
        let frames = times.map { Int($0 * 48_000) }, end = Int((limit - 0.01) * 48_000)
        var first = 0
        let strays = heard.filter { place in
            while first < frames.count, frames[first] < place - 48 { first += 1 }
            return place < end && (first == frames.count || frames[first] > place + 48)
        }
        #expect(strays.isEmpty)
        return sound
    }

    @Test(.enabled(if: !pieces.isEmpty, "needs the Debian package openttd-openmsx"), arguments: pieces)
    func `every note of a piece starts within a millisecond`(path: String) throws {
        _ = try check(Array(try #require(FileManager.default.contents(atPath: path))), seconds: 20)
    }

    @Test func `tempo and meter may change at any tick, and the bytes do not depend on the cut`() throws {
        var track = MIDIFile.Track(), tick = 0
        for index in 0..<120 {
            let tempo = 300_000 + index * 7919 % 500_000
            track.events.append(
                .init(
                    tick: tick,
                    .meta(type: 0x51, data: [UInt8(tempo >> 16), UInt8(tempo >> 8 & 255), UInt8(tempo & 255)])))
            track.events.append(.init(tick: tick, .meta(type: 0x58, data: [UInt8(index % 7 + 2), 2, 24, 8])))
            track.events.append(.init(tick: tick + 7, .channel(status: 0x90, data1: UInt8(index), data2: 100)))
            track.events.append(.init(tick: tick + 60, .channel(status: 0x80, data1: UInt8(index), data2: 0)))
            tick += 61 + index * 13 % 90
        }
        track.end = tick
        let bytes = MIDIFile(format: .single, division: .ticksPerQuarter(384), tracks: [track]).bytes
        let first = try check(bytes, seconds: 12)
        #expect(Measure.sameBytes(first, try check(bytes, seconds: 12, callsOf: 333)))
    }
}
