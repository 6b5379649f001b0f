import CSoxr
import OssicleCodecs
import OssicleLibraries

/// What changes a rate: libsoxr where the build looks for it, our own converter where it does not. Which one is the
/// build's to say, not the machine's: where libsoxr is missing, a change of rate is refused.
protocol RateResampler: AnyObject {
    /// Takes all of `frames`.
    func put(_ frames: PlanarFrames) throws(ConversionError)
    /// Up to `limit` frames of what is ready; valid until the next call.
    func take(_ limit: Int) throws(ConversionError) -> PlanarFrames
}

enum RateResamplers {
    static func make(
        from source: Double, to target: Double, channelCount: Int, recipe: RateRecipe
    ) throws(ConversionError) -> any RateResampler {
        OptionalLibrary.areLookedFor
            ? try SoxrResampler(from: source, to: target, channelCount: channelCount, recipe: recipe)
            : try SincResampler(from: source, to: target, channelCount: channelCount, recipe: recipe)
    }
}

/// The low-pass behind a change of rate, in libsoxr's terms.
///
///     quality             bits   flat to        stop band   reach   mastering
///     0 ... 31   (min)     16    0.6 Nyquist    −109 dB      24       420
///     32 ... 63  (low)     16    0.91           −111 dB      86       420
///     64 ... 95  (medium)  20    0.91           −132 dB     100       490
///     96 ... 126 (high)    24    0.91           −163 dB     116       540
///     127        (max)     28    0.91           −181 dB     128       600
///
/// of the lower rate; "flat" is within 0.1 dB, the stop band begins at the lower Nyquist frequency. Mastering is flat
/// to 0.98 Nyquist. The reach is half the filter's length in frames of the lower rate, to where its ringing is below
/// −140 dB; a minimum-phase filter rings behind a sound alone, twice as long.
struct RateRecipe {
    /// What libsoxr makes its filter from, once it is loaded.
    let soxr: (recipe: UInt, flags: UInt)
    /// What our own filter is made for: the end of what passes unchanged by the lower Nyquist frequency, and dB of the
    /// stop band.
    let passBand: Double
    let attenuation: Double
    let isMinimumPhase: Bool
    /// Frames of the lower rate before and behind a moment that shape the sound there.
    let leading: Int
    let trailing: Int

    init(quality: Int, algorithm: ConversionSettings.RateAlgorithm) {
        let (bits, attenuation, reach, steepReach) =
            switch quality {
            case ..<32: (SOXR_LQ, 109.0, 24, 420)
            case ..<64: (SOXR_16_BITQ, 111.0, 86, 420)
            case ..<96: (SOXR_20_BITQ, 132.0, 100, 490)
            case ..<127: (SOXR_24_BITQ, 163.0, 116, 540)
            default: (SOXR_28_BITQ, 181.0, 128, 600)
            }
        self.attenuation = attenuation
        passBand = algorithm == .mastering ? 0.98 : quality < 32 ? 0.6 : 0.91
        isMinimumPhase = algorithm == .minimumPhase
        let phase =
            switch algorithm {
            case .normal: SOXR_LINEAR_PHASE
            case .mastering: SOXR_LINEAR_PHASE | SOXR_STEEP_FILTER
            case .minimumPhase: SOXR_MINIMUM_PHASE
            }
        // Left to itself libsoxr lets the band's upper end droop by up to 0.01 dB to save a few taps; two conversions
        // then null no better than 70 dB.
        soxr = (UInt(bits) | UInt(phase), quality < 32 ? 0 : UInt(SOXR_ROLLOFF_NONE))
        (leading, trailing) =
            switch algorithm {
            case .normal: (reach, reach)
            case .mastering: (steepReach, steepReach)
            case .minimumPhase: (2 * reach, 8)
            }
    }
}

/// libsoxr on one thread: planes of Double in, planes of Double out. It takes its own delay away: input frame 0 comes
/// out as frame 0. It works in blocks, so output comes in bursts of some hundred frames. The shortest blocks it has
/// cost a fifth of its speed and halve what a live sound waits in them: 413 frames from 44.1 to 48 kHz at medium
/// quality, 733 from 48 to 16.
final class SoxrResampler: RateResampler {
    private let handle: soxr_t
    private let output: PlaneMemory

    init(from source: Double, to target: Double, channelCount: Int, recipe: RateRecipe) throws(ConversionError) {
        guard OptionalLibrary.soxr.isThere else {
            let missing = OptionalLibrary.soxr.missing
            throw ConversionError(
                .unsupported, found: missing.found, rule: "libsoxr changes sample rates.", cure: missing.cure)
        }
        var failure: soxr_error_t?
        var samples = soxr_io_spec(SOXR_FLOAT64_S, SOXR_FLOAT64_S)
        var quality = soxr_quality_spec(recipe.soxr.recipe, recipe.soxr.flags)
        var shortBlocks = soxr_runtime_spec(1)
        (shortBlocks.log2_min_dft_size, shortBlocks.log2_large_dft_size) = (8, 8)
        guard
            let handle = soxr_create(
                source, target, UInt32(clamping: channelCount), &failure, &samples, &quality, &shortBlocks),
            failure == nil
        else {
            throw Self.refusal("\(source) Hz to \(target) Hz", failure)
        }
        self.handle = handle
        output = PlaneMemory(channelCount: channelCount, capacity: SourcePiece.longest)
    }

    deinit { soxr_delete(handle) }

    /// Takes all of `frames`.
    func put(_ frames: PlanarFrames) throws(ConversionError) { _ = try process(frames, limit: 0) }

    /// Up to `limit` frames of what is ready; valid until the next call.
    func take(_ limit: Int) throws(ConversionError) -> PlanarFrames {
        output.frames(try process(output.frames(0), limit: min(limit, output.capacity)))
    }

    /// Returns how many frames are in `output`. libsoxr takes all input when it is not asked how much that was, else no
    /// more than the output has room for.
    private func process(_ frames: PlanarFrames, limit: Int) throws(ConversionError) -> Int {
        var given = 0
        let inputs = frames.planes.map { UnsafeRawPointer($0) as UnsafeRawPointer? }
        let outputs = output.planes.map { UnsafeMutableRawPointer($0) as UnsafeMutableRawPointer? }
        let failure = inputs.withUnsafeBufferPointer { inputs in
            outputs.withUnsafeBufferPointer { outputs in
                soxr_process(
                    handle, inputs.baseAddress, frames.count, nil,
                    UnsafeMutableRawPointer(mutating: outputs.baseAddress), limit, &given)
            }
        }
        guard failure == nil else { throw Self.refusal("\(frames.count) frames", failure) }
        return given
    }

    private static func refusal(_ found: String, _ failure: soxr_error_t?) -> ConversionError {
        ConversionError(
            .failed,
            found: "the rate converter refused \(found): \(failure.map { String(cString: $0) } ?? "no reason given")",
            rule: "Memory must suffice for its filters.",
            cure: "Convert fewer channels at once, or between rates nearer to each other.")
    }
}
