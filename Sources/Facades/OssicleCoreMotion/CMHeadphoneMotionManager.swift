import Foundation

/// Gives the motion of headphones to a program, by handler or by polling.
///
/// What takes the place of headphones is named by `motionSource` (an addition): a head tracker on the network, a
/// recording, or the program itself. Without one no headphones are ever connected: starting is allowed and waits. Every
/// member may be used from any thread.
open class CMHeadphoneMotionManager: NSObject, @unchecked Sendable {
    /// Receives a sample, or the reason why there is none.
    public typealias DeviceMotionHandler = (CMDeviceMotion?, (any Error)?) -> Void

    struct State {
        var source = MotionSource.supplied
        var frame = MotionFrame.device
        /// Why `source` could not be used.
        var sourceError: CMMotionSourceError?
        /// While updates of either kind run and there is a source to ask.
        var feed: MotionFeed?
        var supplied = MotionSampler()
        var isConnected = false
        var isReportingConnections = false
        var isActive = false
        var latest: CMDeviceMotion?
        var queue: OperationQueue?
        var handler: DeviceMotionHandler?
        /// Grows with every start and stop, so that a sample on its way to the queue does not outlive a stop.
        var session = 0
        weak var delegate: (any CMHeadphoneMotionManagerDelegate)?
    }

    let lock = NSLock()
    var state = State()

    /// A manager whose motion comes from what the environment variable `OSSICLE_HEAD_TRACKING` names; if it is not set,
    /// from nowhere.
    public override init() {
        super.init()
        takeSourceFromEnvironment()
    }

    deinit { state.feed?.stop() }

    /// `.authorized`: nothing on this system asks the user.
    @discardableResult
    open class func authorizationStatus() -> CMAuthorizationStatus { .authorized }

    /// Hears of headphones that come and go, on the thread of the source, while connection or motion updates run.
    open weak var delegate: (any CMHeadphoneMotionManagerDelegate)? {
        get { lock.withLock { state.delegate } }
        set { lock.withLock { state.delegate = newValue } }
    }

    /// Whether there can be motion: headphones are connected, or there is a source that is listened to once updates
    /// start.
    open var isDeviceMotionAvailable: Bool { lock.withLock { state.isConnected || state.source != .supplied } }

    /// Whether motion updates have been started.
    open var isDeviceMotionActive: Bool { lock.withLock { state.isActive } }

    /// Whether connection updates have been started.
    open var isConnectionStatusActive: Bool { lock.withLock { state.isReportingConnections } }

    /// The latest sample; nil before the first and after a stop.
    open var deviceMotion: CMDeviceMotion? { lock.withLock { state.latest } }

    /// Starts updates that are read from `deviceMotion`.
    open func startDeviceMotionUpdates() { start(queue: nil, handler: nil) }

    /// Starts updates that call `handler` on `queue` with every sample. A second start replaces the first.
    open func startDeviceMotionUpdates(to queue: OperationQueue, withHandler handler: @escaping DeviceMotionHandler) {
        start(queue: queue, handler: handler)
    }

    /// Ends updates; a sample that has not reached its handler yet is dropped.
    open func stopDeviceMotionUpdates() {
        lock.withLock {
            (state.isActive, state.latest, state.queue, state.handler) = (false, nil, nil, nil)
            state.session += 1
        }
        stopFeedIfIdle()
    }

    /// Starts telling the delegate of headphones that come and go.
    open func startConnectionStatusUpdates() {
        lock.withLock { state.isReportingConnections = true }
        startFeed()
    }

    /// Ends telling the delegate, unless motion updates run.
    open func stopConnectionStatusUpdates() {
        lock.withLock { state.isReportingConnections = false }
        stopFeedIfIdle()
    }

    private func start(queue: OperationQueue?, handler: DeviceMotionHandler?) {
        lock.withLock {
            (state.isActive, state.queue, state.handler) = (true, queue, handler)
            state.session += 1
        }
        startFeed()
    }
}

extension CMHeadphoneMotionManager {
    /// Headphones are there. Called by a source of motion.
    func connect() {
        changeConnection(to: true)?.headphoneMotionManagerDidConnect(self)
    }

    /// The headphones are gone. Called by a source of motion.
    func disconnect() {
        changeConnection(to: false)?.headphoneMotionManagerDidDisconnect(self)
    }

    /// A sample, from any thread. Called by a source of motion; connects first if need be. Ignored while no updates
    /// run.
    func deliver(_ motion: CMDeviceMotion) {
        connect()
        let (queue, session) = lock.withLock {
            if state.isActive { state.latest = motion }
            return (state.queue, state.session)
        }
        // A sample is never changed after it is made, by us; that is what lets it go to the client's queue.
        nonisolated(unsafe) let sample = motion
        queue?.addOperation { self.call(with: sample, nil, session: session) }
    }

    /// The source cannot be used: the handler, if there is one, hears why.
    func deliver(_ error: CMMotionSourceError) {
        let (queue, session) = lock.withLock { (state.queue, state.session) }
        queue?.addOperation { self.call(with: nil, error, session: session) }
    }

    private func call(with motion: CMDeviceMotion?, _ error: (any Error)?, session: Int) {
        let handler = lock.withLock { state.session == session ? state.handler : nil }
        handler?(motion, error)
    }

    /// The delegate to tell, if the connection changed and somebody listens.
    private func changeConnection(to isConnected: Bool) -> (any CMHeadphoneMotionManagerDelegate)? {
        lock.withLock {
            guard state.isConnected != isConnected else { return nil }
            state.isConnected = isConnected
            return state.isActive || state.isReportingConnections ? state.delegate : nil
        }
    }
}

/// Hears of headphones that come and go. Both methods may be left out.
public protocol CMHeadphoneMotionManagerDelegate: NSObjectProtocol {
    /// Headphones that can report motion are there.
    func headphoneMotionManagerDidConnect(_ manager: CMHeadphoneMotionManager)
    /// They are gone.
    func headphoneMotionManagerDidDisconnect(_ manager: CMHeadphoneMotionManager)
}

extension CMHeadphoneMotionManagerDelegate {
    public func headphoneMotionManagerDidConnect(_ manager: CMHeadphoneMotionManager) {}
    public func headphoneMotionManagerDidDisconnect(_ manager: CMHeadphoneMotionManager) {}
}
