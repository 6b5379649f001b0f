import Foundation
import OssicleAVFAudio
import OssicleCoreAudioTypes

/// A device rendered by hand, with an input of silence.
private struct OfflineStage {
    let device: OfflineAudioDevice
    let buffer: AVAudioPCMBuffer
    let folder = try? Folder()

    init() throws {
        guard let format = AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2),
            let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 4096)
        else { throw MisuseFailure("no format") }
        device = try OfflineAudioDevice(format: format, inputFormat: format)
        self.buffer = buffer
    }

    func render() throws { try device.render(4096, to: buffer) }

    func player(frames: UInt32 = 5000) throws -> AVAudioPlayer {
        guard let file = try folder?.sound(frames: frames) else { throw MisuseFailure("no folder") }
        return try device.use { try AVAudioPlayer(contentsOf: file.url) }
    }
}

/// AVAudioPlayer and AVAudioRecorder.
let soundCases: [MisuseCase] = [
    MisuseCase("players: numbers that are none, times and channels there are not") {
        let stage = try OfflineStage(), player = try stage.player()
        player.enableRate = true
        for value in Hostile.doubles {
            note("\(value)")
            player.currentTime = value
            player.play(atTime: value)
            (player.volume, player.pan, player.rate) = (Float(value), Float(value), Float(value))
            player.setVolume(Float(value), fadeDuration: value)
            try stage.render()
            player.play()
            player.setVolume(1, fadeDuration: value)
            try stage.render()
        }
        for count in [Int.min, -1, 0, 1, .max] {
            note("loops and channel \(count)")
            player.numberOfLoops = count
            player.isMeteringEnabled.toggle()
            player.updateMeters()
            _ = (player.peakPower(forChannel: count), player.averagePower(forChannel: count))
            player.play()
            try stage.render()
        }
        player.channelAssignments = []
        try expect(player.channelAssignments == nil, "assignments of no channels were taken")
    },
    MisuseCase("recorders: settings, times and places that cannot be") {
        let stage = try OfflineStage()
        let place = FileManager.default.temporaryDirectory.appendingPathComponent("ossicle-misuse-\(UUID()).wav")
        defer { try? FileManager.default.removeItem(at: place) }
        for value in [NSNull(), -1, Double.nan, "x", Data(), [1], UInt64.max] as [Any] {
            for key in [AVFormatIDKey, AVSampleRateKey, AVNumberOfChannelsKey, AVAudioFileTypeKey, AVChannelLayoutKey] {
                note("\(key) \(value)")
                let recorder = try? stage.device.use { try AVAudioRecorder(url: place, settings: [key: value]) }
                recorder?.record()
                try stage.render()
            }
        }
        let recorder = try stage.device.use { try AVAudioRecorder(url: place, settings: [:]) }
        for value in Hostile.doubles {
            note("\(value)")
            recorder.record(atTime: value, forDuration: value)
            recorder.record(forDuration: value)
            recorder.pause()
            recorder.record(atTime: value)
            try stage.render()
            recorder.deleteRecording()
            recorder.stop()
        }
        _ = recorder.peakPower(forChannel: .min)
    },
]
