import Foundation
import Testing
@testable import ossicle

@Suite("Manual pages and completions") struct ManualTests {
    private static let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("Scripts/install-manual")

    /// Python is what makes the pages; Debian's build tools bring it.
    private static var canRun: Bool { FileManager.default.isExecutableFile(atPath: "/usr/bin/python3") }

    @Test("every command has a page with its options, and every shell its completions", .enabled(if: canRun))
    func pages() throws {
        let folder = try SoundFolder(), process = Process(), output = Pipe()
        process.executableURL = Self.script
        process.arguments = ["--prefix", folder.path("p"), ToolProcess.program.path]
        process.standardOutput = output
        try process.run()
        let words = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0, "\(words)")
        func text(_ name: String) throws -> String {
            try String(contentsOfFile: folder.path("p/share/\(name)"), encoding: .utf8)
        }
        let commands = Ossicle.configuration.subcommands.compactMap { $0.configuration.commandName }
        let whole = try text("man/man1/ossicle.1")
        for command in commands {
            #expect(whole.contains("ossicle\\-\(command)"))
            let page = try text("man/man1/ossicle-\(command).1")
            #expect(page.hasPrefix(".TH") && page.contains(".SH EXIT STATUS") && page.utf8.allSatisfy { $0 < 128 })
        }
        let render = try text("man/man1/ossicle-render.1")
        for option in ["layout", "stems", "seed", "threads", "json"] { #expect(render.contains("\\-\\-\(option)")) }
        #expect(render.contains(Ossicle.version))
        for name in [
            "bash-completion/completions/ossicle", "zsh/site-functions/_ossicle",
            "fish/vendor_completions.d/ossicle.fish",
        ] {
            let script = try text(name)
            for command in commands { #expect(script.contains(command), "\(name)") }
        }
    }
}
