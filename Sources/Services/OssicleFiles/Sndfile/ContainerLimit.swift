// How large a file may grow.

import OssicleCodecs

/// The size a container can tell of, checked before it is crossed: WAV and AU count bytes in 32 bits, AIFF in 32 bits with a sign.
struct ContainerLimit {
    private let path: String
    private let container: AudioContainer
    private let byteLimit: Int64?
    private let bytesPerFrame: Int64
    /// What may still come behind the samples, and the last block of an ADPCM codec.
    private static let reserve: Int64 = 1 << 16

    init(_ request: FileEncoderRequest, byteLimit: Int64?) {
        path = request.path
        container = request.container
        self.byteLimit = byteLimit ?? Self.limit(request.container)
        bytesPerFrame = Int64(max(1, request.codec.bitDepth / 8) * request.channelCount)
    }

    /// Throws when `frames` more frames do not fit.
    func check(adding frames: Int, to byteCount: Int64, _ frameCount: Int64) throws(AudioFileError) {
        guard let byteLimit, byteCount > byteLimit - Self.reserve - Int64(frames) * bytesPerFrame else { return }
        throw AudioFileError(.tooLarge, path: path, found: "\(frames) frames more than the \(frameCount) in it make over \(byteLimit) bytes",
                             rule: "A header of \(container) cannot tell of more.",
                             cure: "The file holds what was written before; begin a new one, or write RF64, W64 or CAF, which have no such limit.")
    }

    private static func limit(_ container: AudioContainer) -> Int64? {
        switch container {
        case .wav, .au: 1 << 32
        case .aiff: 1 << 31
        default: nil
        }
    }
}
