import CSoxr

/// The low-pass behind a change of rate, in libsoxr's terms.
///
///     quality             bits   flat to        stop band   reach   mastering
///     0 ... 31   (min)     16    0.6 Nyquist    −109 dB      24       420
///     32 ... 63  (low)     16    0.91           −111 dB      86       420
///     64 ... 95  (medium)  20    0.91           −132 dB     100       490
///     96 ... 126 (high)    24    0.91           −163 dB     116       540
///     127        (max)     28    0.91           −181 dB     128       600
///
/// of the lower rate; "flat" is within 0.1 dB, the stop band begins at the lower Nyquist frequency. Mastering is flat to 0.98 Nyquist. The
/// reach is half the filter's length in frames of the lower rate, to where its ringing is below −140 dB; a minimum-phase filter rings
/// behind a sound alone, twice as long.
struct RateRecipe {
    let soxr: soxr_quality_spec_t
    /// Frames of the lower rate before and behind a moment that shape the sound there.
    let leading: Int
    let trailing: Int

    init(quality: Int, algorithm: ConversionSettings.RateAlgorithm) {
        let (bits, reach, steepReach) = switch quality {
        case ..<32: (SOXR_LQ, 24, 420)
        case ..<64: (SOXR_16_BITQ, 86, 420)
        case ..<96: (SOXR_20_BITQ, 100, 490)
        case ..<127: (SOXR_24_BITQ, 116, 540)
        default: (SOXR_28_BITQ, 128, 600)
        }
        let phase = switch algorithm {
        case .normal: SOXR_LINEAR_PHASE
        case .mastering: SOXR_LINEAR_PHASE | SOXR_STEEP_FILTER
        case .minimumPhase: SOXR_MINIMUM_PHASE
        }
        // Left to itself libsoxr lets the band's upper end droop by up to 0.01 dB to save a few taps; two conversions then null no better than 70 dB.
        soxr = soxr_quality_spec(UInt(bits) | UInt(phase), quality < 32 ? 0 : UInt(SOXR_ROLLOFF_NONE))
        (leading, trailing) = switch algorithm {
        case .normal: (reach, reach)
        case .mastering: (steepReach, steepReach)
        case .minimumPhase: (2 * reach, 8)
        }
    }
}
