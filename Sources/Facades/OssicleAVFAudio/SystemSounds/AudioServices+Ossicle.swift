// Additions to system sounds: manual rendering, in the engine's own terms.

import OssicleCoreAudioTypes

/// The sound of all system sounds of the process, for tests and servers without a device. Any thread.
public enum SystemSoundRendering {
    /// Leaves the device alone and gives sound when asked. Sounds that play are ended. Throws as the engine's call.
    public static func enableManualRenderingMode(
        _ mode: AVAudioEngineManualRenderingMode, format: AVAudioFormat, maximumFrameCount: AVAudioFrameCount
    ) throws {
        try SystemSoundPlayer.shared.withEngine { engine in
            engine.stop()
            try engine.enableManualRenderingMode(mode, format: format, maximumFrameCount: maximumFrameCount)
            _ = engine.mainMixerNode
            try engine.start()
        }
    }

    /// Plays to a device again.
    public static func disableManualRenderingMode() {
        SystemSoundPlayer.shared.withEngine { $0.disableManualRenderingMode() }
    }

    /// Renders the next frames of all sounds that play. Throws as the engine's call.
    @discardableResult
    public static func renderOffline(
        _ numberOfFrames: AVAudioFrameCount, to buffer: AVAudioPCMBuffer
    ) throws -> AVAudioEngineManualRenderingStatus {
        try SystemSoundPlayer.shared.withEngine { try $0.renderOffline(numberOfFrames, to: buffer) }
    }
}
