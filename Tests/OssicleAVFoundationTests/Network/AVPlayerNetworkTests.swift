import OssicleAVFAudio
import OssicleCodecs
import OssicleFiles
import OssicleTestSupport
import Testing
@testable import OssicleAVFoundation

@Suite("AVPlayer over HTTP") struct AVPlayerNetworkTests {
    private let rig: PlayerRig
    private static let frames = 100_000
    private let bytes: [UInt8]

    init() throws {
        rig = try PlayerRig()
        bytes = try [UInt8](Data(contentsOf: rig.noiseFile(Self.frames)))
    }

    private func item(_ server: HTTPServer, timeout: Int = 20) throws -> AVPlayerItem {
        AVPlayerItem(asset: AVURLAsset(url: try server.url(), options: [AVURLAssetTimeoutKey: timeout]))
    }

    @discardableResult
    private func player(_ item: AVPlayerItem, limit: Double = 20) -> AVPlayer {
        let player = rig.player(item, limit: limit)
        player.play()
        return player
    }

    @Test("A resource is played sample for sample, from servers with ranges and without", arguments: [true, false])
    func plays(hasRanges: Bool) throws {
        let server = try HTTPServer(bytes, hasRanges: hasRanges), item = try item(server)
        player(item)
        let ended = NotificationCount(AVPlayerItem.didPlayToEndTimeNotification, item)
        let sound = try rig.render(Self.frames + 500)
        #expect(sound == PlayerRig.noise(0..<Self.frames) + Signal.silence(count: 500) && ended.count == 1)
        #expect(item.duration == CMTime(value: Int64(Self.frames), timescale: 48_000) && item.isPlaybackLikelyToKeepUp)
    }

    @Test("A seek to bytes that are not there is made by a range, to the sample")
    func seeks() throws {
        // The first answer stops after its header, for good.
        let server = try HTTPServer(bytes) { if $0.number == 0 { $1.stall = 9000 } }
        defer { server.release() }
        let item = try item(server), player = player(item, limit: 0.2)
        #expect(waitUntil { item.status != .unknown })
        player.seek(to: CMTime(value: 90_001, timescale: 48_000))
        player.offlineDataTimeLimit = 20
        #expect(try rig.render(9000) == PlayerRig.noise(90_001..<99_001))
        #expect(server.requests.contains { ($0.start ?? 0) > 300_000 })
    }

    @Test("A seek that waits for its bytes is overtaken by the next, and says so")
    func overtaken() async throws {
        let server = try HTTPServer(bytes, hasRanges: false) { $1.stall = 100_000 }
        defer { server.release() }
        let item = try item(server), player = player(item, limit: 0.1), answers = Notes<Bool>()
        #expect(waitUntil { item.status == .readyToPlay })
        for frame in [90_000, 80_000] {
            player.seek(to: CMTime(value: CMTimeValue(frame), timescale: 48_000)) { answers.add($0) }
        }
        #expect(player.currentTime() == CMTime(value: 80_000, timescale: 48_000))
        #expect(await player.seek(to: CMTime(value: 4800, timescale: 48_000)))
        #expect(waitUntil { answers.all.count == 2 } && answers.all == [false, false])
    }

    @Test("A connection that is cut is resumed where it broke", arguments: [true, false])
    func cut(hasRanges: Bool) throws {
        let server = try HTTPServer(bytes, hasRanges: hasRanges) { request, answer in
            if request.number < 4 { answer.cut = hasRanges ? 70_000 : 70_000 * (request.number + 1) }
        }
        try player(item(server))
        #expect(try rig.render(Self.frames) == PlayerRig.noise(0..<Self.frames))
        #expect(server.requests.count == 5)
    }

