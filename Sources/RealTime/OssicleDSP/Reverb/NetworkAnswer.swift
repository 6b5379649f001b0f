import OssicleCore

/// What a network whose frequencies all decay alike answers to four of them, summed up pass by pass: Σₖ D (H D/4)ᵏ b,
/// with D the lines' delays and gains, H a Hadamard matrix and b the input.
///
/// Frequencies lie side by side, so that the matrix takes sums of vectors and no shuffling. Control side.
struct NetworkAnswer: ~Copyable {
    /// Complex numbers, a lane for each frequency.
    struct Number: BitwiseCopyable {
        var re = SIMD4<Float>.zero, im = SIMD4<Float>.zero

        @inline(__always) static func + (a: Number, b: Number) -> Number { Number(re: a.re + b.re, im: a.im + b.im) }
        @inline(__always) static func - (a: Number, b: Number) -> Number { Number(re: a.re - b.re, im: a.im - b.im) }
        @inline(__always) static func * (a: Number, b: Float) -> Number { Number(re: a.re * b, im: a.im * b) }
        @inline(__always) static func * (a: Number, b: Number) -> Number {
            Number(re: a.re * b.re - a.im * b.im, im: a.re * b.im + a.im * b.re)
        }

        var power: SIMD4<Float> { re * re + im * im }
    }

    /// Cosines and sines of the lines' phases, a lane for each frequency.
    typealias Turns = InlineArray<16, (cos: SIMD4<Double>, sin: SIMD4<Double>)>

    private static var lineCount: Int { FeedbackDelayNetwork.lineCount }

    /// Seconds of each line.
    let delays: [Double]
    private let input, output: SIMD16<Float>
    /// D, what goes into the lines, half of the matrix's sums, and what has come out of the lines: sixteen of each.
    private let memory = OwnedMemory(count: 4 * lineCount, Number())

    init(_ plan: FeedbackDelayNetwork.Plan, _ settings: FeedbackDelayNetwork.Settings) {
        (input, output) = (plan.input, plan.output)
        delays = (0..<Self.lineCount).map { Double(plan.lengths[$0]) / settings.sampleRate }
    }

    /// By line e^(−jωτ).
    /// - Parameter frequency: of a lane, Hz.
    static func turns(_ delays: [Double], _ frequency: (Int) -> Double) -> Turns {
        var turns = Turns(repeating: (.zero, .zero))
        for lane in 0..<4 {
            let frequency = frequency(lane)
            for (line, delay) in delays.enumerated() {
                let whole = frequency * delay
                (turns[line].sin[lane], turns[line].cos[lane]) = DeterministicMath.sincos(
                    -2 * DeterministicMath.pi * (whole - whole.rounded(.down)))
            }
        }
        return turns
    }

    /// The lines' gains in a pass at a decay of `time` seconds.
    func gains(_ time: Double) -> [Double] { delays.map { DeterministicMath.exp(-6.907_755 * $0 / time) } }

    /// What comes out of the lines, times the signs and scale of the outputs, before their mix.
    func lines(_ turns: Turns, _ gains: [Double], passes: Int) -> UnsafePointer<Number> {
        let (delay, fed) = (memory.pointer, memory.pointer + Self.lineCount)
        let (half, sum) = (fed + Self.lineCount, fed + 2 * Self.lineCount)
        for line in 0..<Self.lineCount {
            delay[line] = Number(
                re: SIMD4<Float>(turns[line].cos * gains[line]), im: SIMD4<Float>(turns[line].sin * gains[line]))
            fed[line] = Number(re: SIMD4(repeating: input[line]))
            sum[line] = Number()
        }
        for _ in 0..<passes {
            for line in 0..<Self.lineCount {
                fed[line] = fed[line] * delay[line]
                sum[line] = sum[line] + fed[line]
            }
            Self.mix(fed, half, by: 0.25)
        }
        for line in 0..<Self.lineCount { sum[line] = sum[line] * output[line] }
        return UnsafePointer(sum)
    }

    /// The outputs: what `lines` gave, mixed in its place.
    func outputs(_ turns: Turns, _ gains: [Double], passes: Int) -> UnsafePointer<Number> {
        let sum = lines(turns, gains, passes: passes)
        Self.mix(memory.pointer + 3 * Self.lineCount, memory.pointer + 2 * Self.lineCount, by: 1)
        return sum
    }

    /// `SIMD16.hadamard` across the lines, with its sums in its order.
    @inline(__always)
    private static func mix(
        _ lines: UnsafeMutablePointer<Number>, _ half: UnsafeMutablePointer<Number>, by scale: Float
    ) {
        for i in 0..<4 {
            let (a, b, c, d) = (lines[i], lines[i + 4], lines[i + 8], lines[i + 12])
            let (sum, other) = (a + c, b + d)
            let (difference, otherDifference) = (a - c, b - d)
            half[i] = sum + other
            half[i + 4] = sum - other
            half[i + 8] = difference + otherDifference
            half[i + 12] = difference - otherDifference
        }
        for i in 0..<4 {
            let (a, b, c, d) = (half[4 * i], half[4 * i + 1], half[4 * i + 2], half[4 * i + 3])
            let (sum, other) = (a + b, c + d)
            let (difference, otherDifference) = (a - b, c - d)
            lines[i] = (sum + other) * scale
            lines[i + 4] = (difference + otherDifference) * scale
            lines[i + 8] = (sum - other) * scale
            lines[i + 12] = (difference - otherDifference) * scale
        }
    }
}
