import OssicleAVFAudio
import OssicleCore
import OssicleCoreAudioTypes
import OssicleTestSupport
import Testing
@testable import OssicleAVFoundation

/// What is heard from a server that breaks the rules is the file's sound, sample for sample, up to where it breaks; and
/// every item ends, at its end or with a typed error.
@Suite("AVPlayer and hostile servers") struct AVPlayerHostileServerTests {
    private let rig: PlayerRig
    private static let frames = 60_000
    private let bytes: [UInt8]

    init() throws {
        rig = try PlayerRig()
        bytes = try [UInt8](Data(contentsOf: rig.noiseFile(Self.frames)))
    }

    /// How the playing of an item came out.
    private struct Outcome {
        var sound: [Float] = []
        var hasEnded = false
        var error: NSError?
    }

    /// Plays an item until it ends or fails; a minute at most. Silent frames are left out, as stalls are silent.
    /// - Parameter seek: called before each block of 2000 frames; where to go, in frames.
    private func play(_ server: HTTPServer, timeout: Int = 1, seek: (Int) -> Int? = { _ in nil }) throws -> Outcome {
        let item = AVPlayerItem(asset: AVURLAsset(url: try server.url(), options: [AVURLAssetTimeoutKey: timeout]))
        let player = rig.player(item, limit: 0.1)
        let ended = NotificationCount(AVPlayerItem.didPlayToEndTimeNotification, item)
        var outcome = Outcome()
        player.play()
        let deadline = Date(timeIntervalSinceNow: 60)
        var block = 0
        while ended.count == 0, item.status != .failed, Date() < deadline {
            if item.status == .readyToPlay {
                if let frame = seek(block) { player.seek(to: CMTime(value: CMTimeValue(frame), timescale: 48_000)) }
                block += 1
            }
            let place = Int(player.currentTime().value)
            let heard = try rig.render(2000, callsOf: 2000).filter { $0 != 0 }
            let wanted = PlayerRig.noise(place..<max(place, Int(player.currentTime().value))).filter { $0 != 0 }
            #expect(heard == wanted, "\(heard.count) of \(wanted.count) frames from \(place) on, block \(block)")
            outcome.sound += heard
            if heard.isEmpty { usleep(5000) }
        }
        outcome.hasEnded = ended.count > 0
        outcome.error = item.error as? NSError
        #expect(outcome.hasEnded || outcome.error is OssicleError)
        return outcome
    }

    @Test("The bytes decide what a resource is, whatever type the server names")
    func wrongType() throws {
        let server = try HTTPServer(bytes) { $1.headers.append("Content-Type: text/html") }
        #expect(try play(server).hasEnded)
        let text = Array("<html><body>No sound here.</body></html>".utf8)
        let page = try HTTPServer(text) { $1.headers.append("Content-Type: audio/wav") }
        #expect(try play(page).error?.domain == AVAudioEngineManualRenderingError.errorDomain)
    }

    @Test("Bytes that drip are played without a lost sample, however small the drops")
    func drips() throws {
        let server = try HTTPServer(bytes) { $1.drip = 4001 }
        let outcome = try play(server)
        #expect(outcome.hasEnded && outcome.sound.count > Self.frames - 10)
    }

    @Test("A server that sends a head and then nothing, or a head without an end, times out", arguments: [0, 1])
    func silence(kind: Int) throws {
        let server = try HTTPServer(bytes) { _, answer in
            if kind == 0 { answer.stall = 0 } else { (answer.head, answer.stall) = ("HTTP/1.1 200 OK\r\nA: b", 0) }
        }
        defer { server.release() }
        #expect(try play(server).error?.code == NSURLErrorTimedOut)
    }

    @Test(
        "Heads that are no heads are errors of the server or the connection",
        arguments: [
            "", "\0\0\0\0", "HTTP/1.1 999999999999999999999 ?\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: -7\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999999\r\n\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nZZZZ\r\n",
            "HTTP/1.1 204 Empty\r\n\r\n",
            "HTTP/1.1 206 Part\r\nContent-Range: bytes 0-9/0\r\nContent-Length: 0\r\n\r\n",
        ])
    func heads(head: String) throws {
        let server = try HTTPServer { _ in HTTPServer.Answer(head: head) }
        #expect(try play(server).error != nil)
    }

