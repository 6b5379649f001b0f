import AVFoundation

/// Records a memo and plays it back, as an app with two buttons does.
final class Memo: NSObject, AVAudioRecorderDelegate, AVAudioPlayerDelegate {
    private let url: URL
    private let recorder: AVAudioRecorder
    private var player: AVAudioPlayer?
    private var chime: AVAudioPlayer?
    /// Levels while it was recorded, in dBFS.
    private(set) var levels: [Float] = []
    private(set) var isPlayed = false

    init(url: URL, chime: URL) throws {
        self.url = url
        recorder = try AVAudioRecorder(
            url: url,
            settings: [
                AVFormatIDKey: kAudioFormatFLAC, AVSampleRateKey: 44_100.0, AVNumberOfChannelsKey: 1,
                AVEncoderBitDepthHintKey: 16,
            ])
        self.chime = try AVAudioPlayer(contentsOf: chime)
        super.init()
        recorder.delegate = self
        recorder.isMeteringEnabled = true
    }

    func record(seconds: TimeInterval) -> Bool { recorder.record(forDuration: seconds) }

    /// For the needle; an app calls it from a timer.
    func readLevel() {
        guard recorder.isRecording else { return }
        recorder.updateMeters()
        levels.append(recorder.averagePower(forChannel: 0))
    }

    /// Plays the memo as soon as it is closed, a little faster, and a chime on its first frame.
    func audioRecorderDidFinishRecording(_ recorder: AVAudioRecorder, successfully flag: Bool) {
        guard flag, let player = try? AVAudioPlayer(contentsOf: url), let chime else { return }
        self.player = player
        player.delegate = self
        player.enableRate = true
        player.rate = 1.25
        chime.pan = -1
        chime.volume = 0.5
        let start = player.deviceCurrentTime + 0.1
        player.play(atTime: start)
        chime.play(atTime: start)
    }

    func audioPlayerDidFinishPlaying(_ player: AVAudioPlayer, successfully flag: Bool) { isPlayed = flag }
}
