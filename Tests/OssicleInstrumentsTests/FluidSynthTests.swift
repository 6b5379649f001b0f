import Foundation
import OssicleFiles
import OssicleMIDI
import OssicleRender
import OssicleTestSupport
import Testing
@testable import OssicleInstruments

/// The same music as FluidSynth plays it: pitch within 3 cents, level within 3 dB.
@Suite(.enabled(if: FluidSynth.isThere, "needs the Debian packages fluidsynth and timgm6mb-soundfont"))
struct FluidSynthTests {
    private static let rate = 48_000
    /// Half a second of each program, a second apart.
    private static let programs = Array(stride(from: 0, to: 112, by: 3))

    private static func notes(_ key: UInt8) -> MIDIFile {
        var events: [MIDIFile.Event] = []
        for (index, program) in programs.enumerated() {
            let tick = index * 960
            events.append(.init(tick: tick, .channel(status: 0xC0, data1: UInt8(program), data2: 0)))
            events.append(.init(tick: tick, .channel(status: 0x90, data1: key, data2: 100)))
            events.append(.init(tick: tick + 600, .channel(status: 0x80, data1: key, data2: 0)))
        }
        return MIDIFile(format: .simultaneous, division: .ticksPerQuarter(480), tracks: [.init(events)])
    }

    @Test(arguments: [48, 69]) func `every program has FluidSynth's pitch and level`(key: UInt8) throws {
        let file = Self.notes(key)
        let theirs = try FluidSynth.render(file.bytes, rate: Self.rate)
        let ours = try MusicBench.render(file.bytes, rate: Self.rate, seconds: Double(Self.programs.count) + 1)
        var compared = 0
        for (index, program) in Self.programs.enumerated() {
            let span = index * Self.rate + 4800..<index * Self.rate + 26_000
            let (a, b) = (Array(theirs[span]), Array(ours[span]))
            let level = Measure.level(b) - Measure.level(a)
            #expect(abs(level) < 3, "program \(program), key \(key): \(level) dB")
            guard let peak = Self.strongest(a), Self.isSteady(a, peak) else { continue }
            let (mine, other) = (Measure.pitch(near: peak, in: b), Measure.pitch(near: peak, in: a))
            let cents = 1200 * log2(mine.frequency / other.frequency)
            #expect(abs(cents) < 3, "program \(program), key \(key): \(cents) cents at \(peak) Hz")
            compared += 1
        }
        #expect(compared >= 12)
    }

    @Test(.enabled(if: FluidSynthPlayer.refusal == nil, "needs Debian's libfluidsynth3"))
    func `FluidSynth as a player is its own program`() throws {
        let key: UInt8 = 60
        let theirs = try FluidSynth.render(Self.notes(key).bytes, rate: Self.rate)
        var settings = Synthesiser.Settings.generalMIDI
        settings.hasEffects = false
        let player = try FluidSynthPlayer(bank: FluidSynth.bank, sampleRate: Double(Self.rate), settings: settings)
        var left = [Float](repeating: 0, count: Self.programs.count * Self.rate), right = left
        func take(_ bytes: [UInt8]) { bytes.withUnsafeBytes { player.take($0) } }
        player.begin()
        for (index, program) in Self.programs.enumerated() {
            take([0xC0, UInt8(program)])
            take([0x90, key, 100])
            for (start, count) in [(0, 30_000), (30_000, 18_000)] {
                left.withUnsafeMutableBufferPointer { left in
                    right.withUnsafeMutableBufferPointer { right in
                        let place = index * Self.rate + start
                        player.render(count, left: left.baseAddress! + place, right: right.baseAddress! + place)
                    }
                }
                if start == 0 { take([0x80, key, 0]) }
            }
        }
        for index in Self.programs.indices {
            let span = index * Self.rate + 2400..<index * Self.rate + 28_000
            #expect(abs(Measure.level(left[span]) - Measure.level(theirs[span])) < 0.1)
        }
        // A reset leaves silence.
        take([0x90, key, 100])
        player.reset()
        player.render(4800, left: &left, right: &right)
        #expect(Measure.peak(left[..<4800]) < 1e-4)
        #expect(throws: InstrumentError.self) {
            _ = try FluidSynthPlayer(bank: "/nowhere.sf2", sampleRate: 48_000, settings: settings)
        }
        #expect(throws: InstrumentError.self) {
            _ = try FluidSynthPlayer(bank: FluidSynth.bank, sampleRate: 192_000, settings: settings)
        }
    }

    /// Whether a partial has one pitch: not where several voices beat or a vibrato is under way.
    private static func isSteady(_ sound: [Float], _ frequency: Double) -> Bool {
        let half = sound.count / 2
        let pitches = [sound[..<half], sound[half...]].map { Measure.pitch(near: frequency, in: Array($0)).frequency }
        return abs(1200 * log2(pitches[0] / pitches[1])) < 2
    }

    /// The frequency of the strongest partial, if it stands out and alone.
    private static func strongest(_ sound: [Float]) -> Double? {
        let spectrum = Spectrum(of: sound, sampleRate: Double(rate))
        let bins = 1..<spectrum.count / 4
        guard let best = bins.max(by: { spectrum.energy($0) < spectrum.energy($1) }) else { return nil }
        let whole = bins.reduce(0) { $0 + spectrum.energy($1) }
        let near = (max(best - 3, 1)...best + 3).reduce(0) { $0 + spectrum.energy($1) }
        // Another voice of a detuned sound within 25 Hz: which of them is measured is chance.
        let others = (4...17).flatMap { [best - $0, best + $0] }.filter { bins.contains($0) }.map {
            spectrum.energy($0)
        }
        guard (others.max() ?? 0) < spectrum.energy(best) / 20 else { return nil }
        return near > whole / 4 ? spectrum.frequency(best) : nil
    }

    @Test(.enabled(if: FluidSynth.music != nil, "needs the Debian package openttd-openmsx"))
    func `music has FluidSynth's level, second by second`() throws {
        let path = try #require(FluidSynth.music)
        let bytes = Array(try #require(FileManager.default.contents(atPath: path)))
        let theirs = try FluidSynth.render(bytes, rate: Self.rate)
        let seconds = min(theirs.count / Self.rate, 40)
        let ours = try MusicBench.render(bytes, rate: Self.rate, seconds: Double(seconds))
        var differences: [Double] = []
        for second in 0..<seconds {
            let span = second * Self.rate..<(second + 1) * Self.rate
            let level = Measure.level(theirs[span])
            if level > -60 { differences.append(Measure.level(ours[span]) - level) }
        }
        #expect(differences.count > 20 && differences.allSatisfy { abs($0) < 3 }, "\(differences)")
    }
}

