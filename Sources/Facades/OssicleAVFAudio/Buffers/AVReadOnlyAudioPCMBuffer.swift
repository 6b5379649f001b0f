// Audio that never changes, and so may cross threads.

import OssicleCoreAudioTypes

/// An immutable buffer of linear PCM. Any thread.
public struct AVReadOnlyAudioPCMBuffer: @unchecked Sendable {
    private let buffer: AVAudioPCMBuffer
    /// Valid frames.
    public let frameLength: Int

    /// A copy of `buffer`'s valid frames.
    public init(copying buffer: AVAudioPCMBuffer) {
        self.init(retaining: (buffer.copy() as? AVAudioPCMBuffer) ?? buffer)
    }

    /// `buffer` itself, which must not change from now on.
    public init(unsafeRetaining buffer: sending AVAudioPCMBuffer) {
        self.init(retaining: buffer)
    }

    /// A new buffer of `frameCapacity` frames that `body` fills; the sizes it leaves in the list tell how much is
    /// valid. Throws what `body` throws, and an error when no such buffer can be made.
    public init(
        format: AVAudioFormat, frameCapacity: Int,
        initializingWith body: (UnsafeMutablePointer<AudioBufferList>) throws -> Void
    ) throws {
        guard let frames = AVAudioFrameCount(exactly: frameCapacity),
            let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: frames)
        else {
            throw OssicleError.avfaudio(
                kAudio_ParamError, "AVReadOnlyAudioPCMBuffer", value: "\(frameCapacity) frames of \(format)",
                rule: "A buffer needs a linear PCM format and fewer than 2^32 bytes.", cure: "Ask for fewer frames.")
        }
        buffer.frameLength = frames
        try body(buffer.mutableAudioBufferList)
        self.init(retaining: buffer)
    }

    /// A buffer that nobody else will ever see.
    init(owning buffer: AVAudioPCMBuffer) { self.init(retaining: buffer) }

    private init(retaining buffer: AVAudioPCMBuffer) {
        self.buffer = buffer
        frameLength = Int(buffer.frameLength)
    }

    /// The format of the audio.
    public var format: AVAudioFormat { buffer.format }
    /// Frames there is room for.
    public var frameCapacity: Int { Int(buffer.frameCapacity) }
    /// Samples from one frame to the next in a channel.
    public var stride: Int { buffer.stride }

    /// Runs `body` with the valid audio.
    public func withUnsafeAudioBufferList<R>(_ body: (UnsafePointer<AudioBufferList>) throws -> R) rethrows -> R {
        try body(buffer.lists.valid.unsafePointer)
    }
}
