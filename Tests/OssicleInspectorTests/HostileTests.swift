import Foundation
import Testing

@testable import OssicleInspector
@testable import OssicleWebServer

/// Random numbers that are the same in every run (SplitMix64).
struct SeededRandom: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }
}

@Suite("What is hostile") struct HostileTests {
    /// Requests that are damaged in one to eight places, cut, repeated or made of noise. None but an undamaged one is
    /// answered with the page or a WebSocket.
    @Test func thousandRequestsAreRefused() {
        var random = SeededRandom(state: 1)
        let good = [Requests.get(), Requests.upgrade(), Requests.get("/\(Requests.token)/main.js")]
        let targets = good.map { String(decoding: $0, as: UTF8.self).split(separator: "\r\n").map(String.init) }
        var counts: [Int: Int] = [:]
        for number in 0..<1000 {
            let kind = Int.random(in: 0..<good.count, using: &random)
            var bytes = number % 10 == 0 ? (0..<300).map { _ in UInt8.random(in: 0...255, using: &random) } : good[kind]
            for _ in 0..<Int.random(in: 1...8, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes.remove(at: place)
                case 2:
                    bytes.insert(contentsOf: bytes[place...].prefix(Int.random(in: 1...40, using: &random)), at: place)
                default: bytes.insert(UInt8.random(in: 0...255, using: &random), at: place)
                }
            }
            bytes += Array("\r\n\r\n".utf8)
            var connection = Requests.connection()
            let effects = connection.receive(bytes, at: 0)
            let status = Requests.status(effects) ?? 0
            counts[status, default: 0] += 1
            // Damage may leave the meaning: in a field that nobody reads, or as a header more.
            if status == 200 || status == 101 {
                let lines = String(decoding: bytes, as: UTF8.self).components(separatedBy: "\r\n")
                #expect(
                    lines.contains { $0.lowercased().hasPrefix("host:") && $0.hasSuffix("127.0.0.1:4711") }, "\(number)"
                )
                #expect(targets.contains { $0[0] == lines[0] } || lines[0].contains("/\(Requests.token)/"), "\(number)")
            }
        }
        #expect((counts[200] ?? 0) + (counts[101] ?? 0) < 250)
        #expect((counts[400] ?? 0) > 300)
    }

    /// Frames that are damaged or noise, behind a WebSocket that was opened in order: a text comes out, or the
    /// connection ends.
    @Test func thousandFramesAreTakenOrRefused() {
        var random = SeededRandom(state: 2)
        var ended = 0
        for number in 0..<1000 {
            var connection = Requests.connection()
            _ = connection.receive(Requests.upgrade(), at: 0)
            var bytes: [UInt8] = []
            for _ in 0..<4 {
                let payload = (0..<Int.random(in: 0...200, using: &random)).map { _ in
                    UInt8.random(in: 0...255, using: &random)
                }
                bytes += Requests.frame(
                    UInt8.random(in: 0...15, using: &random), payload, isLast: Bool.random(using: &random))
            }
            if number % 3 == 0 { bytes = (0..<400).map { _ in UInt8.random(in: 0...255, using: &random) } }
            for _ in 0..<3 {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            var effects: [Connection.Effect] = []
            while !bytes.isEmpty {
                let count = Int.random(in: 1...bytes.count, using: &random)
                effects += connection.receive(bytes.prefix(count), at: 0)
                bytes.removeFirst(count)
            }
            if effects.contains(.close) {
                ended += 1
                #expect(!connection.isWebSocket)
            }
        }
        #expect(ended > 900)
    }

    /// Texts that are no requests, or commands that nothing can be made of.
    @Test func thousandMessagesAreRefused() throws {
        var random = SeededRandom(state: 3)
        let good = Array(
            #"{"engine":1,"command":{"action":"move","target":{"kind":"source","id":"3"},"position":[1,2,3]}}"#.utf8)
        var understood = 0
        for number in 0..<1000 {
            var bytes = good
            if number % 5 == 0 { bytes = Array(String(repeating: number % 2 == 0 ? "[" : "{\"a\":", count: 800).utf8) }
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 32...126, using: &random)
            }
            guard let request = try? JSONDecoder().decode(ViewRequest.self, from: Data(bytes)) else { continue }
            understood += 1
            // What is understood is within bounds, or an error.
            if let position = try? request.command?.checkedPosition() { #expect(abs(position.x) <= 1e6) }
            if let value = try? request.command?.checkedValue() { #expect(abs(value) <= 1e9) }
        }
        #expect(understood < 500)
        for text in ["1e999", "-1e400", "2e6", "null", "\"1\""] {
            let json = #"{"action":"move","target":{"kind":"source","id":"3"},"position":[\#(text),2,3]}"#
            let command = try? JSONDecoder().decode(InspectorCommand.self, from: Data(json.utf8))
            #expect(throws: InspectorCommandError.self) {
                try (command ?? InspectorCommand(.move, .init(.source, 3))).checkedPosition()
            }
        }
    }
}
