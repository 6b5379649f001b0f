import Foundation
import Testing

@testable import OssicleInspector
@testable import OssicleWebServer

/// Requests as a browser sends them, and what is refused.
enum Requests {
    static let token = "0123456789abcdef0123456789abcdef"
    static let rules = AccessRules(token: token, port: 4711)

    static func get(_ path: String = "/\(token)/", host: String? = "127.0.0.1:4711", _ fields: [String] = []) -> [UInt8]
    {
        let lines = ["GET \(path) HTTP/1.1"] + (host.map { ["Host: \($0)"] } ?? []) + fields
        return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
    }

    static func upgrade(origin: String? = "http://127.0.0.1:4711", version: String = "13") -> [UInt8] {
        get(
            "/\(token)/live", host: "127.0.0.1:4711",
            [
                "Upgrade: websocket", "Connection: keep-alive, Upgrade", "Sec-WebSocket-Version: \(version)",
                "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
            ] + (origin.map { ["Origin: \($0)"] } ?? []))
    }

    static func connection() -> Connection { Connection(rules, resource: Page.resource) }

    static func status(of bytes: [UInt8]) -> Int? {
        var connection = connection()
        return status(connection.receive(bytes, at: 0))
    }

    static func status(_ effects: [Connection.Effect]) -> Int? {
        guard case .send(let bytes)? = effects.first else { return nil }
        return Int(String(decoding: bytes.dropFirst(9).prefix(3), as: UTF8.self))
    }

    /// A frame as clients send it.
    static func frame(_ opcode: UInt8, _ payload: [UInt8], isLast: Bool = true) -> [UInt8] {
        let mask: [UInt8] = [7, 99, 250, 1]
        var bytes = [(isLast ? 0x80 : 0) | opcode]
        if payload.count < 126 {
            bytes.append(0x80 | UInt8(payload.count))
        } else {
            bytes += [0x80 | 126, UInt8(payload.count >> 8), UInt8(payload.count & 255)]
        }
        return bytes + mask + payload.enumerated().map { $1 ^ mask[$0 % 4] }
    }
}

@Suite("Who may see the page") struct AccessTests {
    @Test func pageIsThereForItsAddressOnly() {
        #expect(Requests.status(of: Requests.get()) == 200)
        #expect(Requests.status(of: Requests.get(host: "localhost:4711")) == 200)
        #expect(Requests.status(of: Requests.get("/\(Requests.token)/main.js")) == 200)
        #expect(Requests.status(of: Requests.get("/\(Requests.token)/../etc/passwd")) == 404)
        #expect(Requests.status(of: Requests.get("/\(Requests.token)")) == 403)
    }

    @Test(arguments: [
        "/", "/0123/", "/\(Requests.token.dropLast())0/", "/\(Requests.token)0/", "/\(Requests.token.uppercased())/",
        "//\(Requests.token)/",
    ])
    func tokenHasToFit(_ path: String) { #expect(Requests.status(of: Requests.get(path)) == 403) }

    @Test(arguments: [nil, "example.org", "127.0.0.1", "127.0.0.1:80", "localhost.example.org:4711", "[::1]:4711", ""])
    func hostIsThisMachine(_ host: String?) { #expect(Requests.status(of: Requests.get(host: host)) == 403) }

    @Test func foreignOriginsAreRefused() {
        #expect(Requests.status(of: Requests.get(["Origin: http://example.org"])) == 403)
        #expect(Requests.status(of: Requests.get(["Origin: null"])) == 403)
        #expect(Requests.status(of: Requests.get(["Sec-Fetch-Site: cross-site"])) == 403)
        #expect(Requests.status(of: Requests.get(["Sec-Fetch-Site: same-site"])) == 403)
        #expect(
            Requests.status(of: Requests.get(["Origin: http://127.0.0.1:4711", "Sec-Fetch-Site: same-origin"])) == 200)
    }

    @Test func fieldsAreThereOnce() {
        #expect(Requests.status(of: Requests.get(["Host: 127.0.0.1:4711"])) == 400)
        #expect(
            Requests.status(of: Requests.get(["Origin: http://127.0.0.1:4711", "Origin: http://127.0.0.1:4711"])) == 400
        )
    }

