import Foundation
import OssicleAVFAudio
import OssiclePlayback

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
        /// In this process.
        case local = 0
        /// The same here.
        case client = 1
    }

    let control: EngineControl
    private let root: PHASEObject
    private let registry: PHASEAssetRegistry

    /// An engine that is stopped, with an empty scene.
    public init(updateMode: PHASEEngine.UpdateMode) {
        control = EngineControl(updateMode: updateMode)
        root = PHASEObject(control: control)
        registry = PHASEAssetRegistry(control: control)
        super.init()
        control.objects.root = root
        control.engine = self
        SessionParticipants.shared.add(control)
    }

    /// As `init(updateMode:)`; the rendering mode makes no difference here.
    public convenience init(updateMode: PHASEEngine.UpdateMode, renderingMode: PHASEEngine.RenderingMode) {
        self.init(updateMode: updateMode)
    }

    deinit { control.shutDown() }

    // MARK: Life cycle

    /// Starts audio, or resumes it after `pause()`. Does nothing on an engine that runs.
    /// - Throws: `PHASEError.initializeFailed` if the output cannot be opened.
    open func start() throws { try control.start() }

    /// Halts audio; sound events keep their place.
    open func pause() { control.pause() }

    /// Halts audio and ends every sound event; their handlers hear `.terminated`.
    open func stop() { control.stop() }

    /// Manual update mode: carries out the calls made since the last update and runs handlers on this thread. No effect
    /// in automatic mode.
    open func update() { control.clientUpdate() }

    /// `.stopped` until `start()`, `.paused` between `pause()` and the next `start()`.
    open var renderingState: PHASESoundEvent.RenderingState { control.locked { control.renderingState } }

    /// Engine time of the next frame to be rendered, with the output's rate, and the host time of that frame; nil while
    /// not running. At a device, the device takes the frame then, and it is heard `outputPresentationLatency` later; in
    /// manual rendering host time is rendered time itself, counted from 0 as frames are.
    open var lastRenderTime: AVAudioTime? {
        control.locked {
            guard control.renderingState == .started, let output = control.spatial.output else { return nil }
            let position = control.executor.position
            return AVAudioTime(
                hostTime: control.session.clock.hostTime(of: position, output.sampleRate), sampleTime: position,
                atRate: output.sampleRate)
        }
    }

    // MARK: Scene

    /// The world: what is added below it takes part in the simulation. Cannot be moved, copied or given a parent.
    open var rootObject: PHASEObject { root }

    /// The medium sound travels in: how fast, and how much it takes on the way. Default: air. Setting another while
    /// something plays cross-fades.
    open var defaultMedium: PHASEMedium {
        get { control.requested { control.settings.requested.medium } ?? PHASEMedium(engine: self, preset: .air) }
        set { control.set { $0.medium = newValue } }
    }

    /// The one room of the engine, for everything that is sent to its late reverb. Default: none.
    open var defaultReverbPreset: PHASEReverbPreset {
        get { control.requested { control.settings.requested.reverbPreset } }
        set { control.set { $0.reverbPreset = newValue } }
    }

    /// Every time and duration given to the API is divided by it. Default 1; values that are not above 0 become the
    /// smallest that is.
    open var unitsPerSecond: Double {
        get { control.requested { control.settings.requested.unitsPerSecond } }
        set { control.set { $0.unitsPerSecond = newValue.clampedAboveZero() } }
    }

    /// Every length given to the API is divided by it. Default 1; values that are not above 0 become the smallest that
    /// is.
    open var unitsPerMeter: Double {
        get { control.requested { control.settings.requested.unitsPerMeter } }
        set { control.set { $0.unitsPerMeter = newValue.clampedAboveZero() } }
    }

    /// Binaural, or panned for loudspeakers. Taken up when the engine starts, and when what sound comes out of changes:
    /// the engine follows headphones that are plugged in or out, and another default output, while it plays.
    ///
    /// - `.automatic`, the default: for the loudspeakers of a device that has more than two (3.0 to 7.1.4, by the roles
    ///   that it states for its channels, else by their number); binaural in stereo, on headphones of any number of
    ///   channels and on loudspeakers of the machine's own; panned in stereo where the server says that the two
    ///   channels lead to loudspeakers outside (HDMI, line, a television).
    /// - `.alwaysUseBinaural`: in stereo, whatever the device has.
    /// - `.alwaysUseChannelBased`: for the device's loudspeakers, plain stereo on headphones.
    ///
    /// In manual rendering the format says where sound goes: two channels are binaural unless the mode is
    /// `.alwaysUseChannelBased`, more are panned for the format's layout.
    open var outputSpatializationMode: PHASESpatializationMode {
        get { control.locked { control.spatializationMode } }
        set {
            control.locked {
                control.spatializationMode = newValue
                control.note(.spatialization(newValue.rawValue))
            }
        }
    }

    // MARK: Sound

    /// The registered groups by identifier.
    open var groups: [String: PHASEGroup] { control.locked { control.store.groups } }

    /// The duckers that clients hold, active or not, in the order in which they were made.
    open var duckers: [PHASEDucker] {
        control.locked { control.spatial.levels.groups.duckers.compactMap { $0.owner as? PHASEDucker } }
    }

    /// The preset that was activated last and not deactivated since; nil if there is none.
    open var activeGroupPreset: PHASEGroupPreset? {
        control.locked { control.spatial.levels.groups.preset?.owner as? PHASEGroupPreset }
    }

    /// Where sounds, sound events and shared meta-parameters are registered.
    open var assetRegistry: PHASEAssetRegistry { registry }

    /// The sound events that are preparing, playing, paused or stopping right now.
    open var soundEvents: [PHASESoundEvent] {
        control.locked {
            control.spatial.player.events.filter { $0.stage != .ended }.compactMap {
                $0.client?.object as? PHASESoundEvent
            }
        }
    }
}
