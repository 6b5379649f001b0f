import AVFoundation
import Workbench

// A voice memo with AVAudioRecorder and AVAudioPlayer. At a device `memo` alone is the program; here an offline device
// stands in, whose input is a voice and whose sound is kept.
Report.on("A voice memo") { report in
    let rate = 48_000.0, block: AVAudioFrameCount = 480
    let file = temporaryFile("VoiceMemo-memo").deletingPathExtension().appendingPathExtension("flac"),
        bell = temporaryFile("VoiceMemo-bell")
    try AVAudioPCMBuffer.mono(seconds: 0.2, rate: rate) {
        0.5 * sin(2 * .pi * 2000 * $0) * envelope($0, length: 0.2, release: 0.1)
    }.write(to: bell)
    let voice = try AVAudioPCMBuffer.mono(seconds: 1, rate: rate) { 0.4 * sin(2 * .pi * 200 * $0) }

    guard let input = AVAudioFormat(standardFormatWithSampleRate: rate, channels: 1),
        let output = AVAudioFormat(standardFormatWithSampleRate: rate, channels: 2),
        let piece = AVAudioPCMBuffer(pcmFormat: output, frameCapacity: block),
        let given = AVAudioPCMBuffer(pcmFormat: input, frameCapacity: 4096)
    else { throw Failure("no buffers") }
    var next = 0
    let device = try OfflineAudioDevice(format: output, inputFormat: input) { frames in
        for frame in 0..<Int(frames) {
            given.floatChannelData?[0][frame] = voice.floatChannelData?[0][(next + frame) % Int(rate)] ?? 0
        }
        next += Int(frames)
        given.frameLength = frames
        return given.audioBufferList
    }

    try device.use {
        let memo = try Memo(url: file, chime: bell)
        try report.require(memo.record(seconds: 2), "the recorder does not start")
        var (left, right) = ([Float](), [Float]())
        while !memo.isPlayed, left.count < Int(6 * rate) {
            try device.render(block, to: piece)
            left += piece.samples(0)
            right += piece.samples(1)
            memo.readLevel()
        }
        let take = Take(rate: rate, left: right, right: left)
        try report.heard(take, as: "VoiceMemo")
        let recorded = try AVAudioFile(forReading: file)
        let level = take.level(at: 200, from: 2.3, to: 3.5)
        report.fact(
            "\(recorded.length) frames of FLAC at 44.1 kHz; played at 1.25 the voice is still at 200 Hz, \(level.rounded(to: 2)) dB"
        )
        try report.require(abs(recorded.length - 88_200) <= 1, "the memo has \(recorded.length) frames")
        try report.require(abs(level - 20 * log10(0.4)) < 0.3, "the voice came out at \(level) dB")
        let needle = memo.levels.max() ?? -160
        try report.require(abs(Double(needle) - 20 * log10(0.4) + 3.01) < 0.1, "the needle stood at \(needle) dB")
        try report.require(memo.isPlayed, "the memo did not come to its end")
        let bells = Take(rate: rate, left: left, right: left)
        let bellLevel = bells.level(at: 2000, from: 2.1, to: 2.2)
        report.fact("the bell, left and at half its volume, is at \(bellLevel.rounded(to: 2)) dB")
        try report.require(abs(bellLevel - 20 * log10(0.25)) < 0.5, "the bell came out at \(bellLevel) dB")
        try report.require(
            take.level(at: 2000, from: 2.1, to: 2.2) < -60, "the bell is heard on the right")
    }
}
