import AVFoundation

/// Plays a file through an equaliser, with the controls an app would show: play, pause, a slider for the place, five
/// for the bands.
///
///     player ──▶ equaliser ──▶ main mixer ──▶ output
final class StreamingPlayer {
    static let bands: [Float] = [60, 250, 1000, 4000, 12_000]
    let engine = AVAudioEngine()
    let equaliser = AVAudioUnitEQ(numberOfBands: bands.count)
    private let player = AVAudioPlayerNode()
    private let file: AVAudioFile
    private var rate: Double { file.processingFormat.sampleRate }
    /// Frame of the file that player time 0 stands for.
    private var start: AVAudioFramePosition = 0

    init(_ url: URL) throws {
        file = try AVAudioFile(forReading: url)
        for (band, frequency) in zip(equaliser.bands, Self.bands) {
            band.filterType = .parametric
            band.frequency = frequency
            band.bandwidth = 1
            band.bypass = false
        }
        engine.attach(player)
        engine.attach(equaliser)
        engine.connect(player, to: equaliser, format: file.processingFormat)
        engine.connect(equaliser, to: engine.mainMixerNode, format: file.processingFormat)
        schedule()
    }

    func play() throws {
        try engine.start()
        player.play()
    }

    func pause() { player.pause() }

    /// Goes on from another place. A player that stops forgets what it was to play, so the rest of the file is
    /// scheduled anew.
    func seek(to seconds: Double) {
        let wasPlaying = player.isPlaying
        player.stop()
        start = min(max(AVAudioFramePosition((seconds * rate).rounded()), 0), file.length)
        schedule()
        if wasPlaying { player.play() }
    }

    private func schedule() {
        player.scheduleSegment(file, startingFrame: start, frameCount: AVAudioFrameCount(file.length - start), at: nil)
    }

    /// Seconds of the file that have been played; `nil` while it stands still.
    var progress: Double? {
        guard let now = player.lastRenderTime, let time = player.playerTime(forNodeTime: now) else { return nil }
        return Double(min(start + time.sampleTime, file.length)) / rate
    }
}
