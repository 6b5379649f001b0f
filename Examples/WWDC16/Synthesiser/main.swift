import AVFoundation
import Units
import Workbench

// A canon in four voices that slows down at its end, written as a MIDI file, read again, and played offline by a
// synthesiser of one's own. Twice: the same bytes.
Report.on("Synthesiser") { report in
    let file = try canon()
    let first = try play(file), second = try play(file)
    try report.heard(first.take, as: "Synthesiser")
    try report.require(first.take.left == second.take.left, "the second time it sounds different")
    report.fact("\(first.onsets.count) notes, \(file.count) bytes of MIDI, the same sound twice")

    // Each voice begins alone in its first bar: its onset is where sound rises out of silence.
    let heard = first.take.left.firstIndex { $0 != 0 } ?? 0, expected = first.onsets[0] * first.take.rate
    try report.require(abs(Double(heard) - expected) <= 1, "the first note is on frame \(heard), not on \(expected)")
    report.fact("the first note begins on frame \(heard), as the tempo track says")

    let end = first.length
    try report.require(abs(end - 30) < 1e-9, "the piece takes \(end) s")
    report.fact("24 beats at 120, then 18 at 60: \(end) s of music")
}

/// The piece as the bytes of a standard MIDI file.
func canon() throws -> Data {
    let sequencer = AVAudioSequencer(audioEngine: AVAudioEngine())
    let melody: [(key: UInt32, beats: Double)] = [
        (60, 1), (62, 1), (64, 1), (60, 1), (60, 1), (62, 1), (64, 1), (60, 1), (64, 1), (65, 1), (67, 2), (64, 1),
        (65, 1), (67, 2),
    ]
    sequencer.tempoTrack.addEvent(AVExtendedTempoEvent(tempo: 120), at: 0)
    sequencer.tempoTrack.addEvent(AVExtendedTempoEvent(tempo: 60), at: 24)
    for (voice, transposition) in [0, 12, 0, -12].enumerated() {
        let track = sequencer.createAndAppendTrack()
        var beat = 0.5 + 8 * Double(voice)
        for (key, beats) in melody {
            let key = UInt32(Int(key) + transposition)
            track.addEvent(
                AVMIDINoteEvent(channel: UInt32(voice), key: key, velocity: 90, duration: 0.9 * beats), at: beat)
            beat += beats
        }
        track.lengthInBeats = 42
    }
    var error: NSError?
    let data = sequencer.data(withSMPTEResolution: 480, error: &error)
    if let error { throw error }
    return data
}

/// Plays a MIDI file from its beginning to a second behind its end.
func play(_ file: Data) throws -> (take: Take, onsets: [Double], length: Double) {
    SynthesiserUnit.register()
    let engine = AVAudioEngine()
    let recorder = try Recorder(of: engine)
    let synthesiser = AVAudioUnitMIDIInstrument(audioComponentDescription: SynthesiserUnit.component)
    engine.attach(synthesiser)
    engine.connect(synthesiser, to: engine.mainMixerNode, format: engine.manualRenderingFormat)

    let sequencer = AVAudioSequencer(audioEngine: engine)
    try sequencer.load(from: file)
    var onsets: [Double] = []
    for track in sequencer.tracks {
        track.destinationAudioUnit = synthesiser
        track.enumerateEvents(in: AVMakeBeatRange(0, AVMusicTimeStampEndOfTrack)) { event, beat, _ in
            if event is AVMIDINoteEvent { onsets.append(sequencer.seconds(forBeats: beat.pointee)) }
        }
    }
    let length = sequencer.tracks.map(\.lengthInSeconds).max() ?? 0
    try engine.start()
    try sequencer.start()
    try recorder.record(seconds: length + 1)
    sequencer.stop()
    return (recorder.take, onsets.sorted(), length)
}
