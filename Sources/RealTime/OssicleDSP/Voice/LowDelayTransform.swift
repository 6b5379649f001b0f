import OssicleCore

/// Spectra of a long window that are heard again after two hops: the window rises over all but its last hop and falls
/// over that, and only its last two hops are synthesised (after Mauler and Martin, "A low delay, variable resolution,
/// perfect reconstruction spectral analysis-synthesis system", EUSIPCO 2007).
///
/// Spectra that are left alone give the signal back, two hops later. Audio thread.
struct LowDelayTransform: ~Copyable {
    private let grid: VoiceGrid
    private let fourier: RealFourierTransform
    private let analysis: SampleMemory
    private let synthesis: SampleMemory
    private let scratch: SampleMemory
    private let overlap: SampleMemory

    var binCount: Int { fourier.binCount }

    init(grid: VoiceGrid) {
        self.grid = grid
        fourier = RealFourierTransform(count: grid.spectrumCount)
        analysis = SampleMemory(count: grid.windowCount)
        synthesis = SampleMemory(count: 2 * grid.hop)
        scratch = SampleMemory(count: grid.spectrumCount)
        overlap = SampleMemory(count: grid.hop)
        let (hop, rise) = (grid.hop, grid.windowCount - grid.hop)
        func sine(_ i: Int, _ length: Int) -> Double {
            DeterministicMath.sin(DeterministicMath.pi * (Double(i) + 0.5) / Double(2 * length))
        }
        for i in 0..<grid.windowCount {
            analysis[i] = Float(i < rise ? sine(i, rise) : sine(grid.windowCount - 1 - i, hop))
        }
        for i in 0..<(2 * hop) {
            let hann = i < hop ? sine(i, hop) : sine(2 * hop - 1 - i, hop)
            synthesis[i] = Float(hann * hann) / analysis[grid.windowCount - 2 * hop + i]
        }
    }

    func reset() { overlap.clear() }

    /// - Parameter signal: `windowCount` frames, the newest last.
    func forward(
        _ signal: UnsafePointer<Float>, real: UnsafeMutablePointer<Float>, imaginary: UnsafeMutablePointer<Float>
    ) {
        scratch.clear()
        for i in 0..<grid.windowCount { scratch[i] = signal[i] * analysis[i] }
        fourier.forward(scratch.pointer, real: real, imaginary: imaginary)
    }

    /// One hop of sound; the spectrum is destroyed.
    func inverse(
        real: UnsafeMutablePointer<Float>, imaginary: UnsafeMutablePointer<Float>, output: UnsafeMutablePointer<Float>
    ) {
        fourier.inverse(real: real, imaginary: imaginary, signal: scratch.pointer)
        let (hop, tail) = (grid.hop, scratch.pointer + grid.windowCount - 2 * grid.hop)
        for i in 0..<hop {
            output[i] = overlap[i] + tail[i] * synthesis[i]
            overlap[i] = tail[hop + i] * synthesis[hop + i]
        }
    }
}
