import OssicleCore

/// Which place of a sound field each of a network's sixteen outputs takes, and with which sign.
///
/// Ears of a symmetric head hear E + O and E − O, the sums of what is alike on both sides and of what is opposite;
/// their correlation is (|E|² − |O|²) / (|E|² + |O|²). In a single response that is a random number: an octave of B Hz
/// that decays with T60 has B·T60/6.9 independent values, so its correlation ρ scatters around an isotropic field's by
/// (1 − ρ²) / √(2·B·T60/6.9), 0.08 at 500 Hz and 1.5 s, in a network as in a room. All arrangements of the outputs are
/// isotropic on average. This is one whose octaves from 125 Hz to 8 kHz, for a T60 of 1 s, come near the isotropic
/// field; other times change little in it. Control side; takes about 11 ms.
package struct NetworkOutputs {
    /// By output the place it takes.
    package private(set) var places = Array(0..<FeedbackDelayNetwork.lineCount)
    /// By output, 1 or −1.
    package private(set) var signs = [Float](repeating: 1, count: FeedbackDelayNetwork.lineCount)

    private static let trials = 800

    /// - Parameters:
    ///   - patterns: of every place, what it is in the channels of order 3 (ACN, N3D).
    ///   - ears: that listen; with none, every output takes its own place.
    package init(
        _ settings: FeedbackDelayNetwork.Settings, patterns: [SIMD16<Float>], ears: AmbisonicHRTFTable?
    ) {
        guard let ears else { return }
        let field = NetworkField(settings, patterns, ears)
        let random = CounterRandom(seed: settings.seed, object: CounterRandom.number(of: "NetworkOutputs"))
        var best = field.sides(places, signs)
        var least = field.distance(best)
        for trial in 0..<Self.trials {
            func draw(_ number: Int) -> Int { Int(random.unit(UInt64(3 * trial + number)) * Double(places.count)) }
            let (a, b) = (draw(0), draw(1))
            var (placesThen, signsThen) = (places, signs)
            if random.unit(UInt64(3 * trial + 2)) < 0.6 { placesThen.swapAt(a, b) } else { signsThen[a] = -signs[a] }
            var sides = best
            for output in a == b ? [a] : [a, b] {
                field.add(output, places[output], -signs[output], to: &sides)
                field.add(output, placesThen[output], signsThen[output], to: &sides)
            }
            let distance = field.distance(sides)
            if distance < least { (places, signs, best, least) = (placesThen, signsThen, sides, distance) }
        }
    }
}

/// A network's outputs, and what two ears hear of each place, at some frequencies of each octave. A lane is a
/// frequency.
private struct NetworkField {
    /// Real and imaginary parts.
    struct Number {
        var re = SIMD16<Float>.zero, im = SIMD16<Float>.zero

        @inline(__always)
        mutating func add(_ a: Number, _ b: Number, times scale: Float) {
            re += (a.re * b.re - a.im * b.im) * scale
            im += (a.re * b.im + a.im * b.re) * scale
        }

        @inline(__always)
        mutating func add(_ a: Number, times scale: Float) {
            re += a.re * scale
            im += a.im * scale
        }

        var power: SIMD16<Float> { re * re + im * im }
    }

    /// Sixteen frequencies: the outputs, and each place's part in what is alike and what is opposite on both sides.
    private struct Group {
        let octave: Int
        var outputs = [Number](repeating: Number(), count: FeedbackDelayNetwork.lineCount)
        var even: [Number]
        var odd: [Number]
    }

    private static let octaves = 7
    /// Groups in each octave: as many as resolve the modes where there are few.
    private static let groupCounts = [4, 8, 16, 24, 24, 24, 24]
    private static let reverberationTime = 1.0

    private var groups: [Group] = []
    /// Correlation of the ears in an isotropic field, by octave.
    private var wanted: [Float] = []

    init(
        _ settings: FeedbackDelayNetwork.Settings, _ patterns: [SIMD16<Float>], _ ears: AmbisonicHRTFTable
    ) {
        let plan = FeedbackDelayNetwork.Plan(settings)
        for octave in 0..<Self.octaves {
            let centre = 125 * DeterministicMath.exp2(Double(octave))
            guard centre * 1.42 < settings.sampleRate / 2 else { break }
            let count = 16 * Self.groupCounts[octave]
            var isotropic = (even: Float(0), odd: Float(0))
            for first in stride(from: 0, to: count, by: 16) {
                let frequencies = (first..<first + 16).map { (place: Int) -> Double in
                    let share = 0.7071 * (Double(place) + 0.5) / Double(count)
                    return centre * (0.7071 + share)
                }
                let heard = DecodedChannels(ears, turns: frequencies.map { $0 / settings.sampleRate })
                var group = Group(
                    octave: octave, even: patterns.map { DecodedChannels.part(heard.even, $0) },
                    odd: patterns.map { DecodedChannels.part(heard.odd, $0) })
                for (lane, frequency) in frequencies.enumerated() {
                    Self.put(plan, settings, frequency, lane, into: &group.outputs)
                }
                isotropic.even += Self.power(of: heard.even)
                isotropic.odd += Self.power(of: heard.odd)
                groups.append(group)
            }
            wanted.append(
                (isotropic.even - isotropic.odd) / max(isotropic.even + isotropic.odd, .leastNormalMagnitude))
        }
    }

