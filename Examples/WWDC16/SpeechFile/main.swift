// The README's lines of AVAudioConverter, run as they stand there: `Scripts/client` compares the two. Around them only
// a sound to convert and the question what became of it.
import Foundation
import Workbench

let folder = temporaryFile("SpeechFile")
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
_ = FileManager.default.changeCurrentDirectoryPath(folder.path)
try makeTalk(at: URL(fileURLWithPath: "talk.flac"))

// README
import AVFAudio

let source = try AVAudioFile(forReading: URL(fileURLWithPath: "talk.flac"))
let speech = AVAudioFormat(commonFormat: .pcmFormatInt16, sampleRate: 16_000, channels: 1, interleaved: true)!
let target = try AVAudioFile(
    forWriting: URL(fileURLWithPath: "talk.wav"), settings: speech.settings,
    commonFormat: .pcmFormatInt16, interleaved: true)
let converter = AVAudioConverter(from: source.processingFormat, to: speech)!
converter.downmix = true
let piece = AVAudioPCMBuffer(pcmFormat: speech, frameCapacity: 4096)!
var status = AVAudioConverterOutputStatus.haveData
while status != .endOfStream {
    var failure: NSError?
    status = converter.convert(to: piece, error: &failure) { packets, status in
        let buffer = AVAudioPCMBuffer(pcmFormat: source.processingFormat, frameCapacity: packets)!
        try? source.read(into: buffer)
        status.pointee = buffer.frameLength > 0 ? .haveData : .endOfStream
        return buffer
    }
    if let failure { throw failure }
    try target.write(from: piece)
}
target.close()
// README

let written = try AVAudioFile(forReading: URL(fileURLWithPath: "talk.wav"))
let whole = AVAudioPCMBuffer(pcmFormat: written.processingFormat, frameCapacity: AVAudioFrameCount(written.length))!
try written.read(into: whole)
let samples = whole.samples()
let take = Take(rate: 16_000, left: samples, right: samples)
Report.on("The README's lines of AVAudioConverter") { report in
    let (voice, whistle) = (take.level(at: 440, from: 0.2, to: 0.8), take.level(at: 6000, from: 0.2, to: 0.8))
    report.fact(
        "two seconds of 48 kHz stereo became \(written.length) frames of 16 kHz mono: the voice at \(voice.rounded(to: 2)) dB"
    )
    try report.require(
        written.length == 32_000 && written.fileFormat.commonFormat == .pcmFormatInt16,
        "the file has \(written.length) frames of \(written.fileFormat)")
    try report.require(abs(voice - 20 * log10(0.4)) < 0.2, "the voice came out at \(voice) dB")
    try report.require(whistle < -80, "a whistle at 10 kHz came down to 6 kHz at \(whistle) dB")
}
