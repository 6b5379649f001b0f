import OssicleCore

/// Where ears listen: what each place has in what is alike and what is opposite at both, at some frequencies of each
/// octave.
struct HeardPlaces: ArrangedSound {
    /// Sixteen frequencies: the outputs, and each place's part.
    private struct Group {
        let part: Int
        var outputs = [SpectralNumber](repeating: SpectralNumber(), count: FeedbackDelayNetwork.lineCount)
        let even: [SpectralNumber]
        let odd: [SpectralNumber]
    }

    private var groups: [Group] = []
    private(set) var wanted: [NetworkField.Wanted] = []

    init(_ field: borrowing NetworkField, _ patterns: [SIMD16<Float>], _ ears: AmbisonicHRTFTable) {
        for (index, part) in field.parts.enumerated() {
            let before = groups.count
            var isotropic = (even: Float(0), odd: Float(0))
            var shares: [SIMD16<Float>] = []
            for first in stride(from: 0, to: part.count, by: 16) {
                let heard = DecodedChannels(
                    ears, turns: (first..<first + 16).map { part.frequency($0) / field.sampleRate })
                groups.append(
                    Group(
                        part: index, even: patterns.map { DecodedChannels.part(heard.even, $0) },
                        odd: patterns.map { DecodedChannels.part(heard.odd, $0) }))
                let (even, odd) = (SpectralNumber.power(of: heard.even), SpectralNumber.power(of: heard.odd))
                isotropic.even += even.sum()
                isotropic.odd += odd.sum()
                shares.append(even + odd)
            }
            field.outputs(part) { first, outputs in
                for output in 0..<FeedbackDelayNetwork.lineCount {
                    for lane in 0..<4 {
                        let place = first % 16 + lane
                        groups[before + first / 16].outputs[output].re[place] = outputs[output].re[lane]
                        groups[before + first / 16].outputs[output].im[place] = outputs[output].im[lane]
                    }
                }
            }
            let power = zip(groups[before...], shares).reduce(Float(0)) { power, found in
                let (group, share) = found
                return power + (share * SpectralNumber.power(of: group.outputs)).sum() / Float(group.outputs.count)
            }
            let correlation =
                (isotropic.even - isotropic.odd) / max(isotropic.even + isotropic.odd, .leastNormalMagnitude)
            wanted.append(
                NetworkField.Wanted(
                    correlation: correlation, power: max(power, .leastNormalMagnitude), level: part.level))
        }
    }

    /// What is alike and what is opposite on both sides, for each group.
    var none: [(even: SpectralNumber, odd: SpectralNumber)] {
        groups.map { _ in (even: SpectralNumber(), odd: SpectralNumber()) }
    }

    func add(
        _ output: Int, _ place: Int, _ sign: Float, to sides: inout [(even: SpectralNumber, odd: SpectralNumber)]
    ) {
        for index in groups.indices {
            let sound = groups[index].outputs[output]
            sides[index].even.add(groups[index].even[place], sound, times: sign)
            sides[index].odd.add(groups[index].odd[place], sound, times: sign)
        }
    }

    func powers(_ sides: [(even: SpectralNumber, odd: SpectralNumber)]) -> [SIMD2<Float>] {
        var powers = [SIMD2<Float>](repeating: .zero, count: wanted.count)
        for index in groups.indices {
            powers[groups[index].part] += SIMD2(sides[index].even.power.sum(), sides[index].odd.power.sum())
        }
        return powers
    }
}

/// Real and imaginary parts at sixteen frequencies.
struct SpectralNumber {
    var re = SIMD16<Float>.zero, im = SIMD16<Float>.zero

    @inline(__always)
    mutating func add(_ a: Self, _ b: Self, times scale: Float) {
        re += (a.re * b.re - a.im * b.im) * scale
        im += (a.re * b.im + a.im * b.re) * scale
    }

    @inline(__always)
    mutating func add(_ a: Self, times scale: Float) {
        re += a.re * scale
        im += a.im * scale
    }

    var power: SIMD16<Float> { re * re + im * im }

    static func power(of numbers: [Self]) -> SIMD16<Float> {
        numbers.reduce(.zero) { (sum: SIMD16<Float>, number: Self) -> SIMD16<Float> in sum + number.power }
    }
}

/// What two ears hear of the channels of a sound field, in N3D weights, at sixteen frequencies.
private struct DecodedChannels {
    var even = [SpectralNumber](repeating: SpectralNumber(), count: SphericalHarmonics.greatestCount)
    var odd = [SpectralNumber](repeating: SpectralNumber(), count: SphericalHarmonics.greatestCount)

    /// - Parameter turns: of a frequency, in a frame.
    init(_ ears: AmbisonicHRTFTable, turns: [Double]) {
        var (step, turn) = (SpectralNumber(), SpectralNumber(re: SIMD16(repeating: 1)))
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
            var next = SpectralNumber()
            next.add(turn, step, times: 1)
            turn = next
        }
    }

    /// Of a pattern of channels.
    static func part(_ channels: [SpectralNumber], _ pattern: SIMD16<Float>) -> SpectralNumber {
        var sum = SpectralNumber()
        for index in channels.indices { sum.add(channels[index], times: pattern[index]) }
        return sum
    }
}
