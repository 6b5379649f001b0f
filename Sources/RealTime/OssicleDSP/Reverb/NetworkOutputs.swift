import OssicleCore

/// Which place of a sound field each of a network's sixteen outputs takes, and with which sign.
///
/// Ears of a symmetric head hear E + O and E − O, the sums of what is alike on both sides and of what is opposite;
/// their correlation is (|E|² − |O|²) / (|E|² + |O|²). In a single response that is a random number: an octave of B Hz
/// that decays with T60 has B·T60/6.9 independent values, so its correlation ρ scatters around an isotropic field's by
/// (1 − ρ²) / √(2·B·T60/6.9), 0.08 at 500 Hz and 1.5 s, in a network as in a room. All arrangements of the outputs are
/// isotropic on average. This is one whose octaves from 63 Hz to 8 kHz come near the isotropic field at T60s of 0.6 to
/// 1.7 s; other times change little in it.
///
/// The level of an octave at the ears is random as well, even where all outputs together have the right one. In low
/// octaves both ears hear little but the sum of the outputs, which is up to 2 dB off, by the same figures at every place
/// in the room. The arrangement brings this level near the outputs' mean, too. Where no ears listen, what is alike is
/// the first channel, which is what one microphone hears, and what is opposite the second, the difference between left
/// and right. Control side; takes some 14 ms.
package struct NetworkOutputs {
    /// By output the place it takes.
    package private(set) var places = Array(0..<FeedbackDelayNetwork.lineCount)
    /// By output, 1 or −1.
    package private(set) var signs = [Float](repeating: 1, count: FeedbackDelayNetwork.lineCount)

    private static let trials = 1200

    /// - Parameters:
    ///   - patterns: of every place, what it is in the channels of order 3 (ACN, N3D).
    ///   - ears: that listen; nil for microphones and loudspeakers.
    package init(
        _ settings: FeedbackDelayNetwork.Settings, patterns: [SIMD16<Float>], ears: AmbisonicHRTFTable?
    ) {
        let field = NetworkField(settings, patterns, ears)
        let random = CounterRandom(seed: settings.seed, object: CounterRandom.number(of: "NetworkOutputs"))
        var best = field.sides(places, signs)
        var least = field.distance(best)
        for trial in 0..<Self.trials {
            func draw(_ number: Int) -> Int { Int(random.unit(UInt64(3 * trial + number)) * Double(places.count)) }
            let (a, b) = (draw(0), draw(1))
            var (placesThen, signsThen) = (places, signs)
            // Both swapped, one or both turned, or some of it at once: single steps soon lead no nearer.
            let kind = random.unit(UInt64(3 * trial + 2))
            if kind < 0.7 { placesThen.swapAt(a, b) }
            if kind >= 0.35 { signsThen[a] = -signs[a] }
            if kind >= 0.525 && kind < 0.85 && a != b { signsThen[b] = -signs[b] }
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
        let part: Int
        var outputs = [Number](repeating: Number(), count: FeedbackDelayNetwork.lineCount)
        var even: [Number]
        var odd: [Number]
    }

    /// An octave, with as many groups as resolve the modes where there are few, and the decay time it is looked at for:
    /// two where modes are so few that it matters.
    private struct Part {
        let centre: Double
        let groups: Int
        var time = 1.0
        /// How an error of 10 % in power counts for ears re one of 0.1 in correlation, squared: in low octaves they are
        /// correlated anyway, in high ones many modes make the power right.
        let level: Float
    }
    private static let parts =
        [0.6, 1.7].flatMap { time in
            [
                Part(centre: 62.5, groups: 4, time: time, level: 0.6),
                Part(centre: 125, groups: 4, time: time, level: 0.25),
            ]
        } + [Part(centre: 250, groups: 8, level: 0.12), Part(centre: 500, groups: 16, level: 0.04)]
        + [1000, 2000, 4000, 8000].map { Part(centre: $0, groups: 24, level: 0.04) }

    private let hasEars: Bool
    private var groups: [Group] = []
    /// By part the correlation of the ears in an isotropic field, and their power in one of the outputs' mean power.
    private var wanted: [(correlation: Float, power: Float)] = []

    init(
        _ settings: FeedbackDelayNetwork.Settings, _ patterns: [SIMD16<Float>], _ ears: AmbisonicHRTFTable?
    ) {
        hasEars = ears != nil
        let plan = FeedbackDelayNetwork.Plan(settings)
        for (index, part) in Self.parts.enumerated() {
            let centre = part.centre
            guard centre * 1.42 < settings.sampleRate / 2 else { break }
            let count = 16 * part.groups
            var isotropic = (even: Float(0), odd: Float(0))
            var power: Float = 0
            for first in stride(from: 0, to: count, by: 16) {
                let frequencies = (first..<first + 16).map { (place: Int) -> Double in
                    let share = 0.7071 * (Double(place) + 0.5) / Double(count)
                    return centre * (0.7071 + share)
                }
                let heard =
                    ears.map { DecodedChannels($0, turns: frequencies.map { $0 / settings.sampleRate }) }
                    ?? DecodedChannels.middleAndSide
                var group = Group(
                    part: index, even: patterns.map { DecodedChannels.part(heard.even, $0) },
                    odd: patterns.map { DecodedChannels.part(heard.odd, $0) })
                for (lane, frequency) in frequencies.enumerated() {
                    Self.put(plan, settings, frequency, part.time, lane, into: &group.outputs)
                }
                let (even, odd) = (Self.power(of: heard.even), Self.power(of: heard.odd))
                isotropic.even += even.sum()
                isotropic.odd += odd.sum()
                power += ((even + odd) * Self.power(of: group.outputs)).sum() / Float(group.outputs.count)
                groups.append(group)
            }
            let correlation =
                (isotropic.even - isotropic.odd) / max(isotropic.even + isotropic.odd, .leastNormalMagnitude)
            wanted.append((correlation, max(power, .leastNormalMagnitude)))
        }
    }

    private static func power(of numbers: [Number]) -> SIMD16<Float> {
        numbers.reduce(.zero) { (sum: SIMD16<Float>, number: Number) -> SIMD16<Float> in sum + number.power }
    }

    /// The network's answer at a frequency, pass by pass.
    private static func put(
        _ plan: FeedbackDelayNetwork.Plan, _ settings: FeedbackDelayNetwork.Settings, _ frequency: Double,
        _ time: Double, _ lane: Int, into outputs: inout [Number]
    ) {
        var delay = Number()
        for line in 0..<FeedbackDelayNetwork.lineCount {
            let seconds = Double(plan.lengths[line]) / settings.sampleRate
            let turns = frequency * seconds
            let turn = DeterministicMath.sincos(-2 * DeterministicMath.pi * (turns - turns.rounded(.down)))
            let gain = DeterministicMath.exp(-6.907_755 * seconds / time)
            (delay.re[line], delay.im[line]) = (Float(turn.cos * gain), Float(turn.sin * gain))
        }
        var (fed, sum) = (Number(re: plan.input), Number())
        for _ in 0...Int(0.5 * time / (2 * settings.meanFreeTime)) {
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

    /// Sum of the squared differences from the isotropic field's correlations and powers.
    func distance(_ sides: [(even: Number, odd: Number)]) -> Float {
        var powers = [SIMD2<Float>](repeating: .zero, count: wanted.count)
        for index in groups.indices {
            powers[groups[index].part] += SIMD2(sides[index].even.power.sum(), sides[index].odd.power.sum())
        }
        var sum: Float = 0
        for part in wanted.indices {
            let (even, odd) = (powers[part].x, powers[part].y)
            let correlation = (even - odd) / max(even + odd, .leastNormalMagnitude) - wanted[part].correlation
            let power = (even + odd) / wanted[part].power - 1
            sum += correlation * correlation + (hasEars ? Self.parts[part].level : 1) * power * power
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

    private init() {}

    /// Where no ears listen.
    static let middleAndSide = {
        var channels = DecodedChannels()
        channels.even[0].re = SIMD16(repeating: 1)
        channels.odd[1].re = SIMD16(repeating: 1)
        return channels
    }()

    /// Of a pattern of channels.
    static func part(_ channels: [NetworkField.Number], _ pattern: SIMD16<Float>) -> NetworkField.Number {
        var sum = NetworkField.Number()
        for index in channels.indices { sum.add(channels[index], times: pattern[index]) }
        return sum
    }
}
