// Changing the sample rate of whole sounds.

import CSoxr
import OssicleConversion
import OssicleCore
import OssicleLibraries

/// A refusal to change a sample rate.
package typealias ResamplingError = Fault<ResamplingFault>

package enum ResamplingFault: FaultKind {
    /// The result does not fit into memory.
    case tooLarge
    /// The rates are out of range, or the library refuses them.
    case unsupported
}

extension ResamplingError {
    fileprivate init(_ kind: ResamplingFault, found: String, rule: String, cure: String) {
        self.init(kind, object: "sample-rate conversion", found: found, rule: rule, cure: cure)
    }
}

/// Sample-rate conversion of whole sounds by libsoxr at its very high quality: linear phase, its delay removed, 28
/// bits. A build that looks for no libraries takes our own converter, of the same quality.
package enum Resampling {
    /// Rates beyond this ratio are refused; nothing audible needs it.
    private static let largestRatio = 256.0

    /// `audio` at `sampleRate` hertz. Its length becomes N · ratio, rounded to the nearest, halves up. One thread.
    package static func convert(_ audio: ResidentAudio, to sampleRate: Double) throws(ResamplingError) -> ResidentAudio
    {
        guard audio.sampleRate != sampleRate else { return audio }
        let count = try outputFrameCount(audio.frameCount, from: audio.sampleRate, to: sampleRate)
        guard let store = PlanarStore(channelCount: audio.channelCount, frames: count) else {
            throw ResamplingError(
                .tooLarge, found: "\(count) frames do not fit into memory",
                rule: "The result lies in memory as a whole.",
                cure: "Convert a shorter sound.")
        }
        for channel in 0..<audio.channelCount {
            try convert(
                audio.samples(channel), from: audio.sampleRate, to: sampleRate,
                into: UnsafeMutableBufferPointer(start: store.planes[channel], count: count))
        }
        return ResidentAudio(
            store: store, frameCount: count, sampleRate: sampleRate, channelLabels: audio.channelLabels,
            nonFiniteCount: audio.nonFiniteCount)
    }

    /// The length of `frames` frames after conversion.
    package static func outputFrameCount(
        _ frames: Int, from source: Double, to target: Double
    ) throws(ResamplingError) -> Int {
        guard source.isFinite, target.isFinite, source > 0, target > 0, target / source <= largestRatio,
            source / target <= largestRatio
        else {
            throw ResamplingError(
                .unsupported, found: "\(source) Hz to \(target) Hz",
                rule: "Rates are positive and at most \(Int(largestRatio)) times apart.",
                cure: "Choose a rate nearer to the source's.")
        }
        let exact = (Double(max(0, frames)) * target / source).rounded(.toNearestOrAwayFromZero)
        return Int(exactly: exact) ?? Int.max
    }

    /// Converts one channel and fills `output`, whose tail stays as it is when the converter gives less.
    private static func convert(
        _ input: UnsafeBufferPointer<Float>, from source: Double, to target: Double,
        into output: UnsafeMutableBufferPointer<Float>
    ) throws(ResamplingError) {
        guard !input.isEmpty, !output.isEmpty else { return }
        guard OptionalLibrary.areLookedFor else {
            do throws(ConversionError) {
                return try WholeResampling.convert(input, from: source, to: target, into: output)
            } catch {
                throw ResamplingError(.unsupported, found: error.found, rule: error.rule, cure: error.cure)
            }
        }
        guard OptionalLibrary.soxr.isThere else {
            let missing = OptionalLibrary.soxr.missing
            throw ResamplingError(
                .unsupported, found: missing.found, rule: "libsoxr changes sample rates.", cure: missing.cure)
        }
        var failure: soxr_error_t?
        var samples = soxr_io_spec(SOXR_FLOAT32_I, SOXR_FLOAT32_I)
        var quality = soxr_quality_spec(UInt(SOXR_VHQ), 0)
        var oneThread = soxr_runtime_spec(1)
        guard let converter = soxr_create(source, target, 1, &failure, &samples, &quality, &oneThread) else {
            let reason = failure.map { String(cString: $0) } ?? "unknown reason"
            throw ResamplingError(
                .unsupported, found: "the converter refused \(source) Hz to \(target) Hz: \(reason)",
                rule: "Both rates must be usable.",
                cure: "Choose common rates.")
        }
        defer { soxr_delete(converter) }
        var taken = 0, given = 0, flushed = 0
        soxr_process(converter, input.baseAddress, input.count, &taken, output.baseAddress, output.count, &given)
        while given < output.count {
            let rest = UnsafeMutableBufferPointer(rebasing: output[given...])
            soxr_process(converter, nil, 0, nil, rest.baseAddress, rest.count, &flushed)
            guard flushed > 0 else { break }
            given += flushed
        }
    }
}