    private static func power(of numbers: [Number]) -> Float {
        numbers.reduce(0) { (sum: Float, number: Number) -> Float in sum + number.power.sum() }
    }

    /// The network's answer at a frequency, pass by pass.
    private static func put(
        _ plan: FeedbackDelayNetwork.Plan, _ settings: FeedbackDelayNetwork.Settings, _ frequency: Double, _ lane: Int,
        into outputs: inout [Number]
    ) {
        var delay = Number()
        for line in 0..<FeedbackDelayNetwork.lineCount {
            let seconds = Double(plan.lengths[line]) / settings.sampleRate
            let turns = frequency * seconds
            let turn = DeterministicMath.sincos(-2 * DeterministicMath.pi * (turns - turns.rounded(.down)))
            let gain = DeterministicMath.exp(-6.907_755 * seconds / reverberationTime)
            (delay.re[line], delay.im[line]) = (Float(turn.cos * gain), Float(turn.sin * gain))
        }
        var (fed, sum) = (Number(re: plan.input), Number())
        for _ in 0...Int(0.5 * reverberationTime / (2 * settings.meanFreeTime)) {
            var heard = Number()
            heard.add(fed, delay, times: 1)
            sum.add(heard, times: 1)
            fed = Number(re: heard.re.hadamard * 0.25, im: heard.im.hadamard * 0.25)
        }
        let (re, im) = ((sum.re * plan.output).hadamard, (sum.im * plan.output).hadamard)
        for output in outputs.indices {
            (outputs[output].re[lane], outputs[output].im[lane]) = (re[output], im[output])
        }
    }

    /// What is alike and what is opposite on both sides, for each group.
    func sides(_ places: [Int], _ signs: [Float]) -> [(even: Number, odd: Number)] {
        var sides = groups.map { _ in (even: Number(), odd: Number()) }
        for output in places.indices { add(output, places[output], signs[output], to: &sides) }
        return sides
    }

    func add(_ output: Int, _ place: Int, _ sign: Float, to sides: inout [(even: Number, odd: Number)]) {
        for index in groups.indices {
            let sound = groups[index].outputs[output]
            sides[index].even.add(groups[index].even[place], sound, times: sign)
            sides[index].odd.add(groups[index].odd[place], sound, times: sign)
        }
    }

    /// Sum of the squared differences from the isotropic field's correlations.
    func distance(_ sides: [(even: Number, odd: Number)]) -> Float {
        var powers = [SIMD2<Float>](repeating: .zero, count: wanted.count)
        for index in groups.indices {
            powers[groups[index].octave] += SIMD2(sides[index].even.power.sum(), sides[index].odd.power.sum())
        }
        var sum: Float = 0
        for octave in wanted.indices {
            let (even, odd) = (powers[octave].x, powers[octave].y)
            let difference = (even - odd) / max(even + odd, .leastNormalMagnitude) - wanted[octave]
            sum += difference * difference
        }
        return sum
    }
}

/// What two ears hear of the channels of a sound field, in N3D weights, at sixteen frequencies.
private struct DecodedChannels {
    var even = [NetworkField.Number](repeating: NetworkField.Number(), count: SphericalHarmonics.greatestCount)
    var odd = [NetworkField.Number](repeating: NetworkField.Number(), count: SphericalHarmonics.greatestCount)

    /// - Parameter turns: of a frequency, in a frame.
    init(_ ears: AmbisonicHRTFTable, turns: [Double]) {
        var (step, turn) = (NetworkField.Number(), NetworkField.Number(re: SIMD16(repeating: 1)))
        for (lane, part) in turns.enumerated() {
            let angle = DeterministicMath.sincos(-2 * DeterministicMath.pi * part)
            (step.re[lane], step.im[lane]) = (Float(angle.cos), Float(angle.sin))
        }
        for tap in 0..<ears.tapCount {
            for channel in 0..<ears.channelCount {
                let (left, right) = (ears.filter(0, channel)[tap], ears.filter(1, channel)[tap])
                let scale = 0.5 / Float(2 * SphericalHarmonics.order(of: channel) + 1).squareRoot()
                if left + right != 0 { even[channel].add(turn, times: (left + right) * scale) }
                if left - right != 0 { odd[channel].add(turn, times: (left - right) * scale) }
            }
            var next = NetworkField.Number()
            next.add(turn, step, times: 1)
            turn = next
        }
    }

    /// Of a pattern of channels.
    static func part(_ channels: [NetworkField.Number], _ pattern: SIMD16<Float>) -> NetworkField.Number {
        var sum = NetworkField.Number()
        for index in channels.indices { sum.add(channels[index], times: pattern[index]) }
        return sum
    }
}
