import COssicle
import OssicleCore

/// A room's late field: sixteen delay lines that feed each other through a Hadamard matrix (Jot and Chaigne, "Digital
/// delay networks for designing artificial reverberators", AES 1991).
///
///     x ─▶ predelay ─▶ tone and level ─▶ 4 allpasses ─▶ b ─▶(+)─▶ z⁻ᵐ¹ ─▶ loop filter ─┬─▶ signs ─▶ Hadamard ─▶ 8 outputs
///                                                          ▲                         │
///                                                          └──── Hadamard / 4 ◀──────┘                  (16 lanes throughout)
///
/// Level: with lossless mixing the output energy per second is fs·|b|²·|c|²/Σm; the input is scaled so that the eight
/// outputs together carry `Parameters.energyDensity`·e^(−13.8 t/T60) from `start` on, t counted from emission, in every
/// octave. What the network delays by itself is taken off the predelay, and what the field loses meanwhile is taken off
/// the level band by band. In the low octaves, where modes are few, the level is what this network's modes make of it
/// (`NetworkBalance`).
///
/// Outputs are orthogonal mixes of the lines and so decorrelated; give each its own direction. Input that is not finite
/// or beyond
/// +96 dBFS is replaced by silence and counted, so nothing lasting can get in. Audio thread; not shared.
package struct FeedbackDelayNetwork: ~Copyable {
    package static let lineCount = 16
    /// Outputs where none are named; there are up to `lineCount`.
    package static let outputCount = 8
    package typealias Lanes = SIMD16<Float>
    /// Frames worked on at once; no line is shorter.
    static let chunk = 64
    private static let largestInput: Float = 65_536

    package let settings: Settings
    private let plan: Plan
    private let grid: OctaveGrid
    private let balance: NetworkBalance
    private var predelay: Predelay
    private var tone = BandEqualizer()
    private var loopFilter: LoopFilter
    private var diffuser0: Diffuser
    private var diffuser1: Diffuser
    private var diffuser2: Diffuser
    private var diffuser3: Diffuser
    /// The lines one after the other, each a ring of its own length.
    private let lines: SampleMemory
    private var positions = SIMD16<Int32>.zero
    /// Where each line is read and then written next.
    private let ends: OwnedMemory<UnsafeMutablePointer<Float>>
    private let frames = OwnedMemory<Lanes>(count: chunk, .zero)
    private let mono = SampleMemory(count: chunk)
    /// The plan's output and input gains.
    private let gains = OwnedMemory<Lanes>(count: 2, .zero)
    /// Where the outputs of the present chunk go.
    private let heard: OwnedMemory<UnsafeMutablePointer<Float>>
    /// Input samples replaced because they were not finite or beyond reason.
    private(set) package var faults = 0

    package init(_ settings: Settings, _ parameters: Parameters) {
        self.settings = settings
        plan = Plan(settings)
        grid = OctaveGrid(sampleRate: settings.sampleRate)
        balance = NetworkBalance(plan, settings)
        predelay = Predelay(longest: Int(settings.longestStart * settings.sampleRate))
        loopFilter = LoopFilter(sampleRate: settings.sampleRate, lengths: plan.lengths)
        diffuser0 = Diffuser(length: Int(plan.diffusers[0]))
        diffuser1 = Diffuser(length: Int(plan.diffusers[1]))
        diffuser2 = Diffuser(length: Int(plan.diffusers[2]))
        diffuser3 = Diffuser(length: Int(plan.diffusers[3]))
        lines = SampleMemory(count: plan.totalLength)
        ends = OwnedMemory(count: FeedbackDelayNetwork.lineCount, lines.pointer)
        heard = OwnedMemory(count: FeedbackDelayNetwork.lineCount, lines.pointer)
        (gains.pointer[0], gains.pointer[1]) = (plan.output, plan.input)
        rewind()
        setTarget(parameters, frames: 0)
    }

    /// Silences the network; parameters stay.
    package mutating func reset() {
        lines.clear()
        rewind()
        predelay.reset()
        tone.reset()
        loopFilter.reset()
        diffuser0.reset()
        diffuser1.reset()
        diffuser2.reset()
        diffuser3.reset()
    }

    /// Moves to other parameters over `frames` frames (0: at once): decay and level in lines, the start by a
    /// cross-fade. Allocates nothing and takes about a tenth of a millisecond; meant for 10 to 30 calls a second.
    package mutating func setTarget(_ parameters: Parameters, frames: Int) {
        let rate = settings.sampleRate
        // The recirculating energy is centred half a mean line behind its input (geometric series against exponential).
        let own =
            plan.diffusion + plan.totalLength / (2 * FeedbackDelayNetwork.lineCount) + settings.latency
        predelay.setTarget(Int((parameters.start * rate).rounded()) - own, frames: frames)
        loopFilter.setTarget(parameters.t60, frames: frames)
        let late = parameters.keepsEnergy ? max(own - Int((parameters.start * rate).rounded()), 0) : 0
        let waited = Float(predelay.target + plan.diffusion + settings.latency - late) / Float(rate)
        let level = Float((parameters.energyDensity * Double(plan.totalLength) / rate).squareRoot())
        var gains = OctaveBands.zeros
        for band in 0..<OctaveBands.count {
            gains[band] = level * parameters.amplitude(band, after: waited) * balance.gain(band, parameters.t60[band])
        }
        tone.setTarget(BandEqualizerDesign.solve(gains, grid: grid), frames: frames)
    }

    /// Mono in, `count` channels out (overwritten), each with an eighth of the energy. Twice eight have the signs of a
    /// whole Hadamard matrix; the last of them is alike to the input, so that its first echoes are up to 3 dB louder.
    package mutating func process(
        _ input: UnsafePointer<Float>, outputs: UnsafePointer<UnsafeMutablePointer<Float>>, count: Int = outputCount,
        _ n: Int
    ) {
        var done = 0
        while done < n {
            let run = loopFilter.steadyFrames(min(n - done, framesToWrap))
            prepareInput(input + done, run)
            gather(run)
            loopFilter.process(frames.pointer, run)
            mix(outputs, min(count, Self.lineCount), offset: done, run)
            advance(run)
            done += run
        }
    }

    /// Frames until the next line comes to its end, at most one chunk.
    private var framesToWrap: Int { min(FeedbackDelayNetwork.chunk, Int((plan.lengths &- positions).min())) }

    private mutating func prepareInput(_ input: UnsafePointer<Float>, _ n: Int) {
        let buffer = mono.pointer
        for i in 0..<n {
            let usable = input[i].magnitude <= FeedbackDelayNetwork.largestInput
            buffer[i] = usable ? input[i] : 0
            if !usable { faults += 1 }
        }
        predelay.process(buffer, n)
        tone.process(from: UnsafePointer(buffer), to: buffer, n)
        diffuser0.process(buffer, n)
        diffuser1.process(buffer, n)
        diffuser2.process(buffer, n)
        diffuser3.process(buffer, n)
    }

    /// The ends of the lines into `frames`.
    private func gather(_ n: Int) {
        #if arch(x86_64)
        ossicle_fdn_gather(ends.pointer, frames.floats, n)
        #else
        NetworkSteps.gather(ends.pointer, frames.pointer, n)
        #endif
    }

    private func mix(
        _ outputs: UnsafePointer<UnsafeMutablePointer<Float>>, _ count: Int, offset: Int, _ n: Int
    ) {
        for output in 0..<count { heard.pointer[output] = outputs[output] + offset }
        #if arch(x86_64)
        ossicle_fdn_mix(
            frames.floats, mono.pointer, gains.floats, gains.floats + Lanes.scalarCount, heard.pointer, count,
            ends.pointer, n)
        #else
        NetworkSteps.mix(
            frames.pointer, mono.pointer, output: gains.pointer[0], input: gains.pointer[1], to: heard.pointer,
            count, ends.pointer, n)
        #endif
    }

    /// What was read has been written over; the lines' ends move on.
    private mutating func advance(_ n: Int) {
        let ends = ends.pointer
        positions &+= SIMD16(repeating: Int32(n))
        for line in 0..<FeedbackDelayNetwork.lineCount {
            ends[line] += n
            if positions[line] == plan.lengths[line] {
                positions[line] = 0
                ends[line] -= Int(plan.lengths[line])
            }
        }
    }

    /// Every line's end back to the start of its memory.
    private mutating func rewind() {
        positions = .zero
        var ring = lines.pointer
        for line in 0..<FeedbackDelayNetwork.lineCount {
            ends.pointer[line] = ring
            ring += Int(plan.lengths[line])
        }
    }
}

