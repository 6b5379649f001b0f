import Foundation
import OssicleAVFAudio
import OssicleFiles
import OssicleHRTF
import OssiclePlayback
import OssicleRender
import OssicleSpatial

/// Additions of Ossicle: offline rendering in AVAudioEngine's own terms, the seed, errors, limits and load.
extension PHASEEngine: OssicleAdditions {}

extension OssicleAdditions where Self: PHASEEngine {
    /// Renders into the client's buffers instead of a device. Only while stopped.
    ///
    /// - Parameters:
    ///   - mode: `.offline` for `renderOffline`, `.realtime` for `manualRenderingBlock`.
    ///   - format: non-interleaved Float32; for `.realtime` any linear PCM. A stereo format with
    ///     `outputSpatializationMode` `.automatic` or `.alwaysUseBinaural` gives
    ///     binaural sound; otherwise sound is panned for the format's layout.
    ///   - maximumFrameCount: the most frames one `renderOffline` call may ask for, 1 to 1,048,576.
    /// - Throws: `PHASEError.initializeFailed`, with what is wrong with the request.
    public func enableManualRenderingMode(
        _ mode: AVAudioEngineManualRenderingMode, format: AVAudioFormat,
        maximumFrameCount: AVAudioFrameCount
    ) throws {
        try control.enableManualRendering(mode, format: format, maximumFrameCount: maximumFrameCount)
    }

    /// Back to the device. Stops the engine first.
    public func disableManualRenderingMode() { control.disableManualRendering() }

    /// Whether the engine renders into the client's buffers.
    public var isInManualRenderingMode: Bool { control.locked { control.manual != nil } }

    /// The format given to `enableManualRenderingMode`; a 48 kHz stereo format while not in that mode.
    public var manualRenderingFormat: AVAudioFormat {
        control.locked { control.manual?.format ?? EngineControl.defaultFormat }
    }

    /// 0 while not in manual rendering mode.
    public var manualRenderingMaximumFrameCount: AVAudioFrameCount {
        control.locked { AVAudioFrameCount(control.manual?.rendering.maximumFrames ?? 0) }
    }

    /// Frames rendered since manual rendering was enabled.
    public var manualRenderingSampleTime: AVAudioFramePosition {
        control.locked { control.manual == nil ? 0 : control.executor.position }
    }

    /// Renders the next frames into `buffer` and sets its length.
    ///
    /// In automatic update mode the scene is updated at the start of the call if anything changed, and every 512 frames
    /// of engine time.
    /// - Parameters:
    ///   - numberOfFrames: up to the maximum and the buffer's capacity.
    ///   - buffer: in the manual rendering format.
    /// - Returns: `.success`; an engine that is not running gives `.error` through the thrown error below.
    /// - Throws: `AVAudioEngineManualRenderingError` `.invalidMode` or `.notRunning`, or `PHASEError` naming what does
    ///   not fit.
    @discardableResult
    public func renderOffline(
        _ numberOfFrames: AVAudioFrameCount, to buffer: AVAudioPCMBuffer
    ) throws -> AVAudioEngineManualRenderingStatus {
        try control.renderOffline(Int(numberOfFrames), to: buffer)
    }

    /// Governs every random choice of this engine. Same scene, same calls, same seed: the same bytes. Default 0.
    public var randomSeed: UInt64 {
        get { control.locked { control.spatial.player.seed } }
        set {
            control.locked {
                control.spatial.player.seed = newValue
                control.note(.seed(newValue))
            }
        }
    }

    /// Threads that render a large scene, the device's or the caller's among them: 1…64, more or less count as these;
    /// nil, the default, for `OSSICLE_THREADS` of the environment or as many as there are cores, at most eight. The
    /// bytes are the same for any number. Client code is called on the first of them only.
    public var renderThreadCount: Int? {
        get { control.locked { control.executor.threadCount } }
        set { control.locked { control.executor.threadCount = newValue.map { min(max($0, 1), 64) } } }
    }

    /// The last misuse that could not be thrown, because the call it happened in does not throw; nil if there was none.
    public var lastError: (any Error)? { control.lock.recordedErrors.last }

    /// Such errors in order, the last hundred.
    public var recordedErrors: [any Error] { control.lock.recordedErrors }

    /// Called with every such error, on the thread that made the call.
    public var errorHandler: (@Sendable (any Error) -> Void)? {
        get { control.lock.errorHandler }
        set { control.lock.errorHandler = newValue }
    }

    func record(_ error: any Error) { control.record(error) }
}

extension PHASEEngine: RealTimeWatched {
    /// Whether RealtimeSanitizer, if it is part of the program, watches the render loop.
    package var watchesRealTime: Bool {
        get { control.executor.isWatched }
        set { control.executor.isWatched = newValue }
    }
}

/// A limit to what sounds at once.
extension OssicleAdditions where Self: PHASEEngine {
    /// The most voices (leaves of sound events) that are heard at once; nil, the default, for 512, and `Int.max` for as
    /// many as there are (an addition of Ossicle). Where the default is met, that is recorded once as the engine's
    /// `lastError`.
    ///
    /// Where more want to sound, those are heard whose generator has the higher `priority`, then the louder at the
    /// listener (in steps of 3 dB, so that two alike do not take turns), then the newer; a voice too quiet to be heard
    /// at all comes last. The others go on unheard in real time and at next to no cost, in time and in memory: they end
    /// when they would have ended, and fade in again where there is room. An event of one such voice has its level
    /// found anew every fourth update, so that it may wait for ten updates to be heard. Paused and culled voices do not
    /// count. Less than 0 counts as 0.
    public var maximumVoiceCount: Int? {
        get { control.requested { control.settings.requested.maximumVoiceCount } }
        set { control.set { $0.maximumVoiceCount = newValue.map { max($0, 0) } } }
    }

