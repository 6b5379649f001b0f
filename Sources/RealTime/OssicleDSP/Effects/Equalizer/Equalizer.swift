import OssicleCore

/// Any number of second-order bands in a row, then a gain: behind the N-band equaliser and the units of a single
/// filter.
///
///     x ─▶ band 0 ─▶ band 1 ─▶ … ─▶ global gain ─▶ y          every channel the same, two at a time in one vector
///
/// Responses are the cookbook's (`EqualizerBand+Design`). A band that does nothing is left out, and without any and at
/// 0 dB the input is copied bit for bit. Changes glide over 10 ms in their coefficients, which is stable whatever the
/// two ends are. No latency.
///
/// The control side writes a band's cell and then sends parameters with a new revision, upon which `take` looks into
/// the cells.
package struct Equalizer: ~Copyable, EffectKernel {
    package struct Parameters: BitwiseCopyable, Hashable, Sendable {
        /// dB, −96 … 24.
        package var globalGain: Float
        /// Differs between parameters that differ only in the bands.
        package var revision: UInt32

        package init(globalGain: Float = 0, revision: UInt32 = 0) {
            (self.globalGain, self.revision) = (globalGain, revision)
        }
    }

    private static let glideSeconds = 0.01

    private let sampleRate: Double
    private let channelCount: Int
    private let glideFrames: Int
    private let cells: EqualizerCells
    private let sections: OwnedMemory<GlidingSection>
    /// Of pair 0 all bands, then of pair 1 …
    private let states: OwnedMemory<SectionState>
    /// The bands that do something, in order.
    private let sounding: OwnedMemory<Int>
    private let buffer = OwnedMemory<SectionState.Lanes>(count: Grid.quantum, .zero)
    private var gain: GainRamp
    private(set) package var feedback = FeedbackGuard()

    /// An equaliser without bands: a gain.
    package init(sampleRate: Double, channelCount: Int, parameters: Parameters) {
        self.init(sampleRate: sampleRate, channelCount: channelCount, parameters: parameters, bands: [])
    }

    /// - Parameter bands: as many as there will ever be, with what they start as.
    package init(sampleRate: Double, channelCount: Int, parameters: Parameters, bands: some Collection<EqualizerBand>) {
        self.sampleRate = sampleRate
        self.channelCount = max(channelCount, 0)
        glideFrames = Int(min(max(1, Self.glideSeconds * sampleRate), 1e5))
        cells = EqualizerCells(bands)
        sections = OwnedMemory(count: bands.count, GlidingSection(EqualizerBand().section(sampleRate: sampleRate)))
        for (index, band) in bands.enumerated() {
            sections.pointer[index] = GlidingSection(band.section(sampleRate: sampleRate))
        }
        states = OwnedMemory(count: bands.count * ChannelPair.count(self.channelCount), SectionState())
        sounding = OwnedMemory(count: bands.count, 0)
        gain = GainRamp(Self.amplitude(parameters))
    }

    /// Where the control side writes a band's new values; nil if there is no such band. Valid as long as the kernel
    /// lives.
    package func bandCell(_ index: Int) -> LatestValueCell<EqualizerBand>? { cells[index] }

    package mutating func take(_ parameters: Parameters, atOnce: Bool) {
        let frames = atOnce ? 0 : glideFrames
        let sections = sections.pointer
        gain.setTarget(Self.amplitude(parameters), frames: frames)
        for band in 0..<cells.count {
            guard let new = cells[band]?.takeIfNew() else { continue }
            if sections[band].isTransparent { forget(band) }
            sections[band].setTarget(new.section(sampleRate: sampleRate), frames: frames)
        }
    }

    package mutating func reset() {
        let sections = sections.pointer
        for band in 0..<cells.count { sections[band].finish() }
        states.fill(SectionState())
        gain.setTarget(gain.target, frames: 0)
        feedback = FeedbackGuard()
    }

    package mutating func process(
        from inputs: UnsafePointer<UnsafeMutablePointer<Float>>, to outputs: UnsafePointer<UnsafeMutablePointer<Float>>,
        frames: Int
    ) {
        var done = 0
        while done < frames {
            let run = feedback.framesToCheck(frames - done)
            processRun(inputs, outputs, offset: done, run)
            done += run
            if feedback.isDue(after: run) { recover() }
        }
    }

    private mutating func processRun(
        _ inputs: UnsafePointer<UnsafeMutablePointer<Float>>, _ outputs: UnsafePointer<UnsafeMutablePointer<Float>>,
        offset: Int, _ n: Int
    ) {
        let soundingCount = lineUp()
        if soundingCount > 0 {
            for pair in 0..<ChannelPair.count(channelCount) {
                ChannelPair.load(pair, of: inputs, channelCount, offset: offset, to: buffer.pointer, n)
                cascade(soundingCount, states.pointer + pair * cells.count, n)
                ChannelPair.store(pair, from: buffer.pointer, to: outputs, channelCount, offset: offset, n)
            }
            let (sections, sounding) = (sections.pointer, sounding.pointer)
            for index in 0..<soundingCount { sections[sounding[index]].advance(n) }
        }
        let before = gain
        for channel in 0..<channelCount {
            gain = before
            gain.process(
                from: soundingCount > 0 ? outputs[channel] + offset : inputs[channel] + offset,
                to: outputs[channel] + offset, n)
        }
    }

    /// Finds the bands that do something; returns how many there are.
    private func lineUp() -> Int {
        var count = 0
        for band in 0..<cells.count where !sections.pointer[band].isTransparent {
            sounding.pointer[count] = band
            count += 1
        }
        return count
    }

    /// The buffer through the bands lined up: by fours as long as they rest, else one by one.
    private func cascade(_ count: Int, _ states: UnsafeMutablePointer<SectionState>, _ n: Int) {
        var done = 0
        while done < count {
            let band = sounding.pointer + done
            if done + 4 <= count, (0..<4).allSatisfy({ sections.pointer[band[$0]].framesLeft == 0 }) {
                var four = (states[band[0]], states[band[1]], states[band[2]], states[band[3]])
                GlidingSection.processFour(
                    (
                        sections.pointer[band[0]], sections.pointer[band[1]], sections.pointer[band[2]],
                        sections.pointer[band[3]]
                    ),
                    &four, buffer.pointer, n)
                (states[band[0]], states[band[1]], states[band[2]], states[band[3]]) = four
                done += 4
            } else {
                sections.pointer[band[0]].process(&states[band[0]], buffer.pointer, n)
                done += 1
            }
        }
    }

    private func forget(_ band: Int) {
        for pair in 0..<ChannelPair.count(channelCount) { states.pointer[pair * cells.count + band] = SectionState() }
    }

    private mutating func recover() {
        var faulty = false
        let states = states.pointer
        for index in 0..<(cells.count * ChannelPair.count(channelCount)) where states[index].recover() { faulty = true }
        if faulty { feedback.countFault() }
    }

    private static func amplitude(_ parameters: Parameters) -> Float {
        Float(Decibels.amplitude(FilterLimits.decibels(Double(parameters.globalGain))))
    }
}

