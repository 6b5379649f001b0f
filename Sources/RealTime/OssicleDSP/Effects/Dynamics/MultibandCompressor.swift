import OssicleCore

/// Four bands, each compressed by itself; channels are linked within a band.
///
///     x·pregain ─▶ crossovers ═▶ 4 × (gain computer ─▶ · ─▶ EQ) ═▶ Σ ─▶ ·postgain ─▶ y
///
/// The static law is `DynamicsLaw`'s, without expansion. At rest the bands sum to an allpass of the input: flat in
/// level, not bit for bit. Audio thread, but for `init`.
package struct MultibandCompressor: EffectKernel, ~Copyable {
    package static var bandCount: Int { CrossoverBank.bandCount }
    private static let largestInput: Float = 65_536

    /// Where each band's newest meter goes after every call if it is read. The cell's owner keeps it alive
    /// for as long and frees it.
    package var report: LatestValueCell<InlineArray<4, DynamicsMeter>>?
    private(set) package var meters = InlineArray<4, DynamicsMeter>(repeating: DynamicsMeter())
    private let sampleRate: Double
    private let channelCount: Int
    private let glide: Int
    private var parameters: Parameters
    private let banks: OwnedMemory<CrossoverBank>
    private let computers: UnsafeMutablePointer<GainComputer>
    private let equalization: OwnedMemory<GainRamp>
    private var pregain: GainRamp
    private var postgain: GainRamp
    private let input = SampleMemory(count: Grid.quantum)
    /// Band by band, channel by channel.
    private let bands: SampleMemory
    private let heads: OwnedMemory<UnsafeMutablePointer<Float>>

    package init(sampleRate: Double, channelCount: Int, parameters: Parameters) {
        self.sampleRate = sampleRate
        self.channelCount = channelCount
        glide = Int(0.02 * sampleRate)
        self.parameters = parameters
        banks = OwnedMemory(
            count: channelCount, CrossoverBank(CrossoverSections(parameters.rising(sampleRate), sampleRate: sampleRate))
        )
        computers = .allocate(capacity: Self.bandCount)
        equalization = OwnedMemory(count: Self.bandCount, GainRamp(1))
        for band in 0..<Self.bandCount {
            (computers + band).initialize(
                to: GainComputer(
                    sampleRate: sampleRate, law: parameters.law(band), attackTime: parameters.attack,
                    releaseTime: parameters.release))
            equalization.pointer[band] = GainRamp(parameters.gain(band))
        }
        pregain = GainRamp(parameters.before)
        postgain = GainRamp(parameters.behind)
        bands = SampleMemory(count: Self.bandCount * channelCount * Grid.quantum)
        heads = OwnedMemory(count: Self.bandCount * channelCount, bands.pointer)
        for index in 0..<(Self.bandCount * channelCount) { heads.pointer[index] = bands.pointer + index * Grid.quantum }
    }

    deinit { computers.deinitialize(count: Self.bandCount).deallocate() }

    package mutating func take(_ parameters: Parameters, atOnce: Bool) {
        let frames = atOnce ? 0 : glide
        self.parameters = parameters
        pregain.setTarget(parameters.before, frames: frames)
        postgain.setTarget(parameters.behind, frames: frames)
        let sections = CrossoverSections(parameters.rising(sampleRate), sampleRate: sampleRate)
        let (banks, computers, equalization) = (banks.pointer, computers, equalization.pointer)
        for channel in 0..<channelCount { banks[channel].setTarget(sections, frames: frames) }
        for band in 0..<Self.bandCount {
            computers[band].set(attackTime: parameters.attack, releaseTime: parameters.release)
            computers[band].setTarget(parameters.law(band), frames: frames)
            equalization[band].setTarget(parameters.gain(band), frames: frames)
        }
    }

    package mutating func process(
        from inputs: UnsafePointer<UnsafeMutablePointer<Float>>, to outputs: UnsafePointer<UnsafeMutablePointer<Float>>,
        frames: Int
    ) {
        split(inputs, frames)
        for channel in 0..<channelCount { outputs[channel].update(repeating: 0, count: frames) }
        for band in 0..<Self.bandCount { compress(band, into: outputs, frames) }
        let ramp = postgain
        for channel in 0..<channelCount {
            postgain = ramp
            postgain.process(outputs[channel], frames)
        }
        report?.write(meters)
    }

    /// Every channel into its bands. What is not finite or beyond +96 dBFS becomes silence: it would stay in the
    /// filters.
    private mutating func split(_ inputs: UnsafePointer<UnsafeMutablePointer<Float>>, _ n: Int) {
        let (ramp, banks) = (pregain, banks.pointer)
        for channel in 0..<channelCount {
            pregain = ramp
            pregain.process(from: inputs[channel], to: input.pointer, n)
            for i in 0..<n { input[i] = input[i].magnitude <= Self.largestInput ? input[i] : 0 }
            banks[channel].process(
                input.pointer, head(0, channel), head(1, channel), head(2, channel), head(3, channel), n)
        }
    }

    private func head(_ band: Int, _ channel: Int) -> UnsafeMutablePointer<Float> {
        heads.pointer[band * channelCount + channel]
    }

    /// Adds one band, turned down according to its level.
    private mutating func compress(_ band: Int, into outputs: UnsafePointer<UnsafeMutablePointer<Float>>, _ n: Int) {
        let (computer, level) = (computers + band, equalization.pointer + band)
        let gains = computer.pointee.block.pointer
        LinkedMagnitude.measure(heads.pointer + band * channelCount, channelCount, into: gains, n)
        computer.pointee.process(n)
        level.pointee.process(gains, n)
        for channel in 0..<channelCount {
            let (samples, output) = (head(band, channel), outputs[channel])
            for i in 0..<n { output[i] += samples[i] * gains[i] }
        }
        meters[band] = DynamicsMeter(computer.pointee, makeup: level.pointee.value)
    }

    package mutating func reset() {
        let (banks, computers) = (banks.pointer, computers)
        for channel in 0..<channelCount { banks[channel].reset() }
        for band in 0..<Self.bandCount { computers[band].reset() }
        take(parameters, atOnce: true)
    }

    /// The filters ring on for a few periods of the lowest crossover.
    package static func tailTime(_ parameters: Parameters, sampleRate: Double) -> Double {
        4 / Double(parameters.rising(sampleRate).x)
    }
}