    @Test("A length that is too large ends with the bytes that are there, and an error", arguments: [true, false])
    func tooLong(hasRanges: Bool) throws {
        // The header of the file has the length it should have; half of it is there.
        let server = try HTTPServer(Array(bytes.prefix(200_044)), hasRanges: hasRanges, announced: bytes.count)
        let item = try item(server), player = player(item)
        let failed = NotificationCount(AVPlayerItem.failedToPlayToEndTimeNotification, item)
        let sound = try rig.render(Self.frames)
        let heard = sound.lastIndex { $0 != 0 } ?? 0
        #expect(
            heard > 40_000 && heard < 50_100 && sound.prefix(heard) == PlayerRig.noise(0..<Self.frames).prefix(heard))
        #expect(failed.count == 1 && failed.errors.first?.domain == NSURLErrorDomain)
        #expect(failed.errors.first?.code == NSURLErrorNetworkConnectionLost)
        #expect(player.rate == 0 && waitUntil { item.status == .failed })
    }

    @Test("A length that is too small ends the sound where it ends")
    func tooShort() throws {
        let server = try HTTPServer(bytes, announced: 200_044), item = try item(server), player = player(item)
        let sound = try rig.render(60_000)
        let heard = (sound.lastIndex { $0 != 0 } ?? 0) + 1
        #expect(heard <= 50_010 && heard > 49_990 && sound.prefix(heard) == PlayerRig.noise(0..<60_000).prefix(heard))
        #expect(player.rate == 0)
    }

    #if FFmpeg
    @Test("An M4A is loaded as a whole, and played")
    func mpeg4() throws {
        let path = rig.folder.path("a.m4a"), tone = Signal.sine(500, count: 60_000, amplitude: 0.5)
        let writer = try AudioFileWriter(
            FileEncoderRequest(path: path, container: .mpeg4, codec: .aac, sampleRate: 48_000, channelCount: 1))
        let plane = tone.map { Double($0) }
        try plane.withUnsafeBufferPointer { samples in
            if let start = samples.baseAddress { try writer.write([start], frames: samples.count) }
        }
        writer.close()
        let server = try HTTPServer([UInt8](Data(contentsOf: URL(fileURLWithPath: path)))), item = try item(server)
        player(item)
        let found = Measure.pitch(near: 500, in: Array(try rig.render(19_200).dropFirst(9600)))
        #expect((found.frequency / 500 - 1).magnitude < 1e-3 && (found.amplitude - 0.5).magnitude < 0.05)
        #expect(item.duration == CMTime(value: 60_000, timescale: 48_000))
    }
    #endif

    @Test("A length that the server does not send is known at the end")
    func noLength() throws {
        let server = try HTTPServer(bytes, hasRanges: false) { $1.length = nil }
        try player(item(server))
        #expect(try rig.render(Self.frames) == PlayerRig.noise(0..<Self.frames))
    }

    @Test("A stall is posted, the player waits, and goes on without a lost sample when bytes come")
    func stalls() throws {
        let server = try HTTPServer(bytes) { if $0.number == 0 { $1.stall = 200_000 } }
        let item = try item(server), player = player(item, limit: 0.3)
        let stalled = NotificationCount(AVPlayerItem.playbackStalledNotification, item)
        var sound: [Float] = []
        #expect(
            waitUntil {
                sound += (try? rig.render(1000)) ?? []
                return stalled.count == 1 || sound.count > 2_000_000
            })
        #expect(player.timeControlStatus == .waitingToPlayAtSpecifiedRate && player.rate == 1)
        #expect(player.reasonForWaitingToPlay == .toMinimizeStalls && item.isPlaybackBufferEmpty)
        let place = Int(player.currentTime().value)
        #expect(place > 40_000 && place < 50_000 && !item.isPlaybackLikelyToKeepUp)
        player.offlineDataTimeLimit = 20
        server.release()
        #expect(waitUntil { item.isPlaybackLikelyToKeepUp })
        let rest = try rig.render(Self.frames)
        let begin = rest.firstIndex { $0 != 0 } ?? 0
        #expect(
            rest[begin..<begin + 40_000].elementsEqual(PlayerRig.noise(place..<place + 40_000)) && stalled.count == 1)
    }

    @Test("A player that does not wait is paused by a stall")
    func impatient() throws {
        let server = try HTTPServer(bytes) { if $0.number == 0 { $1.stall = 100_000 } }
        defer { server.release() }
        let item = try item(server), player = rig.player(item, limit: 0.3)
        player.automaticallyWaitsToMinimizeStalling = false
        let stalled = NotificationCount(AVPlayerItem.playbackStalledNotification, item)
        #expect(waitUntil { item.status == .readyToPlay })
        player.playImmediately(atRate: 1)
        _ = try rig.render(30_000)
        #expect(
            stalled.count == 1 && player.rate == 0 && player.timeControlStatus == .paused && item.status == .readyToPlay
        )
    }

    @Test("A server that falls silent for good ends in a time-out")
    func timeOut() throws {
        let server = try HTTPServer(bytes, hasRanges: false) { $1.stall = 100_000 }
        defer { server.release() }
        let item = try item(server, timeout: 1), player = player(item, limit: 0.1)
        let failed = NotificationCount(AVPlayerItem.failedToPlayToEndTimeNotification, item)
        #expect(
            waitUntil(limit: 60) {
                _ = try? rig.render(1000)
                return failed.count == 1
            })
        #expect(failed.errors.first?.code == NSURLErrorTimedOut && player.rate == 0)
    }

    @Test(
        "Refusals are errors with Apple's codes",
        arguments: [
            (404, NSURLErrorFileDoesNotExist), (403, NSURLErrorNoPermissionsToReadFile),
            (401, NSURLErrorUserAuthenticationRequired), (500, NSURLErrorBadServerResponse),
        ])
    func refusals(status: Int, code: Int) async throws {
        let server = try HTTPServer { _ in
            HTTPServer.Answer(status: status, length: 5, body: Array("sorry".utf8)[...])
        }
        let item = try item(server), player = player(item)
        #expect(waitUntil { item.status == .failed && player.rate == 0 })
        let error = try #require(item.error as? NSError)
        #expect(error.domain == NSURLErrorDomain && error.code == code)
        await #expect(throws: (any Error).self) { try await item.asset.load(.duration) }
    }

    @Test("A redirect is followed, a circle of them is an error")
    func redirects() throws {
        let bytes = bytes
        let server = try HTTPServer { request in
            if request.path == "/b.wav" { return HTTPServer.Answer(length: bytes.count, body: bytes[...]) }
            let target = request.path == "/a.wav" ? "/b.wav" : request.path
            return HTTPServer.Answer(status: 302, headers: ["Location: \(target)"], length: 0)
        }
        let player = try player(item(server))
        #expect(try rig.render(5000) == PlayerRig.noise(0..<5000))
        let circle = AVPlayerItem(url: try server.url("circle.wav"))
        player.replaceCurrentItem(with: circle)
        #expect(waitUntil { circle.status == .failed })
        #expect((circle.error as? NSError)?.code == NSURLErrorHTTPTooManyRedirects)
    }

    @Test("An address without a server, and what is no sound, are errors")
    func noServer() throws {
        let port = try HTTPServer(bytes).port
        let item = AVPlayerItem(url: try #require(URL(string: "http://127.0.0.1:\(port)/a.wav")))
        let player = player(item)
        #expect(waitUntil { item.status == .failed } && (item.error as? NSError)?.code == NSURLErrorCannotConnectToHost)
        let server = try HTTPServer([UInt8](repeating: 65, count: 3000)), text = try self.item(server)
        player.replaceCurrentItem(with: text)
        #expect(waitUntil { text.status == .failed } && text.error is OssicleError)
    }

    @Test("Facts of an address are loaded as of a file")
    func facts() async throws {
        let server = try HTTPServer(bytes), asset = AVURLAsset(url: try server.url())
        let (duration, isPlayable) = try await asset.load(.duration, .isPlayable)
        let tracks = try await asset.loadTracks(withMediaType: .audio)
        #expect(duration == CMTime(value: Int64(Self.frames), timescale: 48_000) && isPlayable)
        #expect(tracks.map(\.mediaType) == [.audio] && tracks.first?.asset === asset)
    }

    @Test("Ranges of bytes are joined, and gaps found")
    func ranges() {
        var ranges = ByteRanges()
        ranges.insert(10..<20)
        ranges.insert(30..<40)
        ranges.insert(0..<5)
        #expect(ranges.firstMissing(from: 0) == 5 && ranges.firstMissing(from: 12) == 20 && !ranges.contains(15..<31))
        ranges.insert(18..<30)
        #expect(ranges.ranges == [0..<5, 10..<40] && ranges.contains(10..<40) && ranges.count == 35)
    }
}