/// FluidSynth's own program, without reverb and chorus.
enum FluidSynth {
    static let bank = "/usr/share/sounds/sf2/TimGM6mb.sf2"
    private static let program = "/usr/bin/fluidsynth"

    static var isThere: Bool { [bank, program].allSatisfy { FileManager.default.fileExists(atPath: $0) } }

    static var music: String? {
        let folder = "/usr/share/games/openttd/baseset/openmsx"
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return files.filter { $0.hasSuffix(".mid") }.sorted().first.map { folder + "/" + $0 }
    }

    /// The left channel.
    static func render(_ bytes: [UInt8], rate: Int) throws -> [Float] {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (music, sound) = (folder.appendingPathComponent("a.mid"), folder.appendingPathComponent("a.wav"))
        try Data(bytes).write(to: music)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = [
            "-n", "-i", "-q", "-R", "0", "-C", "0", "-r", "\(rate)", "-F", sound.path, "-T", "wav", bank, music.path,
        ]
        (process.standardOutput, process.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
        try process.run()
        process.waitUntilExit()
        let audio = try ResidentAudio(path: sound.path)
        return Array(audio.samples(0))
    }
}

/// Music through a synthesiser for General MIDI, without an engine around it.
enum MusicBench {
    private final class Host: PlayerHost, @unchecked Sendable {
        let feed = EventFeed(), rate: Double
        var frame: Int64 = 0

        init(rate: Double) { self.rate = rate }

        var now: (frame: Int64, rate: Double) { (frame, rate) }
        var isOffline: Bool { true }
        func hostTime(of frame: Int64) -> UInt64 { 0 }
        func frame(at hostTime: UInt64) -> Int64 { 0 }
        var standardFeed: EventFeed? { feed }
        func drive(_ player: SequencePlayer) {}
        func callBack(_ body: @escaping @Sendable () -> Void) {}
        func load(_ preset: PresetReference, scope: UInt32, element: UInt32, into destination: TrackDestination) {}
    }

    /// The left channel.
    static func render(_ bytes: [UInt8], rate: Int, seconds: Double) throws -> [Float] {
        let instrument = try InstrumentLibrary.shared.bank(path: FluidSynth.bank)
        // Dry, as FluidSynth renders here.
        var settings = Synthesiser.Settings.generalMIDI
        settings.hasEffects = false
        var synthesiser = Synthesiser(sampleRate: Double(rate), settings: settings)
        synthesiser.take(instrument.table.view)
        let host = Host(rate: Double(rate)), player = SequencePlayer(host: host)
        player.sequence = MIDISequence(try MIDIFile(reading: bytes, named: "music"))
        try player.start()
        let frames = Int(seconds * Double(rate)), slice = 256
        var left = [Float](repeating: 0, count: frames + slice), right = left
        while host.frame < frames {
            player.attend(framesAhead: slice)
            var events: [(Int64, [UInt8])] = []
            host.feed.deliver(from: host.frame, frames: slice, rate: Double(rate)) { frame, event in
                if case .bytes(let bytes) = event { events.append((frame, Array(bytes))) }
                return true
            }
            var done = host.frame
            for (frame, bytes) in events + [(host.frame + Int64(slice), [])] {
                left.withUnsafeMutableBufferPointer { left in
                    right.withUnsafeMutableBufferPointer { right in
                        synthesiser.render(
                            Int(frame - done), left: left.baseAddress! + Int(done),
                            right: right.baseAddress! + Int(done))
                    }
                }
                done = frame
                bytes.withUnsafeBytes { synthesiser.take($0) }
            }
            host.frame += Int64(slice)
        }
        return Array(left[..<frames])
    }
}
