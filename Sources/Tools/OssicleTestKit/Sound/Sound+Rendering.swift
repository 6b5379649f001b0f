import OssicleAVFAudio
import OssiclePHASE

extension Sound {
    /// Frames that are rendered between two calls of `each`.
    static let step = 512

    /// What an AVAudioEngine plays, rendered offline and as fast as the machine can.
    ///
    /// An engine that is not in manual rendering mode is stopped, put into it and stays in it; one that is not running
    /// is started. The next frames are rendered, so that calls in a row continue.
    /// - Parameters:
    ///   - engine: that is rendered.
    ///   - seconds: up to 3600.
    ///   - format: where the engine is not in manual rendering mode: linear PCM; nil for stereo at 48 kHz.
    ///   - each: called with the time in seconds from the call on, every 512 frames, before these are rendered: what
    ///     the program does meanwhile.
    /// - Throws: the engine's errors, those of `each`, and `SoundError`.
    public static func rendered(
        by engine: AVAudioEngine, seconds: Double, format: AVAudioFormat? = nil,
        each: (_ time: Double) throws -> Void = { _ in }
    ) throws -> Sound {
        try taken(from: engine, seconds, format, each: each)
    }

    /// What a PHASE engine plays, rendered offline and as fast as the machine can.
    ///
    /// An engine that is not in manual rendering mode is stopped, put into it and stays in it; one that is not running
    /// is started. With `updateMode` `.manual` the engine is updated after each call of `each`.
    /// - Parameters:
    ///   - engine: that is rendered.
    ///   - seconds: up to 3600.
    ///   - format: where the engine is not in manual rendering mode; nil for stereo at 48 kHz, which is binaural unless
    ///     the engine's `outputSpatializationMode` says otherwise.
    ///   - each: called with the time in seconds from the call on, every 512 frames, before these are rendered.
    /// - Throws: the engine's errors, those of `each`, and `SoundError`.
    public static func rendered(
        by engine: PHASEEngine, seconds: Double, format: AVAudioFormat? = nil,
        each: (_ time: Double) throws -> Void = { _ in }
    ) throws -> Sound {
        try taken(from: engine, seconds, format) {
            try each($0)
            engine.update()
        }
    }

    private static func standard() throws -> AVAudioFormat {
        guard let format = AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2) else {
            throw SoundError("There is no stereo format of 48 kHz: this is a fault of Ossicle, please report it.")
        }
        return format
    }

    private static func taken(
        from engine: some OfflineEngine, _ seconds: Double, _ wanted: AVAudioFormat?, each: (Double) throws -> Void
    ) throws -> Sound {
        if !engine.isInManualRenderingMode {
            engine.stop()
            try engine.enableManualRenderingMode(
                .offline, format: try wanted ?? standard(), maximumFrameCount: AVAudioFrameCount(step))
        }
        if !engine.isRunning { try engine.start() }
        let format = engine.manualRenderingFormat
        guard seconds > 0, seconds <= 3600 else {
            throw SoundError("\(seconds) s cannot be rendered: give more than 0 and at most 3600.")
        }
        let step = min(step, max(Int(engine.manualRenderingMaximumFrameCount), 1))
        guard let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: AVAudioFrameCount(step)) else {
            throw SoundError("There is no memory for \(step) frames of \(format): free some and try again.")
        }
        let count = max(Int((seconds * format.sampleRate).rounded()), 1)
        var channels: [[Float]] = [], labels: [UInt32]?
        for start in stride(from: 0, to: count, by: step) {
            try each(Double(start) / format.sampleRate)
            guard try engine.renderOffline(AVAudioFrameCount(min(step, count - start)), to: buffer) == .success else {
                throw SoundError(
                    "The engine rendered nothing at \(Double(start) / format.sampleRate) s: give it input, or keep it running."
                )
            }
            let piece = try Sound(buffer)
            if channels.isEmpty { channels = Array(repeating: [], count: piece.channels.count) }
            for index in channels.indices { channels[index] += piece.channels[index] }
            labels = piece.channelLabels
        }
        return try Sound(channels: channels, sampleRate: format.sampleRate, channelLabels: labels)
    }
}

/// What both engines have for rendering offline.
private protocol OfflineEngine {
    var isInManualRenderingMode: Bool { get }
    var isRunning: Bool { get }
    var manualRenderingFormat: AVAudioFormat { get }
    var manualRenderingMaximumFrameCount: AVAudioFrameCount { get }
    func start() throws
    func stop()
    func enableManualRenderingMode(
        _ mode: AVAudioEngineManualRenderingMode, format: AVAudioFormat, maximumFrameCount: AVAudioFrameCount) throws
    func renderOffline(
        _ count: AVAudioFrameCount, to buffer: AVAudioPCMBuffer
    ) throws
        -> AVAudioEngineManualRenderingStatus
}

extension AVAudioEngine: OfflineEngine {}

extension PHASEEngine: OfflineEngine {
    fileprivate var isRunning: Bool { renderingState == .started }
}
