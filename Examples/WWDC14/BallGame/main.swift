import AVFoundation
import Workbench

/// Finds where sound sets in after silence, in what a tap delivers.
final class OnsetWatch {
    private(set) var onsets: [Int] = []
    private var quiet = Int.max

    func look(at samples: [Float], from frame: Int) {
        for (index, sample) in samples.enumerated() {
            if sample == 0 {
                quiet = quiet == .max ? .max : quiet + 1
            } else {
                if quiet > 64 { onsets.append(frame + index) }
                quiet = 0
            }
        }
    }
}

/// One ball every 80 ms, from everywhere; the first falls from least high, and bounces first.
func makeBalls(count: Int) -> [Ball] {
    var state: UInt32 = 7
    func random(_ range: ClosedRange<Double>) -> Double {
        state = state &* 1_664_525 &+ 1_013_904_223
        return range.lowerBound + (range.upperBound - range.lowerBound) * Double(state) / 4_294_967_295
    }
    return (0..<count).map { number in
        Ball(
            from: (random(-4...4), random(-6 ... -1)), height: number == 0 ? 1 : random(1.2...3),
            velocity: (random(-2...2), random(-1...1)), at: 0.08 * Double(number))
    }
}

Report.on("Ball game") { report in
    let (rate, count, block) = (48_000.0, 64, 800)
    // Sixty pictures a second, 800 frames each; a pop is smooth and never quite 0 before it is over.
    let pop = try AVAudioPCMBuffer.mono(seconds: 0.12, rate: rate) { time in
        0.5 * envelope(time + 1 / rate, length: 0.12 + 2 / rate, attack: 0.004, release: 0.02) * exp(-time / 0.025)
            * cos(2 * .pi * 600.1 * time)
    }
    let game = try BallGame(pop: pop, rate: rate)
    let recorder = try Recorder(of: game.engine, rate: rate, blockFrames: AVAudioFrameCount(block))
    let watches = (0..<count).map { _ in OnsetWatch() }
    var expected = Array(repeating: [Int](), count: count)
    var loudness: [(frame: Int, gain: Float)] = []
    game.onLaunch = { number, player in
        player.installTap(onBus: 0, bufferSize: 256, format: nil) { buffer, time in
            watches[number].look(at: buffer.samples(), from: Int(time.sampleTime))
        }
    }
    game.onCollision = { number, frame, collision in
        expected[number].append(frame)
        loudness.append(
            (frame, collision.impulse / max(distance(collision.position, game.environment.listenerPosition), 1)))
    }

    let balls = makeBalls(count: count)
    try game.engine.start()
    var launched = 0
    while launched < count || !game.flights.isEmpty {
        let frame = recorder.take.left.count
        if launched < count, 0.08 * Double(launched) * rate <= Double(frame) {
            game.launch(balls[launched], number: launched, at: frame)
            launched += 1
        }
        game.step(from: frame, to: frame + block)
        try recorder.record(until: frame + block)
        try report.require(frame < Int(60 * rate), "\(game.flights.count) balls never come to rest")
    }
    try recorder.record(seconds: 3)
    let take = recorder.take
    try report.heard(take, as: "BallGame")

    report.fact(
        "\(count) players came and went while \(take.seconds.rounded(to: 1)) s were rendered, up to \(game.mostAtOnce) at once"
    )
    try report.require(
        game.engine.attachedNodes.count == 3,
        "\(game.engine.attachedNodes.count) nodes are left, not environment, mixer and output")
    let onsets = watches.map(\.onsets)
    report.fact("\(onsets.joined().count) bounces, each on its frame: ball 1 on \(onsets[0])")
    for number in 0..<count {
        try report.require(
            onsets[number] == expected[number],
            "ball \(number + 1) sounds on \(onsets[number]) instead of \(expected[number])")
    }
    let first = take.left.firstIndex { $0 != 0 } ?? -1
    report.fact("the first of them is heard in the mix on frame \(first)")
    try report.require(first == expected.joined().min(), "the first bounce is heard on frame \(first)")

    // No sharper than all pops that sound together, each twice as loud as its distance makes it: ears and walls may add
    // that much.
    let together =
        loudness.map { moment in
            loudness.reduce(0) { abs($1.frame - moment.frame) < Int(pop.frameLength) ? $0 + $1.gain : $0 }
        }.max() ?? 0
    let single = fourthDifference([0, 0, 0, 0] + pop.samples() + [0, 0, 0, 0])
    report.fact(
        "largest step \(take.largestStep), sharpest corner \(take.sharpestCorner); one pop at full volume has \(single), at most \(together) of it at once"
    )
    try report.require(take.sharpestCorner < 2 * single * together, "something clicks")
    let silence = Double(expected.joined().max() ?? 0) / rate + 0.12
    let tail = (0..<3).map { take.level(from: silence + 0.5 * Double($0), to: silence + 0.5 * Double($0) + 0.2) }
    report.fact(
        "the game at \(take.level(from: 1, to: 5).rounded(to: 1)) dB; the hall afterwards, every half second: \(tail.map { $0.rounded(to: 1) }.joined(separator: ", ")) dB"
    )
    try report.require(
        tail[0] > -90 && zip(tail, tail.dropFirst()).allSatisfy { $1 < $0 - 6 }, "the hall does not die away")
}

func distance(_ a: AVAudio3DPoint, _ b: AVAudio3DPoint) -> Float {
    let (x, y, z) = (a.x - b.x, a.y - b.y, a.z - b.z)
    return (x * x + y * y + z * z).squareRoot()
}
