import AVFoundation
import Workbench

let song: [Judge.Note] = [60, 64, 67, 65, 64, 62, 60].enumerated().map {
    Judge.Note(key: $1, start: 0.5 * Double($0), seconds: 0.5)
}
/// As it is sung: the fourth note by most of a semitone too low.
let sung = [60, 64, 67, 64.2, 64, 62, 60]
let length = 0.5 * Double(song.count)

/// A voice that slides into its notes and trembles, in eight harmonics.
func synthesiseVoice(rate: Double) throws -> AVAudioPCMBuffer {
    var phase = 0.0
    return try .mono(seconds: length, rate: rate) { time in
        let index = min(Int(time / 0.5), sung.count - 1)
        let place = time - 0.5 * Double(index)
        let key = sung[index] - 0.8 * exp(-place / 0.015) + 0.12 * sin(2 * .pi * 5.5 * time)
        phase += 2 * .pi * PitchDetector.frequency(of: key) / rate
        return 0.2 * envelope(place, length: 0.5, attack: 0.03, release: 0.03)
            * (1...8).reduce(0) { $0 + sin(Double($1) * phase) / pow(Double($1), 1.3) }
    }
}

func synthesiseTrack(rate: Double) throws -> AVAudioPCMBuffer {
    try .mono(seconds: length, rate: rate) { time in
        let index = min(Int(time / 0.5), song.count - 1)
        let place = time - song[index].start
        return 0.1 * envelope(place, length: 0.5, attack: 0.01, release: 0.1)
            * sin(2 * .pi * PitchDetector.frequency(of: song[index].key - 24) * place)
    }
}

Report.on("Karaoke") { report in
    // A microphone seldom has the rate of the loudspeaker.
    let (microphoneRate, rate) = (44_100.0, 48_000.0)
    let microphone = temporaryFile("Singer")
    try synthesiseVoice(rate: microphoneRate).write(to: microphone)
    let ding = try AVAudioPCMBuffer.mono(seconds: 0.2, rate: rate) {
        0.2 * envelope($0, length: 0.2, attack: 0.002, release: 0.02) * exp(-$0 / 0.04) * cos(2 * .pi * 4699 * $0)
    }

    let karaoke = Karaoke(song, ding: ding)
    let recorder = try Recorder(of: karaoke.engine, rate: rate)
    try karaoke.useAsMicrophone(microphone)
    var bell: [Float] = []
    karaoke.bell.installTap(onBus: 0, bufferSize: 1024, format: nil) { buffer, _ in bell += buffer.samples() }
    try karaoke.start(with: synthesiseTrack(rate: rate))
    try recorder.record(seconds: length + 1)
    karaoke.engine.stop()
    karaoke.engine.drainCallbacks()
    let take = recorder.take
    try report.heard(take, as: "Karaoke")

    let heard = karaoke.judge.heard.map { $0.isEmpty ? 0 : $0.reduce(0, +) / Double($0.count) }
    report.fact("song   \(song.map { $0.key.rounded(to: 2) }.joined(separator: "  "))")
    report.fact("sung   \(sung.map { $0.rounded(to: 2) }.joined(separator: "  "))")
    report.fact("heard  \(heard.map { $0.rounded(to: 2) }.joined(separator: "  "))")
    for (sung, heard) in zip(sung, heard) {
        try report.require(abs(sung - heard) < 0.1, "\(sung) was sung and \(heard) was heard")
    }
    report.fact(
        "right: notes \(karaoke.judge.hits.map { $0 + 1 }.sorted()); the bell sounded on frames \(karaoke.rung)")
    try report.require(karaoke.judge.hits == [0, 1, 2, 4, 5, 6], "wrong notes were got right")
    try report.require(karaoke.rung.count == 6, "the bell sounded \(karaoke.rung.count) times")

    var promised = [Float](repeating: 0, count: take.left.count)
    for frame in karaoke.rung {
        for (index, sample) in ding.samples().enumerated() { promised[Int(frame) + index] += sample }
    }
    try report.require(bell == promised, "the bell does not sound when it was told to")
    for (index, frame) in karaoke.rung.enumerated() {
        let moment = Double(frame) / rate
        let (before, after) = (
            take.level(at: 4699, from: moment - 0.05, to: moment), take.level(at: 4699, from: moment, to: moment + 0.05)
        )
        if index == 0 {
            report.fact(
                "4699 Hz in the mix: \(before.rounded(to: 1)) dB before the first bell, \(after.rounded(to: 1)) dB with it"
            )
        }
        try report.require(after > -40 && after - before > 25, "bell \(index + 1) is not to be heard in the mix")
    }

    // When nobody sings any more, what comes round is what came a quarter of a second before, at 30 %.
    let echoes = (0..<3).map {
        take.level(from: length + 0.02 + 0.25 * Double($0), to: length + 0.2 + 0.25 * Double($0))
    }
    report.fact("echoes after the end: \(echoes.map { $0.rounded(to: 1) }.joined(separator: ", ")) dB")
    try report.require(
        zip(echoes, echoes.dropFirst()).allSatisfy { abs($1 - $0 - 20 * log10(0.3)) < 0.3 },
        "the echoes do not fade by 10.5 dB each")
}