    @Test("A head of a megabyte is refused")
    func hugeHead() throws {
        let lines = (0..<10_000).map { "X-\($0): \(String(repeating: "a", count: 100))" }
        let server = try HTTPServer(bytes) { $1.headers += lines }
        #expect(try play(server).error?.domain == NSURLErrorDomain)
    }

    @Test(
        "Lengths and ranges that cannot be are refused with the server to blame",
        arguments: [
            "bytes 9223372036854775807-9223372036854775807/9223372036854775807", "bytes 4096-240043/240044",
            "bytes 0-9223372036854775806/9223372036854775807", "bytes 1099511627776-2199023255552/2199023255553",
        ])
    func ranges(range: String) throws {
        let bytes = bytes
        let server = try HTTPServer { _ in
            HTTPServer.Answer(status: 206, headers: ["Content-Range: " + range], body: bytes[...])
        }
        let codes = [NSURLErrorBadServerResponse, NSURLErrorDataLengthExceedsMaximum]
        #expect(codes.contains(try play(server).error?.code ?? 0))
    }

    @Test("A length close to the largest number behind a range is refused")
    func overflow() throws {
        let bytes = bytes
        let server = try HTTPServer { request in
            guard let start = request.start, start > 0 else {
                let range = "Content-Range: bytes 0-\(bytes.count - 1)/\(bytes.count)"
                return HTTPServer.Answer(
                    status: 206, headers: [range], length: bytes.count, body: bytes[...], cut: 9000)
            }
            return HTTPServer.Answer(
                head: "HTTP/1.1 206 Part\r\nContent-Length: 9223372036854775807\r\n\r\nabcdefgh")
        }
        #expect(try play(server).error != nil)
    }

    @Test("Connections that are closed during seeks end in an error or at the end, never in other sound")
    func closedSeeks() throws {
        let server = try HTTPServer(bytes) { request, answer in
            answer.cut = 30_000
            answer.hangsUp = request.number % 3 == 1
        }
        let frames = [50_000, 1000, 40_000, 200, 30_000, 100]
        let outcome = try play(server) { $0 % 2 == 0 && $0 / 2 < frames.count ? frames[$0 / 2] : nil }
        #expect(outcome.sound.count > 2000)
    }

    @Test("A resource without an end goes to a file, not to memory")
    func endless() throws {
        // 256 times a quarter of a megabyte.
        let body = Array((bytes + bytes).prefix(1 << 18))
        let server = try HTTPServer { _ in HTTPServer.Answer(body: body[...], repeats: 256) }
        let before = try HeapUse.bytes()
        let item = AVPlayerItem(url: try server.url())
        rig.player(item).play()
        let isLoaded = waitUntil(limit: 30) { (item.asset.source.cache?.progress.loaded.first?.count ?? 0) == 1 << 26 }
        #expect(isLoaded)
        // Half of what came; tests beside this one need memory too.
        #expect(try HeapUse.bytes() - before < 1 << 25)
    }

    @Test("Whatever a server does from request to request, no sample is wrong and the item ends", arguments: 0..<16)
    func anything(seed: Int) throws {
        let random = CounterRandom(seed: UInt64(seed), object: 15), bytes = bytes
        @Sendable func draw(_ index: Int, _ count: Int) -> Int {
            min(Int(random.unit(UInt64(index)) * Double(count)), count - 1)
        }
        let server = try HTTPServer(bytes, hasRanges: seed % 4 != 0) { request, answer in
            let place = 8 * request.number
            switch draw(place, 12) {
            case 0: answer.hangsUp = true
            case 1: answer.cut = draw(place + 1, bytes.count)
            case 2: answer.cut = draw(place + 1, 100)
            case 3: answer.drip = 2000 + draw(place + 1, 20_000)
            case 4: (answer.status, answer.body, answer.length) = ([500, 503, 404, 302][draw(place + 1, 4)], [], 0)
            case 5: answer.length = answer.length.map { $0 + draw(place + 1, 1000) - 500 }
            case 6: answer.length = nil
            case 7: answer.headers.append("Content-Range: bytes \(draw(place + 1, 1 << 40))-/*")
            case 8: answer.head = String(repeating: "x", count: draw(place + 1, 4000))
            default: break
            }
        }
        _ = try play(server) { block in
            block < 40 && draw(1000 + block, 10) == 0 ? draw(2000 + block, Self.frames) : nil
        }
    }
}