extension MultibandCompressor {
    package struct Parameters: BitwiseCopyable, Hashable, Sendable {
        /// dB, −40 … 40, before and behind.
        package var pregain: Float = 0
        package var postgain: Float = 0
        /// Hz, 20 … half the sample rate. One that lies below the one before it counts as equal to it.
        package var crossovers = SIMD3<Float>(120, 700, 3000)
        /// dB, −100 … 0, from the lowest band up.
        package var thresholds = SIMD4<Float>(-22, -32, -33, -36)
        /// dB, 0.1 … 40.
        package var headrooms = SIMD4<Float>(5, 12, 5, 7.5)
        /// Seconds, 0.001 … 0.2 and 0.01 … 3, of all bands.
        package var attackTime: Float = 0.08
        package var releaseTime: Float = 0.12
        /// dB, −20 … 20, of each band behind its compressor.
        package var equalization = SIMD4<Float>.zero

        package init() {}

        var attack: Float { attackTime.held(0.001...0.2, otherwise: 0.08) }
        var release: Float { releaseTime.held(0.01...3, otherwise: 0.12) }
        var before: Float { Self.amplitude(pregain.held(-40...40, otherwise: 0)) }
        var behind: Float { Self.amplitude(postgain.held(-40...40, otherwise: 0)) }

        /// Compression only: no level is low enough to be expanded.
        func law(_ band: Int) -> DynamicsLaw {
            DynamicsLaw(
                threshold: thresholds[band].held(-100...0, otherwise: 0),
                headRoom: headrooms[band].held(0.1...40, otherwise: 5),
                expansionThreshold: -200, expansionRatio: 1)
        }

        func gain(_ band: Int) -> Float { Self.amplitude(equalization[band].held(-20...20, otherwise: 0)) }

        func rising(_ sampleRate: Double) -> SIMD3<Float> {
            let range = 20...max(Float(sampleRate / 2), 20)
            let first = crossovers.x.held(range, otherwise: 120)
            let second = max(crossovers.y.held(range, otherwise: 700), first)
            return SIMD3(first, second, max(crossovers.z.held(range, otherwise: 3000), second))
        }

        private static func amplitude(_ decibels: Float) -> Float { Float(Decibels.amplitude(Double(decibels))) }
    }
}
