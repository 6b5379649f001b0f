import AVFoundation
import Workbench

// Copies a sound with the C interface, as programs older than AVAudioFile do: from a file of one rate and form to one
// of another.
Report.on("A copy made with ExtAudioFile") { report in
    let original = temporaryFile("TapeCopy-original"),
        copy = temporaryFile("TapeCopy-copy").deletingPathExtension().appendingPathExtension("aiff")
    try AVAudioPCMBuffer.mono(seconds: 1, rate: 44_100) { 0.5 * sin(2 * .pi * 1000 * $0) }.write(to: original)
    try TapeDeck.copy(original, to: copy, rate: 48_000)

    let file = try AVAudioFile(forReading: copy)
    let sound = AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: AVAudioFrameCount(file.length))
    guard let sound else { throw Failure("no buffer for \(file.length) frames") }
    try file.read(into: sound)
    let take = Take(rate: 48_000, left: sound.samples(), right: sound.samples())
    let level = take.level(at: 1000, from: 0.1, to: 0.9)
    report.fact(
        "one second at 44.1 kHz became \(file.length) frames of 24-bit AIFF at 48 kHz, the tone at \(level.rounded(to: 3)) dB"
    )
    try report.require(abs(Int(file.length) - 48_000) <= 1, "the copy has \(file.length) frames")
    try report.require(abs(level - 20 * log10(0.5)) < 0.01, "the tone came out at \(level) dB")
}
