import AVFoundation
import Workbench

// A tone in every band, getting louder throughout so that no place of the file is like another.
func synthesise(seconds: Double, rate: Double) throws -> AVAudioPCMBuffer {
    let tones = try AVAudioPCMBuffer.mono(seconds: seconds, rate: rate) { time in
        let sum = StreamingPlayer.bands.reduce(0) { $0 + sin(2 * .pi * Double($1) * time) }
        return 0.03 * (1 + time / seconds) * sum
    }.samples()
    return try .holding([tones, tones.map { -$0 }], rate: rate)
}

Report.on("Streaming player") { report in
    let rate = 44_100.0
    let music = temporaryFile("Music")
    let original = try synthesise(seconds: 20, rate: rate)
    try original.write(to: music)
    let file = Take(rate: rate, left: original.samples(0), right: original.samples(1))

    let player = try StreamingPlayer(music)
    let recorder = try Recorder(of: player.engine, rate: rate)
    try player.play()
    try recorder.record(seconds: 1)
    // Somebody moves the sliders.
    player.equaliser.bands[2].gain = 9
    player.equaliser.bands[0].gain = -12
    try recorder.record(seconds: 2)
    let progress = player.progress
    player.equaliser.bypass = true
    player.seek(to: 12.345)
    try recorder.record(seconds: 1)
    let progressAfterSeeking = player.progress
    player.pause()
    try recorder.record(seconds: 0.5)
    player.seek(to: 19.5)
    try player.play()
    try recorder.record(seconds: 1)
    let take = recorder.take
    try report.heard(take, as: "StreamingPlayer")

    func gains(from start: Double, to end: Double) -> [Double] {
        StreamingPlayer.bands.map {
            take.level(at: Double($0), from: start, to: end) - file.level(at: Double($0), from: start, to: end)
        }
    }
    func inWords(_ gains: [Double]) -> String {
        zip(StreamingPlayer.bands, gains).map { "\(Int($0)) Hz \($1.rounded(to: 2))" }.joined(separator: ", ")
    }
    let (flat, shaped) = (gains(from: 0.2, to: 0.9), gains(from: 1.2, to: 2.9))
    report.fact("flat, in dB: \(inWords(flat))")
    report.fact("1000 Hz up by 9, 60 Hz down by 12: \(inWords(shaped))")
    try report.require(flat.allSatisfy { abs($0) < 0.01 }, "a flat equaliser changes levels")
    try report.require(
        abs(shaped[2] - 9) < 0.1 && abs(shaped[0] + 12) < 0.1, "the bands do not do what their sliders say")
    try report.require([1, 3, 4].allSatisfy { abs(shaped[$0]) < 1 }, "the bands spoil their neighbours")

    // A gain that jumped would be heard at every frequency; between the tones there is nothing.
    let between = take.level(at: 8000, from: 0.9, to: 1.1)
    report.fact("while the sliders move, \(between.rounded(to: 1)) dB at 8 kHz, where the music has nothing")
    try report.require(between < -80, "the sliders click")

    func equal(_ seconds: Double, from start: Double, at place: Double) -> Bool {
        let (frame, from, count) = (
            Int((start * rate).rounded()), Int((place * rate).rounded()), Int((seconds * rate).rounded())
        )
        return take.left[frame..<frame + count] == file.left[from..<from + count]
            && take.right[frame..<frame + count] == file.right[from..<from + count]
    }
    report.fact(
        "bypassed and sent to 12.345 s: the very samples of the file from there; in the end, its last half second")
    try report.require(equal(1, from: 3, at: 12.345), "the file does not go on at 12.345 s")
    try report.require(equal(0.5, from: 4.5, at: 19.5), "the file does not go on at 19.5 s")
    try report.require(take.left[Int(4 * rate)..<Int(4.5 * rate)].allSatisfy { $0 == 0 }, "it plays on while paused")
    try report.require(
        take.left[Int(5 * rate)...].allSatisfy { $0 == 0 }, "something is played beyond the end of the file")

    let places = [progress, progressAfterSeeking, player.progress].map { $0.map { $0.rounded(to: 3) } ?? "nowhere" }
    report.fact("progress in seconds: \(places.joined(separator: ", "))")
    try report.require(places == ["3.000", "13.345", "20.000"], "the progress is wrong")
}