/// The inner steps of `FeedbackDelayNetwork` in Swift: for other processors, and to test the C versions against.
enum NetworkSteps {
    typealias Lanes = SIMD16<Float>

    /// frames[i][line] = ends[line][i].
    static func gather(
        _ ends: UnsafePointer<UnsafeMutablePointer<Float>>, _ frames: UnsafeMutablePointer<Lanes>, _ n: Int
    ) {
        for i in 0..<n {
            for line in 0..<Lanes.scalarCount { frames[i][line] = ends[line][i] }
        }
    }

    /// One vector per frame through a cascade of sections, in place; `state` holds s₁ and s₂ of each.
    static func filter(
        _ sections: UnsafePointer<StateVariableSection<Lanes>>, _ state: UnsafeMutablePointer<Lanes>, count: Int,
        _ frames: UnsafeMutablePointer<Lanes>, _ n: Int
    ) {
        for j in 0..<count {
            let c = sections[j]
            var (s1, s2) = (state[2 * j], state[2 * j + 1])
            for i in 0..<n {
                let x = frames[i]
                let e = x - s2
                frames[i] = c.d * x + c.p * s1 + c.q * s2
                s2 = s2 + c.beta * s1 + c.gamma * e
                s1 = c.alpha * s1 + c.beta * e
            }
            (state[2 * j], state[2 * j + 1]) = (s1, s2)
        }
    }

