import Foundation
import OssicleAVFAudio
import OssicleSpatial

/// One playing of a registered sound-event asset. Single use: make a new one to play again.
///
/// The engine keeps an event alive while it plays; the client need not. Any thread; every call returns at once.
open class PHASESoundEvent: NSObject, @unchecked Sendable {
    /// Whether it plays.
    public enum RenderingState: Int, Sendable {
        /// Not started, or over.
        case stopped = 0
        /// It plays, or waits for its time.
        case started = 1
        /// It halts where it is.
        case paused = 2
    }

    /// Whether all is ready for `start`.
    public enum PrepareState: Int, Sendable {
        /// `prepare` was not called.
        case prepareNotStarted = 0
        /// It is being made ready.
        case prepareInProgress = 1
        /// All is ready.
        case prepared = 2
    }

    /// How preparing ended.
    public enum PrepareHandlerReason: Int, Sendable {
        /// It could not be prepared.
        case failure = 0
        /// It is ready.
        case prepared = 1
        /// The event was stopped.
        case terminated = 2
    }

    /// Why playback ended.
    public enum StartHandlerReason: Int, Sendable {
        /// It could not start.
        case failure = 0
        /// It reached its natural end.
        case finishedPlaying = 1
        /// It was stopped or culled, or the engine was stopped.
        case terminated = 2
    }

    /// How seeking ended.
    public enum SeekHandlerReason: Int, Sendable {
        /// The event is over, or the time is none.
        case failure = 0
        /// Another seek is under way.
        case failureSeekAlreadyInProgress = 1
        /// The new place has been rendered.
        case seekSuccessful = 2
    }

    let control: EngineControl
    private let made: MadeEvent
    /// Under the engine's lock.
    var preparation = PrepareState.prepareNotStarted

    var instance: EventInstance { made.instance }

    /// An event that plays through spatial or ambient mixers.
    ///
    /// - Parameters:
    ///   - engine: that plays it.
    ///   - assetIdentifier: of a registered sound-event asset.
    ///   - mixerParameters: source and listener for every spatial mixer of the asset, a listener for every ambient one.
    /// - Throws: `PHASESoundEventError.notFound` if the asset or one of its sounds is not registered, `.apiMisuse` if a
    ///   mixer lacks its parameters or was given objects of another engine, `.badData` if a sound does not fit its
    ///   mixer's layout.
    public init(engine: PHASEEngine, assetIdentifier: String, mixerParameters: PHASEMixerParameters) throws {
        control = engine.control
        made = try EventMaker(control: engine.control).make(assetIdentifier, mixerParameters)
        super.init()
    }

    /// An event that plays through channel mixers only.
    public convenience init(engine: PHASEEngine, assetIdentifier: String) throws {
        try self.init(engine: engine, assetIdentifier: assetIdentifier, mixerParameters: PHASEMixerParameters())
    }

    // MARK: Life

    /// Makes everything ready ahead of `start`. The handler hears `.prepared`, or `.terminated` on an event that was
    /// stopped.
    open func prepare(completion handler: (@Sendable (PHASESoundEvent.PrepareHandlerReason) -> Void)? = nil) {
        performPrepare(handler)
    }

    /// As `prepare(completion:)`; returns when the handler would be called.
    @discardableResult
    open func prepare() async -> PHASESoundEvent.PrepareHandlerReason {
        await withCheckedContinuation { continuation in prepare { continuation.resume(returning: $0) } }
    }

    /// Plays. The handler runs when playback has ended. A second start is ignored, and so is its handler.
    open func start(completion handler: (@Sendable (PHASESoundEvent.StartHandlerReason) -> Void)? = nil) {
        performStart(handler)
    }

    /// As `start(completion:)`; returns when playback has ended.
    @discardableResult
    open func start() async -> PHASESoundEvent.StartHandlerReason {
        await withCheckedContinuation { continuation in
            let accepted = performStart { continuation.resume(returning: $0) }
            if !accepted { continuation.resume(returning: .failure) }
        }
    }

    /// Plays with the frame that is rendered at `when`: its sample time on the engine's clock
    /// (`PHASEEngine.lastRenderTime`; a time at another rate is converted), otherwise its host time. Nil and times that
    /// have passed mean now. `renderingState` is `.started` while it waits. What random nodes and switches choose is
    /// settled now, not when the time has come.
    open func start(
        at when: AVAudioTime?, completion handler: (@Sendable (PHASESoundEvent.StartHandlerReason) -> Void)? = nil
    ) {
        performStart(at: when, handler)
    }