    @Test func nothingIsSentToTheServer() {
        #expect(Requests.status(of: Requests.get(["Content-Length: 3"])) == 413)
        #expect(Requests.status(of: Requests.get(["Transfer-Encoding: chunked"])) == 413)
        let post = "POST /\(Requests.token)/ HTTP/1.1\r\nHost: 127.0.0.1:4711\r\n\r\n"
        #expect(Requests.status(of: Array(post.utf8)) == 405)
    }

    @Test func longAndOddHeadsAreRefused() {
        #expect(Requests.status(of: Requests.get(["X: " + String(repeating: "a", count: 8200)])) == 431)
        #expect(Requests.status(of: Array(repeating: 0x41, count: 9000)) == 431)
        #expect(Requests.status(of: Requests.get("/" + String(repeating: "a", count: 1100))) == 414)
        #expect(Requests.status(of: Requests.get((0..<70).map { "A\($0): b" })) == 400)
        #expect(Requests.status(of: Requests.get([" folded: line"])) == 400)
        #expect(Requests.status(of: Requests.get(["no colon"])) == 400)
        #expect(Requests.status(of: Requests.get(["X: \u{e9}"])) == 400)
        #expect(Requests.status(of: Array("GET / HTTP/1.1\nHost: 127.0.0.1:4711\r\n\r\n".utf8)) == 400)
        #expect(Requests.status(of: Array("GET  / HTTP/1.1\r\n\r\n".utf8)) == 400)
    }

    @Test func headInPiecesIsOne() {
        var connection = Requests.connection()
        var effects: [Connection.Effect] = []
        for byte in Requests.get() { effects += connection.receive([byte], at: 0) }
        #expect(Requests.status(effects) == 200)
        #expect(effects.last == .close)
    }

    /// Two tokens that differ in the first byte and in the last one are compared over all bytes; this holds the result,
    /// and the code has no early exit.
    @Test func eachByteOfTheTokenCounts() {
        for place in 0..<32 {
            var token = Array(Requests.token)
            token[place] = token[place] == "f" ? "e" : "f"
            #expect(Requests.status(of: Requests.get("/\(String(token))/")) == 403)
        }
    }
}

extension Requests {
    static func get(_ fields: [String]) -> [UInt8] { get("/\(token)/", host: "127.0.0.1:4711", fields) }
}

@Suite("Frames of a WebSocket") struct WebSocketTests {
    private func opened() -> Connection {
        var connection = Requests.connection()
        _ = connection.receive(Requests.upgrade(), at: 0)
        return connection
    }

    private func closeCode(_ effects: [Connection.Effect]) -> UInt16? {
        guard effects.count >= 2, effects.last == .close, case .send(let bytes) = effects[effects.count - 2],
            bytes.count == 4,
            bytes[0] == 0x88
        else { return nil }
        return UInt16(bytes[2]) << 8 | UInt16(bytes[3])
    }

