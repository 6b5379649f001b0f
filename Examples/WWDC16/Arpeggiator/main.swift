import AVFoundation
import Units
import Workbench

// A chord that a sequencer holds down, taken apart by an arpeggiator of one's own, played by a synthesiser of one's
// own, behind a chorus of one's own, while the tempo changes from 120 to 90. Offline, and every step is where it
// belongs.
Report.on("Arpeggiator") { report in
    ArpeggiatorUnit.register()
    SynthesiserUnit.register()
    ChorusUnit.register()
    let engine = AVAudioEngine()
    let recorder = try Recorder(of: engine)
    let synthesiser = AVAudioUnitMIDIInstrument(audioComponentDescription: SynthesiserUnit.component)
    let chorus = AVAudioUnitEffect(audioComponentDescription: ChorusUnit.component)
    let arpeggiator = try made(ArpeggiatorUnit.component)
    for node in [synthesiser, chorus, arpeggiator] { engine.attach(node) }
    engine.connect(synthesiser, to: chorus, format: engine.manualRenderingFormat)
    engine.connect(chorus, to: engine.mainMixerNode, format: engine.manualRenderingFormat)

    let onsets = Onsets()
    engine.connectMIDI(arpeggiator, to: synthesiser, format: nil) { frame, _, list in
        onsets.note(frame, list.pointee.packet.words.0)
        return noErr
    }
    let sequencer = AVAudioSequencer(audioEngine: engine)
    sequencer.tempoTrack.addEvent(AVExtendedTempoEvent(tempo: 120), at: 0)
    sequencer.tempoTrack.addEvent(AVExtendedTempoEvent(tempo: 90), at: 4)
    let track = sequencer.createAndAppendTrack()
    track.destinationAudioUnit = arpeggiator
    for key in [57, 60, 64] as [UInt32] {
        track.addEvent(AVMIDINoteEvent(channel: 0, key: key, velocity: 90, duration: 7.9), at: 0)
    }
    try engine.start()
    try sequencer.start()
    try recorder.record(seconds: 6)
    sequencer.stop()
    try report.heard(recorder.take, as: "Arpeggiator")

    let expected = (0..<32).map { sequencer.seconds(forBeats: Double($0) / 4) * recorder.take.rate }
    let heard = onsets.all
    try report.require(heard.count == expected.count, "\(heard.count) steps, not \(expected.count)")
    let farthest = zip(heard, expected).map { abs(Double($0.frame) - $1) }.max() ?? 0
    try report.require(farthest <= 1, "a step is \(farthest) frames beside its place")
    let keys = heard.prefix(4).map(\.key)
    try report.require(keys == [57, 60, 64, 57], "the run begins with \(keys)")
    report.fact(
        "32 steps through a change of tempo, each within \(String(format: "%.2f", farthest)) frames of its beat")
}

/// The node of a component, which is made on another thread.
func made(_ component: AudioComponentDescription) throws -> AVAudioUnit {
    final class Made: @unchecked Sendable {
        let done = DispatchSemaphore(value: 0)
        var unit: AVAudioUnit?
    }
    let made = Made()
    AVAudioUnit.instantiate(with: component) { unit, _ in
        made.unit = unit
        made.done.signal()
    }
    made.done.wait()
    guard let unit = made.unit else { throw CocoaError(.featureUnsupported) }
    return unit
}

/// Notes that begin, from the thread that renders offline, which is this one.
final class Onsets: @unchecked Sendable {
    private(set) var all: [(frame: Int64, key: Int)] = []

    func note(_ frame: Int64, _ word: UInt32) {
        if word >> 20 & 0xF == 9 { all.append((frame, Int(word >> 8 & 127))) }
    }
}