extension Equalizer {
    /// Seconds until bands like these have decayed by 60 dB: the sum of their decay times, which is never too short.
    package static func tailTime(of bands: some Sequence<EqualizerBand>, sampleRate: Double) -> Double {
        bands.reduce(0) { sum, band in
            let section = band.section(sampleRate: sampleRate)
            return section.isTransparent ? sum : sum + section.decayTime(sampleRate: sampleRate)
        }
    }

    /// The parameters do not hold the bands, so this is how long the slowest boost there is rings: the narrowest and
    /// highest at 20 Hz. With known bands use `tailTime(of:sampleRate:)`.
    package static func tailTime(_ parameters: Parameters, sampleRate: Double) -> Double {
        tailTime(of: [EqualizerBand(frequency: 20, bandwidth: 0.05, gain: 24, bypass: false)], sampleRate: sampleRate)
    }
}

/// Channels two by two in double precision, for filters that take two lanes. The last of an odd number goes alone, its
/// companion silent.
enum ChannelPair {
    typealias Lanes = SectionState.Lanes

    static func count(_ channelCount: Int) -> Int { (channelCount + 1) / 2 }

    /// Frames `offset` and on of channels 2·pair and 2·pair + 1.
    static func load(
        _ pair: Int, of channels: UnsafePointer<UnsafeMutablePointer<Float>>, _ channelCount: Int, offset: Int,
        to buffer: UnsafeMutablePointer<Lanes>, _ n: Int
    ) {
        let left = channels[2 * pair] + offset
        guard 2 * pair + 1 < channelCount else {
            for i in 0..<n { buffer[i] = Lanes(Double(left[i]), 0) }
            return
        }
        let right = channels[2 * pair + 1] + offset
        for i in 0..<n { buffer[i] = Lanes(Double(left[i]), Double(right[i])) }
    }

    static func store(
        _ pair: Int, from buffer: UnsafePointer<Lanes>, to channels: UnsafePointer<UnsafeMutablePointer<Float>>,
        _ channelCount: Int,
        offset: Int, _ n: Int
    ) {
        let left = channels[2 * pair] + offset
        for i in 0..<n { left[i] = Float(buffer[i].x) }
        guard 2 * pair + 1 < channelCount else { return }
        let right = channels[2 * pair + 1] + offset
        for i in 0..<n { right[i] = Float(buffer[i].y) }
    }
}

/// A fixed number of cells through which the control side sends bands; freed with their owner.
struct EqualizerCells: ~Copyable, @unchecked Sendable {
    let count: Int
    private let cells: UnsafeMutablePointer<LatestValueCell<EqualizerBand>>

    init(_ bands: some Collection<EqualizerBand>) {
        count = bands.count
        cells = .allocate(capacity: max(count, 1))
        for (index, band) in bands.enumerated() { (cells + index).initialize(to: LatestValueCell(band)) }
    }

    deinit {
        for index in 0..<count { cells[index].deallocate() }
        cells.deallocate()
    }

    subscript(index: Int) -> LatestValueCell<EqualizerBand>? { index >= 0 && index < count ? cells[index] : nil }
}
