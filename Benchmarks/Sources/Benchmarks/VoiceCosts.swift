import Foundation
import PHASE

/// What single parts of a crowd cost, which the works of the page do not tell apart.
///
///     an update      of moving sources without occluders: time in `PHASEEngine.update()`
///     a send         to a late reverb that runs already: of 64 voices at rest 64 have one, or the first alone
///     a source       that begins among 256 moving ones: made, started and planned, besides what an update takes without
///     voices         as the page has them, ours alone: for callgrind and perf
enum VoiceCosts {
    static func print() throws {
        let update = try update(count: 1000, blocks: 100)
        Report.lines("an update                 \(Report.number(update)) µs for each of 1,000 moving sources")
        let sends = try [1, 64].map { try resting(count: 64, sends: $0, blocks: 400) }
        Report.lines(
            "a further reverb send     \(Report.number((sends[1] - sends[0]) / 63)) µs for 1,024 frames, of 64 voices")
        let source = try begun(among: 256, times: 100)
        Report.lines("a source that begins      \(Report.number(source)) ms among 256 moving ones")
    }

    /// Milliseconds of processor time for each source with its event: every second update has one more than the others.
    private static func begun(among count: Int, times: Int) throws -> Double {
        let stage = try MovingVoices.Stage()
        try stage.register("noise", samples: Circles.noise, loops: true)
        var sources = try (0..<count).map { try stage.source(at: Circles.place(of: $0, at: 0)) }
        for source in sources { try stage.event("noise", from: source).start(completion: nil) }
        try stage.engine.start()
        defer { stage.engine.stop() }
        var spent = (with: clock_t(0), without: clock_t(0))
        for block in 0..<(20 + 2 * times) {
            let time = Double(block * Circles.blockFrames) / Double(Circles.sampleRate)
            for (number, source) in sources.enumerated() {
                source.transform = MovingVoices.Stage.transform(Circles.place(of: number, at: time))
            }
            let begins = block >= 20 && block % 2 == 0
            let start = clock()
            if begins {
                let source = try stage.source(at: Circles.place(of: sources.count, at: time))
                try stage.event("noise", from: source).start(completion: nil)
                sources.append(source)
            }
            stage.engine.update()
            if begins { spent.with += clock() - start } else if block >= 20 { spent.without += clock() - start }
            try stage.renderBlock()
        }
        return Double(spent.with - spent.without) / Double(CLOCKS_PER_SEC) / Double(times) * 1e3
    }

    /// Renders so many blocks of moving voices, in air or not, or, with a number of sends, of voices at rest.
    static func run(count: Int, blocks: Int, hasAir: Bool, sends: Int?) throws {
        if let sends {
            let time = try resting(count: count, sends: sends, blocks: blocks)
            return Report.lines("\(count) voices at rest, \(sends) sends: \(Report.number(time)) µs for 1,024 frames")
        }
        let seconds = Double(blocks * Circles.blockFrames) / Double(Circles.sampleRate)
        let speed = try MovingVoices.measure(count: count, seconds: seconds, hasAir: hasAir)
        let cost = 1024 / Double(Circles.sampleRate) / speed / Double(count) * 1e6
        Report.lines(
            "\(count) moving voices: \(Report.number(speed)) × real time, \(Report.number(cost)) µs a voice and 1,024 frames"
        )
    }

    /// Microseconds of processor time a source.
    private static func update(count: Int, blocks: Int) throws -> Double {
        let stage = try MovingVoices.Stage()
        try stage.register("noise", samples: Circles.noise, loops: true)
        let sources = try (0..<count).map { try stage.source(at: Circles.place(of: $0, at: 0)) }
        let events = try sources.map { try stage.event("noise", from: $0) }
        try stage.engine.start()
        for event in events { event.start(completion: nil) }
        defer { stage.engine.stop() }
        let warmUp = 20
        var spent = clock_t(0)
        for block in 0..<(warmUp + blocks) {
            let time = Double(block * Circles.blockFrames) / Double(Circles.sampleRate)
            for (number, source) in sources.enumerated() {
                source.transform = MovingVoices.Stage.transform(Circles.place(of: number, at: time))
            }
            let start = clock()
            stage.engine.update()
            if block >= warmUp { spent += clock() - start }
            try stage.renderBlock()
        }
        return Double(spent) / Double(CLOCKS_PER_SEC) / Double(blocks * count) * 1e6
    }

    /// Microseconds of processor time for 1,024 frames of all voices.
    private static func resting(count: Int, sends: Int, blocks: Int) throws -> Double {
        let stage = try MovingVoices.Stage()
        stage.engine.defaultReverbPreset = .mediumHall
        try stage.register("dry", samples: Circles.noise, loops: true)
        try stage.register("wet", samples: Circles.noise, loops: true, flags: [.directPathTransmission, .lateReverb])
        let events = try (0..<count).map {
            try stage.event($0 < sends ? "wet" : "dry", from: stage.source(at: Circles.place(of: $0, at: 0)))
        }
        try stage.engine.start()
        for event in events { event.start(completion: nil) }
        defer { stage.engine.stop() }
        let seconds = Double(blocks * Circles.blockFrames) / Double(Circles.sampleRate)
        return try 1024 / Double(Circles.sampleRate) / Circles.speed(seconds: seconds) { _ in try stage.render() } * 1e6
    }
}
