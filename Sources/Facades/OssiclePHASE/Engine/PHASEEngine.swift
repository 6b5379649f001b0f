import Foundation
import OssicleAVFAudio

/// The engine: owns the scene, the assets and the sound that comes out.
///
/// By default `start()` opens the machine's sound output. For rendering into buffers and files see
/// `enableManualRenderingMode(_:format:maximumFrameCount:)`. Any thread. Setters of the engine, of objects in the
/// scene, of groups and of meta-parameters return at once, also while an update runs in another thread; getters answer
/// what was set.
open class PHASEEngine: NSObject, @unchecked Sendable {
    /// When the client's calls take effect.
    public enum UpdateMode: Int, Sendable {
        /// At the engine's own pace: about a hundred times a second, and at the start of every offline render call.
        case automatic = 0
        /// Together, in `update()`.
        case manual = 1
    }

    /// Where rendering happens. Here always in this process.
    public enum RenderingMode: Int, Sendable {
        case local = 0
        case client = 1
    }

    let core: EngineCore
    private let root: PHASEObject
    private let registry: PHASEAssetRegistry

    /// An engine that is stopped, with an empty scene.
    public init(updateMode: PHASEEngine.UpdateMode) {
        core = EngineCore(updateMode: updateMode)
        root = PHASEObject(core: core)
        registry = PHASEAssetRegistry(core: core)
        super.init()
        core.objects.root = root
        core.engine = self
    }

    /// As `init(updateMode:)`; the rendering mode makes no difference here.
    public convenience init(updateMode: PHASEEngine.UpdateMode, renderingMode: PHASEEngine.RenderingMode) {
        self.init(updateMode: updateMode)
    }

    deinit { core.shutDown() }

    // MARK: Life cycle

    /// Starts audio, or resumes it after `pause()`. Does nothing on an engine that runs.
    /// - Throws: `PHASEError.initializeFailed` if the output cannot be opened.
    open func start() throws { try core.start() }

    /// Halts audio; sound events keep their place.
    open func pause() { core.pause() }

    /// Halts audio and ends every sound event; their handlers hear `.terminated`.
    open func stop() { core.stop() }

    /// Manual update mode: carries out the calls made since the last update and runs handlers on this thread. No effect
    /// in automatic mode.
    open func update() { core.clientUpdate() }

    /// `.stopped` until `start()`, `.paused` between `pause()` and the next `start()`.
    open var renderingState: PHASESoundEvent.RenderingState { core.locked { core.renderingState } }

    /// Engine time of the next frame to be rendered, with the output's rate, and the host time of that frame; nil while
    /// not running. At a device host time is the machine's; in manual rendering it is rendered time itself, counted
    /// from 0 as frames are.
    open var lastRenderTime: AVAudioTime? {
        core.locked {
            guard core.renderingState == .started, let output = core.spatial.output else { return nil }
            let position = core.executor.position
            return AVAudioTime(
                hostTime: core.session.clock.hostTime(of: position, output.sampleRate), sampleTime: position,
                atRate: output.sampleRate)
        }
    }

    // MARK: Scene

    /// The world: what is added below it takes part in the simulation. Cannot be moved, copied or given a parent.
    open var rootObject: PHASEObject { root }

    /// The medium sound travels in: how fast, and how much it takes on the way. Default: air. Setting another while
    /// something plays cross-fades.
    open var defaultMedium: PHASEMedium {
        get { core.requested { core.settings.requested.medium } ?? PHASEMedium(engine: self, preset: .air) }
        set { core.set { $0.medium = newValue } }
    }

    /// The one room of the engine, for everything that is sent to its late reverb. Default: none.
    open var defaultReverbPreset: PHASEReverbPreset {
        get { core.requested { core.settings.requested.reverbPreset } }
        set { core.set { $0.reverbPreset = newValue } }
    }

    /// Every time and duration given to the API is divided by it. Default 1; values that are not above 0 become the
    /// smallest that is.
    open var unitsPerSecond: Double {
        get { core.requested { core.settings.requested.unitsPerSecond } }
        set { core.set { $0.unitsPerSecond = newValue.clampedAboveZero() } }
    }

    /// Every length given to the API is divided by it. Default 1; values that are not above 0 become the smallest that
    /// is.
    open var unitsPerMeter: Double {
        get { core.requested { core.settings.requested.unitsPerMeter } }
        set { core.set { $0.unitsPerMeter = newValue.clampedAboveZero() } }
    }

    /// Binaural, or panned for loudspeakers. Default `.automatic`: binaural where the output is stereo, panned
    /// otherwise. Taken up when the engine starts.
    open var outputSpatializationMode: PHASESpatializationMode {
        get { core.locked { core.spatializationMode } }
        set { core.locked { core.spatializationMode = newValue } }
    }

    // MARK: Sound

    /// The registered groups by identifier.
    open var groups: [String: PHASEGroup] { core.locked { core.store.groups } }

    /// The duckers that clients hold, active or not, in the order in which they were made.
    open var duckers: [PHASEDucker] {
        core.locked { core.spatial.levels.groups.duckers.compactMap { $0.owner as? PHASEDucker } }
    }

    /// The preset that was activated last and not deactivated since; nil if there is none.
    open var activeGroupPreset: PHASEGroupPreset? {
        core.locked { core.spatial.levels.groups.preset?.owner as? PHASEGroupPreset }
    }

    /// Where sounds, sound events and shared meta-parameters are registered.
    open var assetRegistry: PHASEAssetRegistry { registry }

    /// The sound events that are preparing, playing, paused or stopping right now.
    open var soundEvents: [PHASESoundEvent] {
        core.locked {
            core.spatial.player.events.filter { $0.stage != .ended }.compactMap { $0.owner as? PHASESoundEvent }
        }
    }
}