    /// The outputs, and what goes back into the lines.
    static func mix(
        _ frames: UnsafePointer<Lanes>, _ mono: UnsafePointer<Float>, output: Lanes, input: Lanes,
        to outputs: UnsafePointer<UnsafeMutablePointer<Float>>, _ count: Int,
        _ ends: UnsafePointer<UnsafeMutablePointer<Float>>, _ n: Int
    ) {
        for i in 0..<n {
            let heard = (frames[i] * output).hadamard
            for channel in 0..<count { outputs[channel][i] = heard[channel] }
            let fed = frames[i].hadamard * 0.25 + input * mono[i]
            for line in 0..<Lanes.scalarCount { ends[line][i] = fed[line] }
        }
    }
}

extension SIMD16<Float> {
    /// The sixteen sums with the signs of a Hadamard matrix. Energy grows sixteenfold.
    ///
    /// Sums and differences over each of the four bits of the lane number: the upper two bits by halves, the lower two
    /// by neighbours.
    @inline(__always)
    var hadamard: Self {
        let (sum, difference) = (lowHalf + highHalf, lowHalf - highHalf)
        var v = Self(
            lowHalf: SIMD8(lowHalf: sum.lowHalf + sum.highHalf, highHalf: sum.lowHalf - sum.highHalf),
            highHalf: SIMD8(
                lowHalf: difference.lowHalf + difference.highHalf, highHalf: difference.lowHalf - difference.highHalf))
        v = Self(lowHalf: v.evenHalf + v.oddHalf, highHalf: v.evenHalf - v.oddHalf)
        return Self(lowHalf: v.evenHalf + v.oddHalf, highHalf: v.evenHalf - v.oddHalf)
    }
}

extension OwnedMemory<SIMD16<Float>> {
    /// The lanes one after the other, as C sees them.
    var floats: UnsafeMutablePointer<Float> { UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: Float.self) }
}
