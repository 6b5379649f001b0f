import CSoxr
import OssicleCodecs

/// libsoxr on one thread: planes of Double in, planes of Double out. It takes its own delay away: input frame 0 comes out as frame 0.
/// It works in blocks, so output comes in bursts of some hundred frames. The shortest blocks it has cost a fifth of its speed and halve what
/// a live sound waits in them: 413 frames from 44.1 to 48 kHz at medium quality, 733 from 48 to 16.
final class SoxrResampler {
    private let handle: soxr_t
    private let output: PlaneMemory

    init(from source: Double, to target: Double, channelCount: Int, recipe: RateRecipe) throws(ConversionError) {
        var failure: soxr_error_t?
        var samples = soxr_io_spec(SOXR_FLOAT64_S, SOXR_FLOAT64_S)
        var quality = recipe.soxr
        var shortBlocks = soxr_runtime_spec(1)
        (shortBlocks.log2_min_dft_size, shortBlocks.log2_large_dft_size) = (8, 8)
        guard let handle = soxr_create(source, target, UInt32(clamping: channelCount), &failure, &samples, &quality, &shortBlocks),
              failure == nil else {
            throw Self.refusal("\(source) Hz to \(target) Hz", failure)
        }
        self.handle = handle
        output = PlaneMemory(channelCount: channelCount, capacity: ConversionStream.pieceLength)
    }

    deinit { soxr_delete(handle) }

    /// Takes all of `frames`.
    func put(_ frames: PlanarFrames) throws(ConversionError) { _ = try process(frames, limit: 0) }

    /// Up to `limit` frames of what is ready; valid until the next call.
    func take(_ limit: Int) throws(ConversionError) -> PlanarFrames {
        output.frames(try process(output.frames(0), limit: min(limit, output.capacity)))
    }

    /// Returns how many frames are in `output`. libsoxr takes all input when it is not asked how much that was, else no more than the
    /// output has room for.
    private func process(_ frames: PlanarFrames, limit: Int) throws(ConversionError) -> Int {
        var given = 0
        let inputs = frames.planes.map { UnsafeRawPointer($0) as UnsafeRawPointer? }
        let outputs = output.planes.map { UnsafeMutableRawPointer($0) as UnsafeMutableRawPointer? }
        let failure = inputs.withUnsafeBufferPointer { inputs in
            outputs.withUnsafeBufferPointer { outputs in
                soxr_process(handle, inputs.baseAddress, frames.count, nil, UnsafeMutableRawPointer(mutating: outputs.baseAddress), limit, &given)
            }
        }
        guard failure == nil else { throw Self.refusal("\(frames.count) frames", failure) }
        return given
    }

    private static func refusal(_ found: String, _ failure: soxr_error_t?) -> ConversionError {
        ConversionError(.failed, found: "the rate converter refused \(found): \(failure.map { String(cString: $0) } ?? "no reason given")",
                        rule: "Memory must suffice for its filters.", cure: "Convert fewer channels at once, or between rates nearer to each other.")
    }
}
