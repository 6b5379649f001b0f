import Foundation
import OssicleFiles
import Testing
@testable import ossicle

@Suite("ossicle play")
struct PlayCommandTests {
    @Test("plays files one after the other to the end, without a terminal")
    func plays() throws {
        let folder = try SoundFolder()
        let paths = [folder.path("one.wav"), folder.path("two.wav")]
        for path in paths { try Data(Self.sound.bytes).write(to: URL(fileURLWithPath: path)) }
        let started = ContinuousClock.now
        let tool = try ToolProcess(["play"] + paths + ["--device", "none"])
        #expect(tool.status == 0, "\(tool.errors)")
        let lines = String(decoding: tool.output, as: UTF8.self).split(separator: "\n")
        #expect(lines.count == 2 && lines[1].contains("two.wav") && lines[1].contains("on null device"))
        // Two files of 0.4 s.
        #expect(started.duration(to: .now) > .milliseconds(700))
    }

    @Test("names what cannot be played, plays the others, and says so by its status")
    func failures() throws {
        let folder = try SoundFolder()
        let (good, bad) = (folder.path("good.wav"), folder.path("bad.wav"))
        try Data(Self.sound.bytes).write(to: URL(fileURLWithPath: good))
        try Data("no sound".utf8).write(to: URL(fileURLWithPath: bad))
        let tool = try ToolProcess(["play", bad, good, "--device", "none"])
        #expect(tool.status == 1 && tool.errors.contains("bad.wav"))
        #expect(String(decoding: tool.output, as: UTF8.self).contains("good.wav"))
    }

    @Test("a device that is not there is an error, not silence")
    func absent() throws {
        let tool = try ToolProcess(["play", "any.wav", "--device", "a device that nobody has"])
        #expect(tool.status == 1 && tool.errors.contains("a device that nobody has"))
    }

    private static let sound = WaveFile(
        left: (0..<19_200).map { Float($0 % 100) / 200 }, right: (0..<19_200).map { Float($0 % 50) / 200 },
        sampleRate: 48_000)
}

@Suite("The demo's walk in the terminal")
struct WalkViewTests {
    @Test("a line shows the time, where the voice is between listener, wall and music, and the levels")
    func line() throws {
        let (recording, map) = try DemoRun.whole.get()
        let view = WalkView(recording: recording, map: map)
        let (first, last) = (view.line(at: 0), view.line(at: 1.9))
        for line in [first, last] {
            #expect(line.contains("@") && line.contains("♪") && line.contains("|") && line.contains("dB"))
        }
        // The voice begins in the hall, behind the wall, and ends in the study.
        func column(_ mark: Character, _ line: String) throws -> Int {
            try #require(line.firstIndex(of: mark)).utf16Offset(in: line)
        }
        #expect(try column("V", first) > column("|", first))
        #expect(try column("V", last) < column("|", last))
        #expect(first.hasPrefix("0:00 [") && last.hasPrefix("0:01 ["))
    }
}
