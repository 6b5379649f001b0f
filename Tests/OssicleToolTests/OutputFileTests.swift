import Foundation
import Testing
@testable import ossicle

@Suite("The file to write")
struct OutputFileTests {
    private let folder = FileManager.default.temporaryDirectory.path

    @Test(
        "what cannot be written is refused before anything is rendered, with the reason and the cure",
        arguments: [
            ("", "names no file"), (FileManager.default.temporaryDirectory.path, "is a folder"),
            ("/nowhere/at/all.wav", "does not exist"),
            ("/proc/self/ossicle.wav", "may not write to"),
        ])
    func refusals(path: String, reason: String) {
        #expect { try OutputFile(path) } throws: { error in
            "\(error)".contains(reason) && "\(error)".contains("give -o a file")
        }
    }

    @Test("what the system refuses later is told in its words")
    func refusedByTheSystem() throws {
        // A device that is always full.
        let file = try OutputFile("/dev/full")
        #expect { try file.write(Data([1])) } throws: { error in
            "\(error)".contains("/dev/full could not be written (No space left on device)")
        }
    }

    @Test("a file in a folder that exists is written and overwritten")
    func writes() throws {
        let path = "\(folder)/ossicle-output-\(UUID().uuidString).bin"
        defer { try? FileManager.default.removeItem(atPath: path) }
        try OutputFile(path).write(Data([1, 2, 3]))
        try OutputFile(path).write(Data([4]))
        #expect(FileManager.default.contents(atPath: path) == Data([4]))
    }
}
