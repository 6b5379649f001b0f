// Additions to Apple's engine.

import OssicleCoreAudioTypes
import OssiclePlayback
import OssicleRender

extension AVAudioEngine: OssicleAdditions {}

extension OssicleAdditions where Self: AVAudioEngine {
    /// What the last call that cannot throw had to say; `nil` if nothing went wrong, or after it was set to `nil`.
    public var lastError: (any Error)? {
        get { machine.errors.last }
        set { machine.errors.last = newValue }
    }

    /// Called with every error a call could not throw, on the thread of that call. Without one they go to standard
    /// error.
    public var errorHandler: (@Sendable (any Error) -> Void)? {
        get { machine.errors.handler }
        set { machine.errors.handler = newValue }
    }

    /// Whether the engine continues when its devices change, instead of stopping itself: when a device's format changes
    /// the sound server converts; when a device or the server goes, the engine continues at what there is, or at a
    /// silent clock until a device is there again. The notification comes all the same. Default false, as Apple's.
    public var staysOnWhenDevicesChange: Bool {
        get { machine.locked { machine.hardware.staysOnWhenDevicesChange } }
        set { machine.locked { machine.hardware.staysOnWhenDevicesChange = newValue } }
    }

    /// Identifier or name of the output it plays to, as `AVAudioSessionPortDescription.uid` or `ossicle devices` give
    /// it; `nil`, the default, for the default output. Read when the engine starts after `stop()`; a start throws where
    /// there is no such output. When it goes, the engine does as when the default output goes.
    public var outputDeviceUniqueID: String? {
        get { machine.locked { machine.hardware.outputDevice } }
        set { machine.locked { machine.hardware.outputDevice = newValue } }
    }

    /// In the user info of `AVAudioEngineConfigurationChange`: the output's format before and after, as
    /// `AVAudioFormat`.
    public static var oldFormatKey: String { "OssicleOldFormat" }
    /// See `oldFormatKey`.
    public static var newFormatKey: String { "OssicleNewFormat" }

    /// Seconds that a call of `renderOffline`, or of the manual rendering block in offline mode, waits for a completion
    /// handler or tap block that is due before it renders; 0 … ∞, default 10. So the same program renders the same
    /// sound at any load. What does not return in that time is recorded and passed over. A render call from within a
    /// handler does not wait.
    public var offlineHandlerTimeLimit: TimeInterval {
        get { machine.locked { machine.session.callbackLimit } }
        set { if !newValue.isNaN { machine.locked { machine.session.callbackLimit = max(newValue, 0) } } }
    }

    /// Threads that render a large graph, the device's or the caller's among them: 1…64, more or less count as these;
    /// nil, the default, for `OSSICLE_THREADS` of the environment or as many as there are cores, at most eight. The
    /// bytes are the same for any number. Client code is called on the first of them only.
    public var renderThreadCount: Int? {
        get { machine.locked { machine.session.executor.threadCount } }
        set { machine.locked { machine.session.executor.threadCount = newValue.map { min(max($0, 1), 64) } } }
    }

    /// Waits until every tap block and completion handler that is due has returned. For offline programs that want to
    /// go on only after their handlers have; never call it from one of those.
    public func drainCallbacks() {
        for (_, attendant) in machine.locked({ machine.attendants }) { attendant.drain() }
        machine.session.deliveries.wait()
    }
}

extension AVAudioEngine: RealTimeWatched {
    /// Whether RealtimeSanitizer, where it is part of the program, watches the render loop.
    package var watchesRealTime: Bool {
        get { machine.session.executor.isWatched }
        set { machine.session.executor.isWatched = newValue }
    }
}

/// Whether the machine is fast enough (additions of Ossicle).
extension OssicleAdditions where Self: AVAudioEngine {
    /// Whether the engine does not keep up with the device it plays to: it has been more than 0.1 s late for a second,
    /// or the device ran out of sound more than once within one (an addition of Ossicle). Each time this begins it is
    /// recorded as `lastError`. False in manual rendering.
    public var isOverloaded: Bool { machine.locked { machine.isAtDevice && machine.session.overload.isOverloaded } }

    /// Seconds by which rendering is behind the device at present, 0 where it is in time (an addition of Ossicle).
    public var secondsBehindDevice: Double { machine.locked { machine.isAtDevice ? machine.session.overload.lag : 0 } }
}