    /// The example of RFC 6455, 1.3.
    @Test func answerIsThatOfTheStandard() {
        #expect(WebSocketAccept.answer(to: "dGhlIHNhbXBsZSBub25jZQ==") == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
        // FIPS 180-4: "abc", and the empty message.
        #expect(
            WebSocketAccept.sha1(Array("abc".utf8)).map { String(format: "%02x", $0) }.joined()
                == "a9993e364706816aba3e25717850c26c9cd0d89d")
        #expect(
            WebSocketAccept.sha1([]).map { String(format: "%02x", $0) }.joined()
                == "da39a3ee5e6b4b0d3255bfef95601890afd80709")
    }

    @Test func originHasToBeTheres() {
        #expect(Requests.status(of: Requests.upgrade()) == 101)
        #expect(Requests.status(of: Requests.upgrade(origin: nil)) == 403)
        #expect(Requests.status(of: Requests.upgrade(origin: "http://127.0.0.1:4712")) == 403)
        #expect(Requests.status(of: Requests.upgrade(origin: "https://127.0.0.1:4711")) == 403)
        #expect(Requests.status(of: Requests.upgrade(version: "8")) == 426)
        #expect(Requests.status(of: Requests.get("/\(Requests.token)/live")) == 403)
    }

    @Test func messagesComeInAnyPieces() {
        let text = "{\"a\": \"grün\"}"
        let bytes =
            Requests.frame(1, Array(text.utf8.prefix(4)), isLast: false) + Requests.frame(9, [1, 2])
            + Requests.frame(0, Array(text.utf8.dropFirst(4)))
        for size in [1, 3, 1000] {
            var connection = opened()
            var effects: [Connection.Effect] = []
            for start in stride(from: 0, to: bytes.count, by: size) {
                effects += connection.receive(bytes[start..<min(start + size, bytes.count)], at: 0)
            }
            #expect(effects == [.send([0x8a, 2, 1, 2]), .message(text)])
        }
    }

    @Test func brokenFramesEndTheConnection() {
        let cases: [(name: String, bytes: [UInt8], code: UInt16)] = [
            ("unmasked", [0x81, 1, 65], 1002), ("reserved bit", [0xc1, 0x81, 0, 0, 0, 0, 65], 1002),
            ("unknown opcode", [0x83, 0x80, 0, 0, 0, 0], 1002), ("long ping", [0x89, 0xfe, 0, 126, 0, 0, 0, 0], 1002),
            ("ping in pieces", [0x09, 0x80, 0, 0, 0, 0], 1002), ("binary", Requests.frame(2, [1]), 1003),
            ("no UTF-8", Requests.frame(1, [0xff, 0xfe]), 1007), ("nothing to continue", Requests.frame(0, [65]), 1002),
            ("text in a text", Requests.frame(1, [65], isLast: false) + Requests.frame(1, [65]), 1002),
            ("length not the shortest", [0x81, 0xfe, 0, 5, 0, 0, 0, 0], 1002),
            ("length of 2⁶³", [0x81, 0xff, 0x80, 0, 0, 0, 0, 0, 0, 0], 1009),
            ("length of 2⁶²", [0x81, 0xff, 0x40, 0, 0, 0, 0, 0, 0, 0], 1009),
            ("length of 2⁶⁴ − 1", [0x81] + Array(repeating: 0xff, count: 9), 1009),
            ("too long", [0x81, 0xfe, 0x10, 0x01], 1009),
            (
                "too long in pieces",
                Requests.frame(1, Array(repeating: 65, count: 4000), isLast: false)
                    + Requests.frame(0, Array(repeating: 65, count: 97)), 1009
            ),
        ]
        for (name, bytes, code) in cases {
            var connection = opened()
            #expect(closeCode(connection.receive(bytes, at: 0)) == code, "\(name)")
            #expect(connection.receive(Requests.frame(1, [65]), at: 0).isEmpty, "\(name)")
        }
    }

    @Test func floodEndsTheConnection() {
        var connection = opened()
        let one = Requests.frame(1, [65])
        for number in 0..<3000 {
            // 150 a second are few enough.
            #expect(connection.receive(one, at: Double(number) / 150).count == 1)
        }
        var effects: [Connection.Effect] = []
        for number in 0..<5000 { effects += connection.receive(one, at: 20 + Double(number) / 1000) }
        // What comes together, and what is allowed while it does: 1 ms for each message.
        let most = Double(Connection.mostMessages) / (1 - Double(Connection.messagesPerSecond) / 1000)
        #expect(abs(Double(effects.count(where: { $0 == .message("A") })) - most) <= 1)
        #expect(closeCode(effects) == 1008)
    }

    @Test func whatWaitedForSomeSecondsMayComeTogether() {
        var connection = opened()
        let one = Requests.frame(1, [65])
        // 50 a second, as a microphone's packets; nothing for ten seconds, and then what was held up.
        for number in 0..<200 { #expect(connection.receive(one, at: Double(number) / 50).count == 1) }
        for _ in 0..<500 { #expect(connection.receive(one, at: 14) == [.message("A")]) }
    }

    @Test func framesOfTheServerHaveTheShortestLength() {
        #expect(WebSocketFrame.text([65]) == [0x81, 1, 65])
        #expect(Array(WebSocketFrame.text(Array(repeating: 65, count: 200)).prefix(4)) == [0x81, 126, 0, 200])
        #expect(
            Array(WebSocketFrame.text(Array(repeating: 65, count: 70_000)).prefix(10)) == [
                0x81, 127, 0, 0, 0, 0, 0, 1, 0x11, 0x70,
            ])
    }
}
