// An addition: what players and system sounds play to and recorders record from, rendered by the caller.

import OssicleCoreAudioTypes
import Synchronization

/// Sound with an engine of its own that an `OfflineAudioDevice` adds to that of its players, as `AVPlayer` does. Called
/// on the thread that renders.
public protocol OfflineAudioSource: AnyObject, Sendable {
    /// Prepares at most `frames` frames and waits for sound that is on its way. Returns how many can be rendered before
    /// something happens to this source, at least 1.
    func prepare(_ frames: Int) -> Int
    /// Renders the next frames, no more than were prepared, into `buffer`, which is of the device's format; false, with
    /// nothing rendered, for silence.
    func render(_ frames: Int, to buffer: AVAudioPCMBuffer) throws -> Bool
}

/// Takes the place of the audio devices for `AVAudioPlayer`, `AVPlayer`, `AVAudioRecorder` and system sounds, and is
/// rendered by hand: for tests, and for servers that have no device. No device is opened, nothing depends on the clock,
/// and the same calls give the same bytes.
///
///     let device = try OfflineAudioDevice(format: format)
///     let player = try device.use { try AVAudioPlayer(contentsOf: url) }
///     player.play()
///     try device.render(48_000, to: buffer)
///
/// Players and recorders belong for good to the device that was in force where they were made, system sounds to the one
/// where they are played. Delegates, observers and completions are called on the thread that renders, behind the slice
/// (at most 1024 frames) in which they are due. One render call at a time.
public final class OfflineAudioDevice: @unchecked Sendable {
    @TaskLocal private static var current: OfflineAudioDevice?
    private static let installed = Mutex<OfflineAudioDevice?>(nil)

    /// Deinterleaved 32-bit floats, at the rate and for the channels it was made with.
    public let format: AVAudioFormat
    let shared: SharedEngine
    private let engine: AVAudioEngine
    private let slice: AVAudioPCMBuffer
    /// A slice of one source.
    private let part: AVAudioPCMBuffer
    private let sources = Mutex<[Entry]>([])

    private struct Entry { weak var source: (any OfflineAudioSource)? }

    /// Frames of a slice at most: how often files are read and delegates called.
    public static let longestSlice: AVAudioFrameCount = 1024

    /// A device of a standard format (`AVAudioFormat(standardFormatWithSampleRate:channels:)`).
    ///
    /// - Parameters:
    ///   - format: of what is rendered.
    ///   - inputFormat: of what is recorded, linear PCM; `nil` for a device without an input.
    ///   - inputBlock: gives the input, on the thread that renders; `nil` from it counts as silence.
    /// - Throws: that a format is none that can be rendered.
    public init(
        format: AVAudioFormat, inputFormat: AVAudioFormat? = nil, inputBlock: AVAudioIONodeInputBlock? = nil
    ) throws {
        guard format.isStandard, let slice = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: Self.longestSlice),
            let part = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: Self.longestSlice)
        else {
            throw Self.fault(
                kAudioUnitErr_FormatNotSupported, "\(format)", "It renders deinterleaved 32-bit floats.",
                "Use AVAudioFormat(standardFormatWithSampleRate:channels:).")
        }
        engine = AVAudioEngine()
        self.format = format
        self.slice = slice
        self.part = part
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

    deinit { shared.letGo() }

    /// The next frame, counted from 0.
    public var sampleTime: AVAudioFramePosition { engine.manualRenderingSampleTime }

    /// Renders the next frames into `buffer`, whose length becomes `numberOfFrames`. Throws for a buffer of another
    /// format or with less room.
    public func render(_ numberOfFrames: AVAudioFrameCount, to buffer: AVAudioPCMBuffer) throws {
        guard buffer.format == format, buffer.frameCapacity >= numberOfFrames, let target = buffer.floatChannelData
        else {
            throw Self.fault(
                kAudio_ParamError, "\(numberOfFrames) frames to \(buffer.frameCapacity) of \(buffer.format)",
                "A render call has a buffer of the device's format, \(format), with room for its frames.",
                "Make the buffer with device.format.")
        }
        let sources = sources.withLock { $0.compactMap(\.source) }
        var done = 0
        buffer.frameLength = numberOfFrames
        try shared.render(
            Int(numberOfFrames), into: slice, prepare: { sources.reduce($0) { min($0, $1.prepare($0)) } }
        ) { slice in
            let frames = Int(slice.frameLength)
            for source in sources where try source.render(frames, to: part) { slice.add(part, frames) }
            guard let sound = slice.floatChannelData else { return }
            for channel in 0..<Int(format.channelCount) {
                (target[channel] + done).update(from: sound[channel], count: frames)
            }
            done += frames
        }
    }

    // MARK: Sources

    /// Adds the sound of a source from the next render call on, for as long as the source lives. Any thread.
    public func add(_ source: any OfflineAudioSource) {
        sources.withLock { sources in
            sources.removeAll { $0.source == nil || $0.source === source }
            sources.append(Entry(source: source))
        }
    }

    /// Has `call` made on the thread that renders, behind the slice that is being rendered; false, and no call, while
    /// none is. Any thread.
    public func deliver(_ call: @escaping @Sendable () -> Void) -> Bool { shared.deliverBehindSlice(call) }

    // MARK: In force

    /// Runs `body` with this device in force, for its task or thread.
    public func use<Result>(_ body: () throws -> Result) rethrows -> Result {
        try Self.$current.withValue(self, operation: body)
    }

    /// The device in force wherever `use` names no other; `nil`, the default, for the system's devices.
    public static var standard: OfflineAudioDevice? {
        get { installed.withLock { $0 } }
        set { installed.withLock { $0 = newValue } }
    }

    /// The device that what is made now belongs to; `nil` for the system's devices.
    public static var inForce: OfflineAudioDevice? { current ?? standard }

    private static func fault(_ code: OSStatus, _ value: String, _ rule: String, _ cure: String) -> OssicleError {
        .avfaudio(code, "OfflineAudioDevice", value: value, rule: rule, cure: cure)
    }
}

extension AVAudioPCMBuffer {
    /// Adds the first frames of a buffer of the same standard format.
    fileprivate func add(_ other: AVAudioPCMBuffer, _ frames: Int) {
        guard let sum = floatChannelData, let part = other.floatChannelData else { return }
        for channel in 0..<Int(format.channelCount) {
            for frame in 0..<frames { sum[channel][frame] += part[channel][frame] }
        }
    }
}
