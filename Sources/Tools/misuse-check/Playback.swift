import Foundation
import OssicleAVFAudio
import OssicleAVFoundation

/// A player that renders offline, and a file for it.
private struct OfflinePlayer {
    let device: OfflineAudioDevice
    let player: AVQueuePlayer
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("misuse-\(UUID().uuidString)")
    let url: URL
    let buffer: AVAudioPCMBuffer

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        url = folder.appendingPathComponent("a.wav")
        guard let format = AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2),
            let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 4096)
        else { throw MisuseFailure("no buffer") }
        self.buffer = buffer
        buffer.frameLength = 4096
        let file = try AVAudioFile(forWriting: url, settings: format.settings)
        for _ in 0..<4 { try file.write(from: buffer) }
        file.close()
        device = try OfflineAudioDevice(format: format)
        player = device.use { AVQueuePlayer() }
        player.errorHandler = { _ in }
    }

    func item() -> AVPlayerItem { AVPlayerItem(url: url) }
    func render() throws { try device.render(4096, to: buffer) }
    func end() { try? FileManager.default.removeItem(at: folder) }
}

private let hostileTimes: [CMTime] =
    Hostile.doubles.map { CMTime(seconds: $0, preferredTimescale: 48_000) }
    + [
        .invalid, .indefinite, CMTime(value: .max, timescale: 1), CMTime(value: .min, timescale: .max),
        CMTime(value: 1, timescale: -1, flags: .valid, epoch: 9), CMTime(value: 1, timescale: .max),
    ]

/// AVPlayer, its items, queues and loops.
let playbackCases: [MisuseCase] = [
    MisuseCase("playback: rates, volumes and times that are none") {
        let stage = try OfflinePlayer(), item = stage.item()
        defer { stage.end() }
        stage.player.insert(item, after: nil)
        stage.player.play()
        for value in Hostile.floats {
            note("\(value)")
            stage.player.defaultRate = value
            stage.player.rate = value
            stage.player.volume = value
            stage.player.playImmediately(atRate: value)
            item.preferredForwardBufferDuration = TimeInterval(value)
            try stage.render()
        }
        for time in hostileTimes {
            note("\(time)")
            stage.player.seek(to: time)
            item.seek(to: time)
            item.forwardPlaybackEndTime = time
            item.reversePlaybackEndTime = time
            stage.player.setRate(1, time: time, atHostTime: time)
            stage.player.rate = 1
            try stage.render()
            _ = (item.currentTime(), item.loadedTimeRanges, item.seekableTimeRanges)
        }
    },
    MisuseCase("playback: observers and mixes") {
        let stage = try OfflinePlayer(), item = stage.item(), other = AVPlayer()
        defer { stage.end() }
        other.errorHandler = { _ in }
        stage.player.insert(item, after: nil)
        let mix = AVMutableAudioMix(), parameters = AVMutableAudioMixInputParameters(track: nil)
        parameters.trackID = 1
        for time in hostileTimes {
            note("\(time)")
            let token = stage.player.addPeriodicTimeObserver(forInterval: time, queue: nil) { _ in }
            other.removeTimeObserver(token)
            _ = stage.player.addBoundaryTimeObserver(forTimes: [NSValue(time: time), 7 as NSNumber], queue: nil) {}
            parameters.setVolumeRamp(
                fromStartVolume: .nan, toEndVolume: .infinity, timeRange: CMTimeRange(start: time, duration: time))
            parameters.setVolume(-1, at: time)
            parameters.getVolumeRamp(for: time, startVolume: nil, endVolume: nil, timeRange: nil)
        }
        stage.player.removeTimeObserver("a token")
        mix.inputParameters = [parameters, parameters]
        item.audioMix = mix
        stage.player.play()
        for _ in 0..<5 { try stage.render() }
    },
    MisuseCase("playback: queues and loops in disorder") {
        let stage = try OfflinePlayer(), item = stage.item(), other = AVPlayer(playerItem: stage.item())
        defer { stage.end() }
        other.errorHandler = { _ in }
        stage.player.insert(item, after: item)
        stage.player.insert(item, after: nil)
        stage.player.insert(item, after: nil)
        other.replaceCurrentItem(with: item)
        stage.player.remove(stage.item())
        stage.player.play()
        try stage.render()
        for time in [CMTime.invalid, .positiveInfinity, CMTime(value: 100, timescale: 48_000), hostileTimes[8]] {
            note("\(time)")
            let range = CMTimeRange(start: time, duration: CMTime(value: 4800, timescale: 48_000))
            let looper = AVPlayerLooper(player: stage.player, templateItem: item, timeRange: range)
            try stage.render()
            looper.disableLooping()
            looper.disableLooping()
            stage.player.advanceToNextItem()
        }
        stage.player.removeAllItems()
        stage.player.advanceToNextItem()
        try stage.render()
        try expectThrown("a buffer that is too small") {
            try stage.device.render(.max, to: stage.buffer)
        }
        try expect(other.lastError != nil, "an item of another player was taken")
    },
    MisuseCase("playback: system sounds") {
        for id in [0, 1, .max, kSystemSoundID_Vibrate, kSystemSoundID_FlashScreen] as [SystemSoundID] {
            note("\(id)")
            AudioServicesPlaySystemSound(id)
            AudioServicesRemoveSystemSoundCompletion(id)
            try expect(AudioServicesDisposeSystemSoundID(id) != noErr, "\(id) was disposed of")
        }
        var id: SystemSoundID = 0
        for name in Hostile.names {
            let url = NSURL(fileURLWithPath: "/nowhere/" + name.prefix(100))
            try expect(AudioServicesCreateSystemSoundID(url, &id) != noErr, "a sound was made of nothing")
        }
    },
]
