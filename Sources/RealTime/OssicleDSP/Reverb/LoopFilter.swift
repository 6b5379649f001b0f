import COssicle
import OssicleCore

/// The decay of a feedback delay network: for each of sixteen lines the graphic equaliser that loses, in one pass of m
/// frames, 60·m/(fs·T60) dB in each octave. Lanes run across lines, so sixteen equalisers cost as much as one.
///
/// Its gain is below 1 at every frequency whatever the T60s are (checked on a fine grid, and lowered where neighbouring
/// sections would overshoot), and a lossless mix of lines that each lose energy cannot grow. Audio thread; not shared.
struct LoopFilter: ~Copyable {
    typealias Lanes = SIMD16<Float>
    typealias Section = StateVariableSection<Lanes>
    static let sectionCount = 10
    /// Frames between two steps of moving coefficients.
    static let stride = 8

    private let grid: OctaveGrid
    private let lengths: SIMD16<Int32>
    /// Squared warped frequencies the stability is checked at: 0 Hz, then eighteen per octave from 16 Hz on to Nyquist.
    private var probes = InlineArray<12, Lanes>(repeating: .zero)
    private let start = OwnedMemory<Section>(count: sectionCount, .passing)
    private let target = OwnedMemory<Section>(count: sectionCount, .passing)
    private let current = OwnedMemory<Section>(count: sectionCount, .passing)
    private let state = OwnedMemory<Lanes>(count: 2 * sectionCount, .zero)
    private var frames = 0
    private var index = 0

    init(sampleRate: Double, lengths: SIMD16<Int32>) {
        grid = OctaveGrid(sampleRate: sampleRate)
        self.lengths = lengths
        for probe in 0..<192 {
            let inner = min(16 * DeterministicMath.exp2(Double(probe - 1) / 18), 0.49 * sampleRate)
            let frequency = probe == 0 ? 0 : (probe == 191 ? 0.4999 * sampleRate : inner)
            let warped = Float(DeterministicMath.tan(DeterministicMath.pi * frequency / sampleRate))
            probes[probe / 16][probe % 16] = warped * warped
        }
    }

    mutating func reset() { state.fill(.zero) }

    /// Moves to decay times of octave bands in seconds over `frames` frames (0: at once). Sixteen small solves, no
    /// allocation.
    mutating func setTarget(_ t60: OctaveBands, frames: Int) {
        start.copy(from: current)
        let times = BandDecay.centreTimes(for: t60)
        for line in 0..<16 { solve(line, times) }
        self.frames = max(frames, 0)
        index = 0
        if frames <= 0 { current.copy(from: target) }
    }

    private func solve(_ line: Int, _ t60: OctaveBands) {
        let loss = -60 * Float(lengths[line]) / Float(grid.sampleRate)
        var wanted = Lanes(repeating: 0)
        for band in 0..<OctaveBands.count { wanted[band] = loss / t60[band] }
        var (broadband, sections) = BandEqualizerDesign.sectionDecibels(for: wanted, grid, tolerance: 0.002)
        var least = wanted[0]
        for band in 1..<OctaveBands.count { least = max(least, wanted[band]) }
        // Between the centres the decay may exceed the longest octave's by a quarter.
        broadband -= max(peak(sections) + broadband - 0.8 * least, 0)
        let design = BandEqualizerDesign(broadband: broadband, sections: sections, grid).sections
        for j in 0..<LoopFilter.sectionCount {
            target.pointer[j].alpha[line] = design.alpha[j]
            target.pointer[j].beta[line] = design.beta[j]
            target.pointer[j].gamma[line] = design.gamma[j]
            target.pointer[j].d[line] = design.d[j]
            target.pointer[j].p[line] = design.p[j]
            target.pointer[j].q[line] = design.q[j]
        }
    }

    /// Highest dB of the cascade: at the probes, and between them by parabolas through three, with half as much again
    /// for their error.
    private func peak(_ sections: Lanes) -> Float {
        var highest = -Float.greatestFiniteMagnitude
        var (before, last) = (highest, highest)
        for group in 0..<12 {
            var ratios = OctaveGrid.Sections<Lanes>(repeating: .zero)
            for j in 0..<LoopFilter.sectionCount { ratios[j] = probes[group] / (grid.corners[j] * grid.corners[j]) }
            let levels = BandEqualizerDesign.response(sections, at: ratios)
            for lane in 0..<16 {
                let level = levels[lane]
                let bend = 2 * last - before - level
                if last >= before, last >= level, bend > 0 {
                    highest = max(highest, last + 1.5 * (level - before) * (level - before) / (8 * bend))
                }
                highest = max(highest, level)
                (before, last) = (last, level)
            }
        }
        return highest
    }

    /// How many of the next n frames have the same coefficients.
    func steadyFrames(_ n: Int) -> Int {
        index < frames ? min(n, LoopFilter.stride - index % LoopFilter.stride, frames - index) : n
    }

    /// In place: one vector per frame, lanes are lines. n at most `steadyFrames`.
    mutating func process(_ lines: UnsafeMutablePointer<Lanes>, _ n: Int) {
        if index < frames, index % LoopFilter.stride == 0 { step() }
        #if arch(x86_64)
        let sections = UnsafeRawPointer(current.pointer).assumingMemoryBound(to: Float.self)
        let frames = UnsafeMutableRawPointer(lines).assumingMemoryBound(to: Float.self)
        ossicle_fdn_filter(sections, state.floats, LoopFilter.sectionCount, frames, n)
        #else
        NetworkSteps.filter(current.pointer, state.pointer, count: LoopFilter.sectionCount, lines, n)
        #endif
        advance(n)
    }

    private func step() {
        let t = Lanes(repeating: Float(index) * (1 / Float(frames)))
        for j in 0..<LoopFilter.sectionCount { current.pointer[j] = .mix(start.pointer[j], target.pointer[j], t) }
    }

    private mutating func advance(_ n: Int) {
        guard index < frames else { return }
        index += n
        if index >= frames { current.copy(from: target) }
    }
}