    /// The most spatial mixers of sound events whose direct sound has an HRTF of its own in a binaural output; nil, the
    /// default, for 128, and `Int.max` for all (an addition of Ossicle).
    ///
    /// Beyond it, those have one whose voices have the higher `priority`, then the louder at the listener, then the
    /// newer; one that has it counts as 6 dB louder. The others are in the ambisonic bus of order 3: their delay, level
    /// and colour are the same, and their direction is as sharp as that order. A change cross-fades in 100 ms.
    /// Loudspeakers have no such limit. Less than 0 counts as 0. `explain(_:)` says which a voice has.
    public var maximumFullVoiceCount: Int? {
        get { control.requested { control.settings.requested.maximumFullVoiceCount } }
        set { control.set { $0.maximumFullVoiceCount = newValue.map { max($0, 0) } } }
    }
}

/// Whether the machine is fast enough (additions of Ossicle).
extension OssicleAdditions where Self: PHASEEngine {
    /// Whether the engine does not keep up with the device it plays to: it has been more than 0.1 s late for a second,
    /// or the device ran out of sound more than once within one (an addition of Ossicle). Each time this begins it is
    /// recorded as `lastError`. False in manual rendering.
    public var isOverloaded: Bool {
        control.locked { control.session.device != nil && control.session.overload.isOverloaded }
    }

    /// Seconds by which rendering is behind the device at present, 0 where it is in time (an addition of Ossicle).
    /// `lastRenderTime` lags by as much.
    public var secondsBehindDevice: Double {
        control.locked { control.session.device == nil ? 0 : control.session.overload.lag }
    }
}

/// HRTF of binaural outputs, and head tracking (additions of Ossicle).
extension OssicleAdditions where Self: PHASEEngine {
    /// Puts on another head, from a SOFA file (AES69: SimpleFreeFieldHRIR, or FreeFieldHRIR with one emitter) (an
    /// addition of Ossicle).
    ///
    /// Before the engine starts or while it plays: at the next update every voice and the late reverb cross-fade to the
    /// new head. Any number and arrangement of directions, any length and sample rate; the set is brought to the
    /// engine's rate, to minimum phase and to the level of the built-in head. It lasts until another is loaded or
    /// `resetHRTF()`, over stops and starts, and is this engine's alone. An output for loudspeakers has no head: the
    /// set is kept for a binaural one. Takes about a second, on the caller's thread.
    /// - Throws: `PHASEAssetError.failedToLoad`, which names the file, what is wrong in it, the rule and the cure. The
    ///   head stays as it was.
    public func loadHRTF(contentsOf url: URL) throws {
        let name = url.lastPathComponent
        do {
            guard let path = url.localPath else {
                throw HRTFSetError(
                    "Head set “\(name)”: its address is \(url.absoluteString), must be that of a file; pass URL(fileURLWithPath:)."
                )
            }
            let rate = control.locked {
                control.spatial.output?.sampleRate ?? control.manual?.format.sampleRate
                    ?? EngineControl.defaultFormat.sampleRate
            }
            // A matter of a second: the engine plays on meanwhile.
            let set = try HRTFSet(contentsOfFile: path)
            try adopt(EngineHRTF(set, name: name, prepared: try set.filters(sampleRate: rate)))
            control.locked { control.loaded.hrtf = url }
            control.noteFile(url) { .hrtf(data: $0, name: $1) }
        } catch {
            throw PHASEAssetError(.failedToLoad, "\(error)")
        }
    }

    /// Puts the built-in head on again, cross-fading like `loadHRTF(contentsOf:)` (an addition of Ossicle).
    public func resetHRTF() {
        // Cannot fail while it plays: the built-in HRTF can be made for every rate an engine can have.
        control.note(.builtInHRTF)
        control.locked { control.loaded.hrtf = nil }
        do { try adopt(EngineHRTF()) } catch { record(PHASEAssetError(.failedToLoad, "\(error)")) }
    }

    /// The name of the file the head came from, or “KEMAR (built in)” (an addition of Ossicle).
    public var hrtfName: String { control.locked { control.spatial.plans.hrtf.name } }

    /// The tracker that listeners with `automaticHeadTrackingFlags` follow (an addition of Ossicle).
    ///
    /// Starts and stops with the engine, at once if the engine runs; a failure is then recorded as `lastError`. Default
    /// nil: when the engine starts, the source the environment variable `OSSICLE_HEAD_TRACKING` names, if any.
    public var headTracking: PHASEHeadTracking? {
        get { control.locked { control.trackedHead.tracking } }
        set { control.locked { control.trackedHead.set(newValue) } }
    }
}

extension PHASEEngine {
    fileprivate func adopt(_ new: EngineHRTF) throws {
        try control.locked {
            var new = new
            if let output = control.spatial.output { _ = try new.filters(sampleRate: output.sampleRate) }
            control.spatial.plans.hrtf = new
            control.spatial.valuesChanged()
        }
    }
}
