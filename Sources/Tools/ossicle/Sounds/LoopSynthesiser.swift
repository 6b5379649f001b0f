import OssicleCore

/// Soft music for the background: a plucked pentatonic figure, a low drum and a brush, two bars at 120 beats a minute.
///
/// Every tail that runs past the end is added at the beginning, so the loop has no seam. Mono, peak 0.5, four seconds.
struct LoopSynthesiser {
    private let sampleRate: Double
    private let noise: CounterRandom
    private var samples: [Double]

    static func samples(seed: UInt64, sampleRate: Double) -> [Float] {
        var loop = LoopSynthesiser(seed: seed, sampleRate: sampleRate)
        loop.play()
        let peak = loop.samples.reduce(0) { max($0, abs($1)) }
        return loop.samples.map { Float($0 * 0.5 / max(peak, 1e-9)) }
    }

    private init(seed: UInt64, sampleRate: Double) {
        self.sampleRate = sampleRate
        noise = CounterRandom(seed: seed, object: CounterRandom.number(of: "loop noise"))
        samples = [Double](repeating: 0, count: Int(4 * sampleRate))
    }

    private mutating func play() {
        // Eighth notes; semitones above A3 (220 Hz), nil rests.
        let figure: [Int?] = [0, 7, 12, nil, 10, 7, 3, nil, 5, 12, 15, nil, 12, 10, 7, 3]
        // Most notes come more than once.
        var notes: [Int: [Double]] = [:]
        for (eighth, semitones) in figure.enumerated() {
            let time = Double(eighth) * 0.25
            if let semitones {
                let note = notes[semitones] ?? pluck(220 * DeterministicMath.exp2(Double(semitones) / 12))
                notes[semitones] = note
                add(at: time, note)
            }
            if eighth % 4 == 0 { drum(at: time) }
            if eighth % 2 == 1 { brush(at: time) }
        }
    }

    /// A struck bar: its first two partials are about two octaves apart (1 : 3.93), the upper one short.
    private func pluck(_ frequency: Double) -> [Double] {
        var low = DyingSine(frequency, decay: 0.28, sampleRate)
        var high = DyingSine(3.93 * frequency, decay: 0.06, sampleRate)
        return (0..<Int(1.2 * sampleRate)).map { frame in
            let attack = min(Double(frame) / sampleRate / 0.003, 1)
            return attack * (0.5 * low.next() + 0.2 * high.next())
        }
    }

    /// A sine that falls from 110 to 55 Hz.
    private mutating func drum(at time: Double) {
        var (fall, level) = (Decay(0.04, sampleRate), Decay(0.12, sampleRate))
        add(at: time, seconds: 0.5) { t, _ in
            let turns = 55 * t + 55 * 0.04 * (1 - fall.next())
            return 0.8 * min(t / 0.002, 1) * DeterministicMath.sin(2 * DeterministicMath.pi * turns) * level.next()
        }
    }

    private mutating func brush(at time: Double) {
        let noise = noise
        var level = Decay(0.035, sampleRate)
        add(at: time, seconds: 0.2) { t, frame in
            let difference = noise.unit(frame) - noise.unit(frame + 1)
            return 0.18 * min(t / 0.01, 1) * difference * level.next()
        }
    }

    private mutating func add(at time: Double, _ note: [Double]) {
        let start = Int(time * sampleRate)
        for (i, value) in note.enumerated() { samples[(start + i) % samples.count] += value }
    }

    private mutating func add(at time: Double, seconds: Double, _ sound: (_ t: Double, _ frame: UInt64) -> Double) {
        let start = Int(time * sampleRate)
        for i in 0..<Int(seconds * sampleRate) {
            samples[(start + i) % samples.count] += sound(Double(i) / sampleRate, UInt64(start + i))
        }
    }
}

/// e^(−t/τ), frame by frame from t = 0.
private struct Decay {
    private var value = 1.0
    private let ratio: Double

    /// - Parameter time: τ in seconds.
    init(_ time: Double, _ sampleRate: Double) { ratio = DeterministicMath.exp(-1 / (time * sampleRate)) }

    mutating func next() -> Double {
        defer { value *= ratio }
        return value
    }
}

/// e^(−t/τ)·sin(2πft), frame by frame from t = 0: the imaginary part of a number that turns and shrinks.
private struct DyingSine {
    private var real = 1.0
    private var imaginary = 0.0
    private let step: (real: Double, imaginary: Double)

    /// - Parameters:
    ///   - frequency: in Hz. - decay: τ in seconds.
    init(_ frequency: Double, decay: Double, _ sampleRate: Double) {
        let turn = DeterministicMath.sincos(2 * DeterministicMath.pi * frequency / sampleRate)
        let ratio = DeterministicMath.exp(-1 / (decay * sampleRate))
        step = (turn.cos * ratio, turn.sin * ratio)
    }

    mutating func next() -> Double {
        defer {
            (real, imaginary) = (
                real * step.real - imaginary * step.imaginary, real * step.imaginary + imaginary * step.real
            )
        }
        return imaginary
    }
}
