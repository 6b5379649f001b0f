import AVFoundation
import Workbench

// Four tones of a second, each for one stage of the strip: rumble, something in the middle, something bright, and the
// middle again, loud.
let tones: [(frequency: Double, decibels: Double)] = [(20, -12), (800, -30), (6000, -40), (800, -3)]

Report.on("Channel strip") { report in
    let rate = 48_000.0
    let voice = try AVAudioPCMBuffer.mono(seconds: 4, rate: rate) { time in
        let tone = tones[min(Int(time), 3)]
        let place = time - time.rounded(.down)
        return pow(10, tone.decibels / 20) * envelope(place, length: 1, attack: 0.02, release: 0.02)
            * sin(2 * .pi * tone.frequency * place)
    }
    let strip = try ChannelStrip(format: voice.format)
    let recorder = try Recorder(of: strip.engine, rate: rate)
    strip.player.scheduleBuffer(voice)
    let recording = temporaryFile("ChannelStripRecording")
    try strip.record(to: recording)
    try strip.engine.start()
    strip.player.play()
    try recorder.record(seconds: 3.9)
    let reduction = Double(strip.reduction)
    try recorder.record(seconds: 0.35)
    strip.stopRecording()
    let take = recorder.take
    try report.heard(take, as: "ChannelStrip")

    let changes = tones.enumerated().map { index, tone in
        take.level(at: tone.frequency, from: Double(index) + 0.4, to: Double(index) + 0.9) - tone.decibels
    }
    // A high pass of 80 Hz, two octaves below and with a resonance of 0 dB (Q = 1); a bell of 6 dB; threshold and
    // headroom of the compressor.
    let x = pow(20.0 / 80.0, 2)
    let (over, headRoom) = (-3 - -20.0, 6.0)
    let promised = [20 * log10(x / ((1 - x) * (1 - x) + x).squareRoot()), 0, 6, -over * over / (over + headRoom)]
    for (index, tone) in tones.enumerated() {
        report.fact(
            "\(Int(tone.frequency)) Hz at \(Int(tone.decibels)) dB: \(changes[index].rounded(to: 2)) dB, promised \(promised[index].rounded(to: 2))"
        )
        try report.require(
            abs(changes[index] - promised[index]) < (index == 3 ? 0.5 : 0.2),
            "\(Int(tone.frequency)) Hz is changed by \(changes[index]) dB")
    }
    report.fact("the compressor's meter: down by \(reduction.rounded(to: 2)) dB")
    try report.require(abs(reduction + changes[3]) < 0.5, "the meter shows \(reduction) dB")

    let side = Float(cos(Double.pi / 4))
    let astray = zip(take.left, take.right).map { abs($0 * side - $1) }.max() ?? 1
    report.fact("half to the left: the right side is the left one times \(side), to within \(astray)")
    try report.require(astray < 1e-6, "the sound is not where it was panned")

    let file = try AVAudioFile(forReading: recording)
    guard
        let recorded = AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: AVAudioFrameCount(file.length))
    else { throw Failure("no buffer") }
    try file.read(into: recorded)
    report.fact("the recording has \(file.length) frames, \(take.left.count) were rendered")
    try report.require(
        recorded.samples(0) == take.left && recorded.samples(1) == take.right, "the recording is not what was rendered")
}
