import Foundation
import OssicleAVFAudio

/// Additions of Ossicle: offline rendering in AVAudioEngine's own terms, the seed, and a view of what is going on.
extension PHASEEngine: OssicleAdditions {}

extension OssicleAdditions where Self: PHASEEngine {
    /// Renders into the client's buffers instead of a device. Only while stopped.
    ///
    /// - Parameters:
    ///   - mode: `.offline` for `renderOffline`, `.realtime` for `manualRenderingBlock`.
    ///   - format: non-interleaved Float32; for `.realtime` any linear PCM. A stereo format with `outputSpatializationMode` `.automatic` or `.alwaysUseBinaural` gives
    ///     binaural sound; otherwise sound is panned for the format's layout.
    ///   - maximumFrameCount: the most frames one `renderOffline` call may ask for, 1 to 1,048,576.
    /// - Throws: `PHASEError.initializeFailed`, with what is wrong with the request.
    public func enableManualRenderingMode(_ mode: AVAudioEngineManualRenderingMode, format: AVAudioFormat,
                                          maximumFrameCount: AVAudioFrameCount) throws {
        try core.enableManualRendering(mode, format: format, maximumFrameCount: maximumFrameCount)
    }

    /// Back to the device. Stops the engine first.
    public func disableManualRenderingMode() { core.disableManualRendering() }

    public var isInManualRenderingMode: Bool { core.locked { core.manual != nil } }

    /// The format given to `enableManualRenderingMode`; a 48 kHz stereo format while not in that mode.
    public var manualRenderingFormat: AVAudioFormat { core.locked { core.manual?.format ?? EngineCore.defaultFormat } }

    /// 0 while not in manual rendering mode.
    public var manualRenderingMaximumFrameCount: AVAudioFrameCount { core.locked { core.manual?.maximumFrameCount ?? 0 } }

    /// Frames rendered since manual rendering was enabled.
    public var manualRenderingSampleTime: AVAudioFramePosition { core.locked { core.manual == nil ? 0 : core.executor.position } }

    /// Renders the next frames into `buffer` and sets its length.
    ///
    /// In automatic update mode the scene is updated at the start of the call if anything changed, and every 512 frames of engine time.
    /// - Parameters:
    ///   - numberOfFrames: up to the maximum and the buffer's capacity.
    ///   - buffer: in the manual rendering format.
    /// - Returns: `.success`; an engine that is not running gives `.error` through the thrown error below.
    /// - Throws: `AVAudioEngineManualRenderingError` `.invalidMode` or `.notRunning`, or `PHASEError` naming what does not fit.
    @discardableResult
    public func renderOffline(_ numberOfFrames: AVAudioFrameCount, to buffer: AVAudioPCMBuffer) throws -> AVAudioEngineManualRenderingStatus {
        try core.renderOffline(Int(numberOfFrames), to: buffer)
    }

    /// Governs every random choice of this engine. Same scene, same calls, same seed: the same bytes. Default 0.
    public var randomSeed: UInt64 {
        get { core.locked { core.seed } }
        set { core.locked { core.seed = newValue } }
    }

    /// The last misuse that could not be thrown, because the call it happened in does not throw; nil if there was none.
    public var lastError: (any Error)? { core.lastError }

    /// Such errors in order, the last hundred.
    public var recordedErrors: [any Error] { core.recordedErrors }

    /// Called with every such error, on the thread that made the call.
    public var errorHandler: (@Sendable (any Error) -> Void)? {
        get { core.errorHandler }
        set { core.errorHandler = newValue }
    }

    /// How the sound of each source reaches each listener, as of the last update: distance, what is in sight, what stands between.
    public var directPaths: [PHASEDirectPathReport] { core.locked { core.directPathReports } }

    /// Levels since the last time this was read.
    public func takeMeters() -> PHASEMeters { core.takeMeters() }

    package func record(_ error: any Error) { core.record(error) }
}

/// The head that a binaural output is heard with.
extension OssicleAdditions where Self: PHASEEngine {
    /// Puts on another head, from a SOFA file (AES69: SimpleFreeFieldHRIR, or FreeFieldHRIR with one emitter) (an addition of Ossicle).
    ///
    /// Before the engine starts or while it plays: at the next update every voice and the late reverb cross-fade to the new head. Any number and
    /// arrangement of directions, any length and sample rate; the set is brought to the engine's rate, to minimum phase and to the level
    /// of the built-in head. It lasts until another is loaded or `resetHRTF()`, over stops and starts, and is this engine's alone.
    /// An output for loudspeakers has no head: the set is kept for a binaural one. Takes about a second, on the caller's thread.
    /// - Throws: `PHASEAssetError.failedToLoad`, which names the file, what is wrong in it, the rule and the cure. The head stays as it was.
    public func loadHRTF(contentsOf url: URL) throws { try core.loadHead(url) }

    /// Puts the built-in head on again, cross-fading like `loadHRTF(contentsOf:)` (an addition of Ossicle).
    public func resetHRTF() { core.resetHead() }

    /// The name of the file the head came from, or “KEMAR (built in)” (an addition of Ossicle).
    public var hrtfName: String { core.locked { core.head.name } }
}

extension PHASEEngine {
    /// Whether RealtimeSanitizer, if it is part of the program, watches the render loop.
    package var watchesRealTime: Bool {
        get { core.executor.isWatched }
        set { core.executor.isWatched = newValue }
    }
}
