import Foundation
import Testing
@testable import OssicleDevices

/// A program that exits while it plays and has MIDI at a JACK server: another process of the test program is that
/// program.
@Suite(.serialized, .enabled(if: ProcessInfo.processInfo.environment["OSSICLE_JACK_SERVER"] == "1"))
struct JackExitTests {
    private static let isChild = ProcessInfo.processInfo.environment["OSSICLE_JACK_EXIT"] == "1"

    @Test("The program that exits", .enabled(if: isChild))
    func exits() throws {
        let output = try PortOutput(.jack())
        try output.start(render: { _ in })
        let midi = JackMIDIBackend()
        try midi.start { _ in }
        Thread.sleep(forTimeInterval: 0.1)
        exit(0)
    }

    /// Its clients would stay in the server's cycle, for which this server waits: the next program's calls hang.
    @Test("It exits with status 0, five times, and the server serves the next one", .enabled(if: !isChild))
    func server() throws {
        for _ in 0..<5 {
            let child = Process()
            child.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
            child.arguments = ["--testing-library", "swift-testing", "--filter", "JackExitTests/exits"]
            child.environment = ProcessInfo.processInfo.environment.merging(["OSSICLE_JACK_EXIT": "1"]) { $1 }
            child.standardOutput = FileHandle.nullDevice
            child.standardError = FileHandle.nullDevice
            try child.run()
            child.waitUntilExit()
            #expect(child.terminationReason == .exit && child.terminationStatus == 0)
            #expect(try !DeviceList.of(.jack).outputs.isEmpty)
        }
    }
}
