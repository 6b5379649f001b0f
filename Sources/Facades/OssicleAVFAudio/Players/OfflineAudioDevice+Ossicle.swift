// An addition: what AVAudioPlayers play to and AVAudioRecorders record from, rendered by the caller.

import OssicleCoreAudioTypes

/// Takes the place of the audio devices for players and recorders, and is rendered by hand: for tests, and for servers
/// that have no device. No device is opened, nothing depends on the clock, and the same calls give the same bytes.
///
///     let device = try OfflineAudioDevice(format: format)
///     let player = try device.use { try AVAudioPlayer(contentsOf: url) }
///     player.play()
///     try device.render(48_000, to: buffer)
///
/// Players and recorders belong for good to the device that was in force where they were made. Their delegates are
/// called on the thread that renders, before the call returns. One render call at a time.
public final class OfflineAudioDevice: @unchecked Sendable {
    @TaskLocal private static var current: OfflineAudioDevice?
    private static let installed = Installed()

    /// Deinterleaved 32-bit floats, at the rate and for the channels it was made with.
    public let format: AVAudioFormat
    let shared: SharedEngine
    private let engine: AVAudioEngine
    private let slice: AVAudioPCMBuffer

    /// Frames of a slice: how often files are read and delegates called.
    private static let longestSlice: AVAudioFrameCount = 1024

    /// A device of a standard format (`AVAudioFormat(standardFormatWithSampleRate:channels:)`).
    ///
    /// - Parameters:
    ///   - inputFormat: of what is recorded, linear PCM; `nil` for a device without an input.
    ///   - inputBlock: gives the input, on the thread that renders; `nil` from it counts as silence.
    /// - Throws: that a format is none that can be rendered.
    public init(
        format: AVAudioFormat, inputFormat: AVAudioFormat? = nil, inputBlock: AVAudioIONodeInputBlock? = nil
    ) throws {
        guard format.isStandard, let slice = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: Self.longestSlice)
        else {
            throw Self.fault(
                kAudioUnitErr_FormatNotSupported, "\(format)", "It renders deinterleaved 32-bit floats.",
                "Use AVAudioFormat(standardFormatWithSampleRate:channels:).")
        }
        engine = AVAudioEngine()
        self.format = format
        self.slice = slice
        try engine.enableManualRenderingMode(.offline, format: format, maximumFrameCount: Self.longestSlice)
        _ = engine.mainMixerNode
        if let inputFormat {
            guard engine.inputNode.setManualRenderingInputPCMFormat(inputFormat, inputBlock: inputBlock ?? { _ in nil })
            else {
                throw Self.fault(
                    kAudioUnitErr_FormatNotSupported, "input in \(inputFormat)", "Input is linear PCM.",
                    "Use AVAudioFormat(standardFormatWithSampleRate:channels:).")
            }
        }
        try engine.start()
        shared = SharedEngine(offline: engine, hasInput: inputFormat != nil)
    }

    /// The next frame, counted from 0.
    public var sampleTime: AVAudioFramePosition { engine.manualRenderingSampleTime }

    /// Renders the next frames into `buffer`, whose length becomes `numberOfFrames`. Delegates are called in between.
    /// Throws for a buffer of another format or with less room.
    public func render(_ numberOfFrames: AVAudioFrameCount, to buffer: AVAudioPCMBuffer) throws {
        guard buffer.format == format, buffer.frameCapacity >= numberOfFrames, let target = buffer.floatChannelData
        else {
            throw Self.fault(
                kAudio_ParamError, "\(numberOfFrames) frames to \(buffer.frameCapacity) of \(buffer.format)",
                "A render call has a buffer of the device's format, \(format), with room for its frames.",
                "Make the buffer with device.format.")
        }
        var done = 0
        buffer.frameLength = numberOfFrames
        try shared.render(Int(numberOfFrames), into: slice, longest: Int(Self.longestSlice)) { slice in
            let frames = Int(slice.frameLength)
            for channel in 0..<Int(format.channelCount) {
                slice.floatChannelData.map { (target[channel] + done).update(from: $0[channel], count: frames) }
            }
            done += frames
        }
    }

    // MARK: In force

    /// Runs `body` with this device in force, for its task or thread.
    public func use<Result>(_ body: () throws -> Result) rethrows -> Result {
        try Self.$current.withValue(self, operation: body)
    }

    /// The device in force wherever `use` names no other; `nil`, the default, for the system's devices.
    public static var standard: OfflineAudioDevice? {
        get { installed.device }
        set { installed.device = newValue }
    }

    static var inForce: OfflineAudioDevice? { current ?? standard }

    private static func fault(_ code: OSStatus, _ value: String, _ rule: String, _ cure: String) -> OssicleError {
        .avfaudio(code, "OfflineAudioDevice", value: value, rule: rule, cure: cure)
    }
}

/// The device for the whole process.
private final class Installed: @unchecked Sendable {
    private let lock = NSLock()
    private var content: OfflineAudioDevice?

    var device: OfflineAudioDevice? {
        get { lock.withLock { content } }
        set { lock.withLock { content = newValue } }
    }
}
