// Rendering when the caller wants to, not when a device does.

import OssicleCoreAudioTypes

extension AVAudioEngine {
    /// Leaves the device alone and renders when asked, `format` (linear PCM of any form) at a time of at most
    /// `maximumFrameCount` frames.
    ///
    /// Time begins at 0. Connections stay; taps on the input and output nodes go. Throws while the engine runs, for a
    /// format that is not PCM or has more than 64 channels, and for a maximum of 0 or more than 2^20.
    public func enableManualRenderingMode(
        _ mode: AVAudioEngineManualRenderingMode, format pcmFormat: AVAudioFormat, maximumFrameCount: AVAudioFrameCount
    ) throws {
        try machine.enableManualRendering(mode, pcmFormat, maximumFrameCount)
    }

    /// Stops, and plays to a device again when started.
    public func disableManualRenderingMode() { machine.disableManualRendering() }

    /// Renders the next frames into `buffer`, whose length becomes `numberOfFrames`.
    ///
    /// Any thread, one call at a time: one that comes in between gets `.cannotDoInCurrentContext`, and so does one
    /// while the engine is being stopped. Throws outside of offline mode, while the engine does not run, for more
    /// frames than the maximum or the buffer's capacity, and for a buffer of another format.
    @discardableResult
    public func renderOffline(
        _ numberOfFrames: AVAudioFrameCount, to buffer: AVAudioPCMBuffer
    ) throws -> AVAudioEngineManualRenderingStatus {
        try machine.renderOffline(numberOfFrames, to: buffer)
    }

    /// Renders from a real-time thread: takes no lock and allocates nothing. Get it once, ahead of time; it may be used
    /// while the engine runs, and answers `.error` with a status code otherwise.
    public var manualRenderingBlock: AVAudioEngineManualRenderingBlock { machine.renderingBlock }

    /// Whether the engine is in manual rendering.
    public var isInManualRenderingMode: Bool { machine.locked { machine.manual != nil } }

    /// The mode of manual rendering; `.offline` outside of it.
    public var manualRenderingMode: AVAudioEngineManualRenderingMode {
        machine.locked { machine.manual?.mode ?? .offline }
    }

    /// The format of manual rendering; 0 Hz and 0 channels outside of it.
    public var manualRenderingFormat: AVAudioFormat { machine.locked { machine.manual?.format ?? .none } }

    /// The most frames of one call; 0 outside of manual rendering.
    public var manualRenderingMaximumFrameCount: AVAudioFrameCount {
        machine.locked { machine.manual?.maximumFrameCount ?? 0 }
    }

    /// The next frame, counted from 0; 0 outside of manual rendering.
    public var manualRenderingSampleTime: AVAudioFramePosition {
        machine.locked { machine.manual == nil ? 0 : machine.session.executor.position }
    }
}
