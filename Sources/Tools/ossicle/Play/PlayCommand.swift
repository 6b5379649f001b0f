import ArgumentParser
import Foundation
import OssicleDevices
import OssicleFiles

struct PlayCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "play",
        abstract: "Play sound files.",
        discussion: """
            On a terminal: space pauses and goes on, left and right go 5 s back and forth, up and down a minute, n goes to the next file, q ends. \
            Without a terminal the files play from beginning to end.

            \(DevicesCommand.deviceWords) \(SoundFormats.sentence)
            """)

    @Argument(help: ArgumentHelp("Sound files, played one after the other.", valueName: "file"))
    var files: [String]

    @Option(help: ArgumentHelp("Where to play, as ossicle devices lists it.", valueName: "device"))
    var device: String?

    @Flag(help: "Write for programs: a JSON array with one object for each file, at the end.")
    var json = false

    /// What became of a file.
    private struct Outcome: Encodable {
        let file, device: String
        let played: Bool
        var error: String?
    }

    func run() throws {
        let output = try PlaybackDevice(device)
        Interruption.watch()
        let (keyboard, line) = (Keyboard(), StatusLine())
        var outcomes: [Outcome] = []
        for file in files {
            do {
                let playback = try FilePlayback(path: file)
                line.clear()
                if !json { print("\(Text.oneLine(file))  \(playback.words)  on \(output.name)") }
                outcomes.append(Outcome(file: file, device: output.name, played: true))
                guard try follow(playback, keyboard, line) == .toEnd else { break }
            } catch let error as ToolError {
                outcomes.append(Outcome(file: file, device: output.name, played: false, error: "\(error)"))
                line.clear()
                StandardError.tell("\(error)")
            }
        }
        line.clear()
        if json { print(try JSONText.document(outcomes)) }
        let failed = outcomes.contains { !$0.played }
        if Interruption.isAsked { throw ExitCode(Interruption.status) }
        if failed { throw ExitCode.failure }
    }

    private enum Course { case toEnd, quit }

    private func follow(_ playback: FilePlayback, _ keyboard: Keyboard, _ line: StatusLine) throws -> Course {
        try playback.start()
        defer { playback.stop() }
        while !playback.isOver {
            for key in keyboard.wait(milliseconds: 50) {
                switch key {
                case .space: playback.togglePause()
                case .left: playback.seek(by: -5)
                case .right: playback.seek(by: 5)
                case .down: playback.seek(by: -60)
                case .up: playback.seek(by: 60)
                case .letter("n"): return .toEnd
                case .letter("q"): return .quit
                case .letter: break
                }
            }
            if Interruption.isAsked { return .quit }
            try playback.attend()
            line.show(playback.line)
        }
        return .toEnd
    }
}

/// The output a command plays to: tried before anything is played, so that what is in its way is an error, and then
/// preferred by the engine.
struct PlaybackDevice {
    let name: String

    /// - Parameter words: of `--device`; nil for the default.
    init(_ words: String?) throws {
        name = try Devices.output(words).name
        if let words { DevicePreferences.current.outputDevice = words }
    }
}
