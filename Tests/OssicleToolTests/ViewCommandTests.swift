import Foundation
import OssicleTestSupport
import Testing

@testable import ossicle

@Suite("A scene that is looked at") struct ViewCommandTests {
    /// The page is there for its address, and for no other; Ctrl-C ends the program in order.
    @Test func demoServesAPageUntilItIsInterrupted() throws {
        let (process, output) = (Process(), Pipe())
        process.executableURL = ToolProcess.program
        process.arguments = ["demo", "--view", "--seconds", "0.5"]
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        var words = ""
        while !words.contains("Ctrl-C"), case let more = output.fileHandleForReading.availableData, !more.isEmpty {
            words += String(decoding: more, as: UTF8.self)
        }
        let address = try #require(
            words.split(whereSeparator: \.isWhitespace).first { $0.hasPrefix("http://127.0.0.1:") })
        let parts = address.split(whereSeparator: { $0 == "/" || $0 == ":" })
        let (port, token) = (try #require(UInt16(parts[2])), parts[3])
        for (path, status) in [
            ("/\(token)/", 200), ("/\(token)/main.js", 200), ("/\(String(token.reversed()))/", 403), ("/", 403),
        ] {
            let client = try #require(RawClient(port: port))
            client.send(Array("GET \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n".utf8))
            #expect(client.readHead().hasPrefix("HTTP/1.1 \(status) "), "\(path)")
        }
        process.interrupt()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0 && process.terminationReason == .exit)
    }

    @Test(arguments: [["--stems"], ["--json"], ["--picture", "a.svg"], ["--seconds", "3"], ["--layout", "5.1"]])
    func whatTheViewCannotDoIsRefused(_ options: [String]) throws {
        #expect(throws: (any Error).self) { try RenderCommand.parse(["scene.gltf", "--view"] + options) }
    }

    @Test func viewGoesWithWhatItCan() throws {
        let command = try RenderCommand.parse([
            "scene.gltf", "--view", "--layout", "stereo", "--timeline", "t.json", "--port", "4711",
        ])
        #expect(command.live.view && command.live.port == 4711)
    }
}
