import ArgumentParser
import Foundation
import OssicleAcoustics
import OssicleFiles
import Synchronization
import Testing
@testable import ossicle

@Suite("ossicle convert")
struct ConvertCommandTests {
    private let folder: SoundFolder

    init() throws { folder = try SoundFolder() }

    @Test(
        "arguments that make no sense are refused in words",
        arguments: [
            (["a.wav"], "Where to write is missing"),
            (["a.wav", "b.wav", "--rate", "12"], "--rate 12 is outside 1000 to 768000"),
            (["a.wav", "b.wav", "--channels", "0"], "--channels 0 is outside 1 to 64"),
            (["a.wav", "b.wav", "--loudness", "3"], "--loudness 3.0 is outside -70.0 to 0.0"),
            (["a.wav", "b.wav", "--quality", "nan"], "--quality nan is outside"),
            (["a.wav", "b.wav", "--jobs", "0"], "--jobs 0 is outside 1 to 1024"),
            (["a.wav", "b.wav", "--bitrate", "128"], "--bitrate 128 is outside 1000"),
            (["a.wav", "b.wav", "--bitrate", "much"], "'much' is invalid"),
            (["a.wav", "b.wav", "--format", "tape"], "'tape' is invalid"),
            (["a.wav", "b.wav", "--overwrite", "--skip-existing"], "exclude each other"),
        ])
    func refusals(arguments: [String], words: String) {
        #expect { try ConvertCommand.parse(arguments) } throws: { ConvertCommand.message(for: $0).contains(words) }
    }

    @Test("a bit rate may be told in thousands")
    func bitRate() throws {
        #expect(try ConversionOptions.parse(["--bitrate", "96k"]).encoder.bitRate == 96_000)
        #expect(try ConversionOptions.parse(["--bitrate", "64000"]).encoder.bitRate == 64_000)
    }

    @Test(
        "of five files one is bad: four are converted, the bad one is named with its cure, and the command fails",
        arguments: [1, 3])
    func oneBad(workers: Int) throws {
        for name in ["in/a.wav", "in/b.wav", "in/d.wav", "in/e.wav"] {
            try folder.write([Tones.sine(440, seconds: 0.1)], to: name)
        }
        _ = try folder.write(Array("RIFF, but then nothing of the kind".utf8), to: "in/c.wav")
        let plan = try ConversionPlan([folder.path("in")], to: folder.path("out"), format: .flac)
        let told = Mutex<[String]>([])
        let bulk = BulkConversion(
            plan: plan, options: try ConversionOptions.parse([]), workers: WorkerPool(workers: workers))
        let outcomes = bulk.run { words in told.withLock { $0.append(words) } }
        #expect(outcomes.map { if case .converted = $0 { true } else { false } } == [true, true, false, true, true])
        let words = told.withLock { $0 }
        #expect(words.count == 1)
        #expect(words.first?.contains("in/c.wav") == true)
        #expect(words.first?.contains("Convert the file") == true)
        #expect(folder.files.filter { $0.hasPrefix("out") } == ["a", "b", "d", "e"].map { "out/\($0).flac" })
        #expect {
            try ConvertCommand.parse([folder.path("in"), folder.path("out"), "--format", "flac", "--overwrite"]).run()
        } throws: {
            $0 as? ExitCode == .failure
        }
    }

    @Test("the summary counts files and seconds")
    func summary() throws {
        try folder.write([Tones.sine(440, seconds: 0.5)], to: "a.wav")
        let job = ConversionPlan.Job(input: folder.path("a.wav"), output: folder.path("a.flac"), format: .flac)
        let report = try FileConversion(job: job, options: try ConversionOptions.parse([]), overwrites: false).run()
        let summary = ConversionSummary(
            converted: [report, report], failed: 1, skipped: 2, elapsed: .milliseconds(500))
        #expect(summary.text == "converted 2, failed 1, skipped 2 that exist: 1.0 s of sound in 0.5 s, 2 × real time")
    }
}