    /// As `start(at:completion:)`; returns when playback has ended.
    @discardableResult
    open func start(at when: AVAudioTime?) async -> PHASESoundEvent.StartHandlerReason {
        await withCheckedContinuation { continuation in
            let accepted = performStart(at: when) { continuation.resume(returning: $0) }
            if !accepted { continuation.resume(returning: .failure) }
        }
    }

    /// Halts the event where it is; an event that has not been started does not hear of it.
    open func pause() { performPause() }

    /// Continues after `pause()`, and plays a prepared event that was never started, from where it was sought to. An
    /// event that is neither prepared nor started stays silent, which is recorded as the engine's `lastError`.
    open func resume() { performResume() }

    /// As `resume()`, with the frame that is rendered at `time`, as in `start(at:)`. `renderingState` is `.started`
    /// from now on.
    open func resume(at time: AVAudioTime?) { performResume(at: time) }

    /// Continues from another place in all sounds that play: fades out, and in again there. Sounds that have finished,
    /// and streams, ignore it; in a sequence it moves the children whose turn it is. A paused event stays paused at the
    /// new place.
    ///
    /// - Parameters:
    ///   - time: seconds from the start of each sound (divided by `unitsPerSecond`), 0 or more. Loops go on counting
    ///     beyond their end; other
    ///     sounds finish there.
    ///   - handler: `.seekSuccessful` when the new place has been rendered, or at once on an event that waits to be
    ///     started, which remembers
    ///     the place; `.failureSeekAlreadyInProgress` while another seek is under way; `.failure` on an event that is over, and for a time that is
    ///     no number or below 0, which is also recorded as the engine's `lastError`.
    open func seek(to time: Double, completion handler: (@Sendable (PHASESoundEvent.SeekHandlerReason) -> Void)? = nil)
    {
        performSeek(to: time, resumeAt: nil, handler)
    }

    /// As `seek(to:completion:)`; returns when the handler would be called.
    @discardableResult
    open func seek(to time: Double) async -> PHASESoundEvent.SeekHandlerReason {
        await withCheckedContinuation { continuation in seek(to: time) { continuation.resume(returning: $0) } }
    }

    /// As `seek(to:)`, silent from now on until the frame that is rendered at `engineTime`, as in `start(at:)`.
    open func seek(
        to time: Double, resumeAt engineTime: AVAudioTime,
        completion handler: (@Sendable (PHASESoundEvent.SeekHandlerReason) -> Void)? = nil
    ) {
        performSeek(to: time, resumeAt: engineTime, handler)
    }

    /// As `seek(to:resumeAt:completion:)`; returns when the handler would be called.
    @discardableResult
    open func seek(to time: Double, resumeAt engineTime: AVAudioTime) async -> PHASESoundEvent.SeekHandlerReason {
        await withCheckedContinuation { continuation in
            seek(to: time, resumeAt: engineTime) { continuation.resume(returning: $0) }
        }
    }

    /// Ends the event for good (in manual update mode: at the next update); the handler of `start` hears `.terminated`.
    open func stopAndInvalidate() { performStop() }

    // MARK: State

    /// Default `.stopped`.
    open var renderingState: PHASESoundEvent.RenderingState {
        control.locked {
            switch instance.stage {
            case .made, .ending, .ended: .stopped
            case .waiting, .playing: instance.transport.isPaused ? .paused : .started
            }
        }
    }
    /// Default `.prepareNotStarted`.
    open var prepareState: PHASESoundEvent.PrepareState { control.locked { preparation } }
    /// True if the event will not end by itself, because something in it loops or is a stream.
    open var isIndefinite: Bool { instance.isIndefinite }

    // MARK: Controls

    /// This event's meta-parameters by their definition's identifier. Changes touch this event only.
    open var metaParameters: [String: PHASEMetaParameter] { made.parameters }
    /// This event's mixers by their definition's identifier.
    open var mixers: [String: PHASEMixer] { made.mixers }
    /// This event's push streams by their definition's identifier; there from the beginning, so that buffers can be
    /// scheduled ahead.
    public var pushStreamNodes: [String: PHASEPushStreamNode] { made.streams?.push ?? [:] }
    /// This event's pull streams by their definition's identifier; there from the beginning, so that handlers can be
    /// set ahead.
    public var pullStreamNodes: [String: PHASEPullStreamNode] { made.streams?.pull ?? [:] }
}
