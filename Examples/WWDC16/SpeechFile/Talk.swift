import AVFoundation
import Workbench

/// Two seconds of stereo at 48 kHz: a voice at 440 Hz in the middle, and a whistle at 10 kHz that 16 kHz cannot hold.
func makeTalk(at url: URL) throws {
    let voice = (0..<96_000).map { 0.4 * sin(2 * .pi * 440 * Double($0) / 48_000) }
    let whistle = (0..<96_000).map { 0.2 * sin(2 * .pi * 10_000 * Double($0) / 48_000) }
    let sum = zip(voice, whistle).map { Float($0 + $1) }
    let buffer = try AVAudioPCMBuffer.holding([sum, sum], rate: 48_000)
    let file = try AVAudioFile(
        forWriting: url, settings: [AVFormatIDKey: kAudioFormatFLAC, AVSampleRateKey: 48_000, AVNumberOfChannelsKey: 2])
    try file.write(from: buffer)
    file.close()
}
