// The README's lines of AVAudioEngine, run as they stand there: `Scripts/client` compares the two. Around them only a
// sound to play and the question what became of it.
import Foundation
import Workbench

let folder = temporaryFile("Hall")
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
_ = FileManager.default.changeCurrentDirectoryPath(folder.path)
try AVAudioPCMBuffer.mono(seconds: 1, rate: 48_000) {
    0.4 * envelope($0, length: 1, attack: 0.01, release: 0.1) * sin(2 * .pi * 440 * $0)
}
.write(to: URL(fileURLWithPath: "drums.wav"))

// README
import AVFAudio

let engine = AVAudioEngine(), player = AVAudioPlayerNode(), pitch = AVAudioUnitTimePitch(), hall = AVAudioUnitReverb()
let file = try AVAudioFile(forReading: URL(fileURLWithPath: "drums.wav"))
let format = file.processingFormat
try engine.enableManualRenderingMode(.offline, format: format, maximumFrameCount: 4096)
for node in [player, pitch, hall] as [AVAudioNode] { engine.attach(node) }
pitch.pitch = 700
hall.loadFactoryPreset(.largeHall)
hall.wetDryMix = 30
try engine.connectNode(player, to: pitch, format: format)
try engine.connectNode(pitch, to: hall, format: format)
try engine.connectNode(hall, to: engine.mainMixerNode, format: format)
try engine.start()
player.scheduleFile(file, at: nil)
player.play()
let output = try AVAudioFile(forWriting: URL(fileURLWithPath: "hall.wav"), settings: file.fileFormat.settings)
let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 4096)!
while engine.manualRenderingSampleTime < file.length + Int64(format.sampleRate) {
    try engine.renderOffline(4096, to: buffer)
    try output.write(from: buffer)
}
// README

output.close()
let written = try AVAudioFile(forReading: URL(fileURLWithPath: "hall.wav"))
let sound = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: AVAudioFrameCount(written.length))!
try written.read(into: sound)
let samples = sound.samples()
let take = Take(rate: 48_000, left: samples, right: samples)
Report.on("The README's lines of AVAudioEngine") { report in
    let (raised, original) = (
        take.level(at: 440 * pow(2, 7.0 / 12), from: 0.2, to: 0.8), take.level(at: 440, from: 0.2, to: 0.8)
    )
    let tail = take.level(from: 1.2, to: 1.5)
    report.fact(
        "a fifth higher: 659 Hz at \(raised.rounded(to: 1)) dB, 440 Hz at \(original.rounded(to: 1)) dB; the hall after it \(tail.rounded(to: 1)) dB"
    )
    try report.require(raised > original + 30 && tail > -70, "the pitch was not raised, or there is no hall")
}
