import OssicleAVFAudio
import OssicleCodecs
import OssicleCoreAudioTypes
import OssicleFiles
import OssicleTestSupport
import Synchronization
@testable import OssicleAVFoundation

/// Files for players, and players of an offline device.
final class PlayerRig {
    let folder: TemporaryFolder
    let device: OfflineAudioDevice
    private var count = 0
    /// A device renders a player only while it lives.
    private var players: [AVPlayer] = []

    enum Failure: Error { case format, buffer }

    init(rate: Double = 48_000) throws {
        folder = try TemporaryFolder()
        guard let format = AVAudioFormat(standardFormatWithSampleRate: rate, channels: 2) else { throw Failure.format }
        device = try OfflineAudioDevice(format: format)
    }

    /// Frame n of a signal without two equal neighbours, in 24 bits.
    static func noise(_ frame: Int, seed: Int = 0) -> Float {
        var x = UInt64(bitPattern: Int64(frame &* 7 &+ seed &* 1_000_003 &+ 1)) &* 0x9E37_79B9_7F4A_7C15
        x ^= x >> 29
        x = x &* 0xBF58_476D_1CE4_E5B9
        x ^= x >> 32
        return Float(Int32(truncatingIfNeeded: x) >> 9) * 0x1p-24
    }

    static func noise(_ range: Range<Int>, seed: Int = 0) -> [Float] { range.map { noise($0, seed: seed) } }

    /// A mono file of these samples.
    func file(
        _ samples: [Float], rate: Double = 48_000, _ container: AudioContainer = .wav, _ codec: AudioCodec = .float32
    ) throws -> URL {
        count += 1
        let path = folder.path("\(count).\(container == .wav ? "wav" : "flac")")
        let writer = try AudioFileWriter(
            FileEncoderRequest(path: path, container: container, codec: codec, sampleRate: rate, channelCount: 1))
        let plane = samples.map { Double($0) }
        try plane.withUnsafeBufferPointer { samples in
            guard let start = samples.baseAddress else { return }
            try writer.write([start], frames: samples.count)
        }
        writer.close()
        return URL(fileURLWithPath: path)
    }

    /// A file of noise.
    func noiseFile(_ frames: Int, seed: Int = 0) throws -> URL { try file(Self.noise(0..<frames, seed: seed)) }

    /// A player at the device that keeps its errors to itself.
    func player(_ item: AVPlayerItem?, limit: Double = 20) -> AVPlayer {
        device.use { prepared(AVPlayer(playerItem: item), limit) }
    }

    func player(_ items: [AVPlayerItem]) -> AVQueuePlayer { device.use { prepared(AVQueuePlayer(items: items), 20) } }

    private func prepared<Player: AVPlayer>(_ player: Player, _ limit: Double) -> Player {
        player.errorHandler = { _ in }
        player.offlineDataTimeLimit = limit
        players.append(player)
        return player
    }

    /// The next frames of the left channel.
    func render(_ frames: Int, callsOf size: Int = 1000) throws -> [Float] {
        guard let buffer = AVAudioPCMBuffer(pcmFormat: device.format, frameCapacity: AVAudioFrameCount(size)) else {
            throw Failure.buffer
        }
        var sound: [Float] = []
        while sound.count < frames {
            let count = min(size, frames - sound.count)
            try device.render(AVAudioFrameCount(count), to: buffer)
            sound += UnsafeBufferPointer(start: buffer.floatChannelData?[0], count: count)
        }
        return sound
    }
}

/// What handlers note, from any thread.
final class Notes<Value: Sendable>: Sendable {
    private let kept = Mutex<[Value]>([])
    var all: [Value] { kept.withLock { $0 } }
    func add(_ value: Value) { kept.withLock { $0.append(value) } }
}

/// Counts a notification of one item.
final class NotificationCount: @unchecked Sendable {
    private let notes = Notes<AVPlayerItemError>()
    private var token: (any NSObjectProtocol)?
    typealias AVPlayerItemError = NSError?

    init(_ name: NSNotification.Name, _ item: AVPlayerItem) {
        token = NotificationCenter.default.addObserver(forName: name, object: item, queue: nil) { [notes] note in
            notes.add(note.userInfo?[AVPlayerItemFailedToPlayToEndTimeErrorKey] as? NSError)
        }
    }

    deinit { if let token { NotificationCenter.default.removeObserver(token) } }

    var count: Int { notes.all.count }
    var errors: [NSError] { notes.all.compactMap { $0 } }
}
