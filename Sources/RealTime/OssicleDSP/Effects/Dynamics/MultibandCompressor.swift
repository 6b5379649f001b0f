import OssicleCore

/// Four bands, each compressed by itself; channels are linked within a band.
///
///     x·pregain ─▶ crossovers ═▶ 4 × (gain computer ─▶ · ─▶ EQ) ═▶ Σ ─▶ ·postgain ─▶ y
///
/// The static law is `DynamicsLaw`'s, without expansion. At rest the bands sum to an allpass of the input: flat in level, not bit for bit.
/// Audio thread, but for `init`.
package struct MultibandCompressor: EffectKernel, ~Copyable {
    package static var bandCount: Int { CrossoverBank.bandCount }
    private static let largestInput: Float = 65_536

    /// Where each band's newest meter goes after every call, if anybody reads it. Whoever made the cell keeps it alive for as long and frees it.
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
        banks = OwnedMemory(count: channelCount, CrossoverBank(CrossoverSections(parameters.rising(sampleRate), sampleRate: sampleRate)))
        computers = .allocate(capacity: Self.bandCount)
        equalization = OwnedMemory(count: Self.bandCount, GainRamp(1))
        for band in 0..<Self.bandCount {
            (computers + band).initialize(to: GainComputer(sampleRate: sampleRate, law: parameters.law(band), attackTime: parameters.attack,
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

    package mutating func process(from inputs: UnsafePointer<UnsafeMutablePointer<Float>>, to outputs: UnsafePointer<UnsafeMutablePointer<Float>>,
                                  frames: Int) {
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

    /// Every channel into its bands. What is not finite or beyond +96 dBFS becomes silence: it would stay in the filters.
    private mutating func split(_ inputs: UnsafePointer<UnsafeMutablePointer<Float>>, _ n: Int) {
        let (ramp, banks) = (pregain, banks.pointer)
        for channel in 0..<channelCount {
            pregain = ramp
            pregain.process(from: inputs[channel], to: input.pointer, n)
            for i in 0..<n { input[i] = input[i].magnitude <= Self.largestInput ? input[i] : 0 }
            banks[channel].process(input.pointer, head(0, channel), head(1, channel), head(2, channel), head(3, channel), n)
        }
    }

    private func head(_ band: Int, _ channel: Int) -> UnsafeMutablePointer<Float> { heads.pointer[band * channelCount + channel] }

    /// Adds one band, turned down as its level asks for.
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
    package static func tailTime(_ parameters: Parameters, sampleRate: Double) -> Double { 4 / Double(parameters.rising(sampleRate).x) }
}
