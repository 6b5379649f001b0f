import Foundation

/// Gives the motion of the device to a program, by handler or by polling: attitude, acceleration, rotation rate and
/// magnetic field.
///
/// A Linux machine has no such sensors. What takes their place is named by `motionSource` (an addition): a head tracker
/// on the network, a recording, or the program itself. Without one nothing is available: starting is allowed and waits.
/// Every member may be used from any thread.
open class CMMotionManager: NSObject, @unchecked Sendable {
    /// Follows the source; its headphones are this manager's device.
    let device = CMHeadphoneMotionManager()
    private let relay: OperationQueue = {
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1
        return queue
    }()
    private let motion = SensorUpdates<CMDeviceMotion>()
    private let accelerometer = SensorUpdates<CMAccelerometerData>()
    private let gyro = SensorUpdates<CMGyroData>()
    private let magnetometer = SensorUpdates<CMMagnetometerData>()
    private let lock = NSLock()
    private var frame = CMAttitudeReferenceFrame.xArbitraryZVertical

    /// A manager whose motion comes from what the environment variable `OSSICLE_HEAD_TRACKING` names; if it is not set,
    /// from nowhere.
    public override init() { super.init() }

    deinit { device.stopDeviceMotionUpdates() }

    // MARK: Device motion

    /// Whether there can be motion: there is a source that is followed once updates start, or the program has supplied
    /// a sample.
    open var isDeviceMotionAvailable: Bool { device.isDeviceMotionAvailable }
    /// Whether updates have been started and not stopped since.
    open var isDeviceMotionActive: Bool { motion.isActive }
    /// The latest sample; nil before the first and after a stop.
    open var deviceMotion: CMDeviceMotion? { isDeviceMotionActive ? device.deviceMotion : nil }

    /// Seconds between samples for the handler, kept on the average; 0, the default, is every sample. Sources give up
    /// to 100 a second.
    open var deviceMotionUpdateInterval: TimeInterval {
        get { motion.interval }
        set { motion.interval = newValue }
    }

    /// The frames whose X axis points anywhere: head trackers know no north.
    open class func availableAttitudeReferenceFrames() -> CMAttitudeReferenceFrame {
        [.xArbitraryZVertical, .xArbitraryCorrectedZVertical]
    }

    /// Of the updates that were started last.
    open var attitudeReferenceFrame: CMAttitudeReferenceFrame { lock.withLock { frame } }

    /// Kept without effect: there is no display that asks the user to move the device.
    open var showsDeviceMovementDisplay: Bool {
        get { lock.withLock { showsDisplay } }
        set { lock.withLock { showsDisplay = newValue } }
    }
    private var showsDisplay = false

    /// Starts updates that are read from `deviceMotion`.
    open func startDeviceMotionUpdates() { start(motion) }

    /// Starts updates that call `handler` on `queue`. A second start replaces the first.
    open func startDeviceMotionUpdates(to queue: OperationQueue, withHandler handler: @escaping CMDeviceMotionHandler) {
        start(motion, queue, handler)
    }

    /// As `startDeviceMotionUpdates()`, in a frame. One that is not available starts nothing.
    open func startDeviceMotionUpdates(using referenceFrame: CMAttitudeReferenceFrame) {
        if use(referenceFrame) == nil { start(motion) }
    }

    /// As `startDeviceMotionUpdates(to:withHandler:)`, in a frame. One that is not available starts nothing, which the
    /// handler receives as an error in `CMErrorDomain`.
    open func startDeviceMotionUpdates(
        using referenceFrame: CMAttitudeReferenceFrame, to queue: OperationQueue,
        withHandler handler: @escaping CMDeviceMotionHandler
    ) {
        guard let error = use(referenceFrame) else { return start(motion, queue, handler) }
        nonisolated(unsafe) let handler = handler
        queue.addOperation { handler(nil, error) }
    }

    /// Ends updates, and the latest sample is nil.
    open func stopDeviceMotionUpdates() { stop(motion) }

    // MARK: Accelerometer

    /// As `isDeviceMotionAvailable`: samples are made of motion.
    open var isAccelerometerAvailable: Bool { device.isDeviceMotionAvailable }
    /// Whether updates have been started and not stopped since.
    open var isAccelerometerActive: Bool { accelerometer.isActive }
    /// The latest sample: gravity, and the acceleration that the program supplied.
    open var accelerometerData: CMAccelerometerData? {
        isAccelerometerActive ? device.deviceMotion.map { CMAccelerometerData($0) } : nil
    }
    /// As `deviceMotionUpdateInterval`.
    open var accelerometerUpdateInterval: TimeInterval {
        get { accelerometer.interval }
        set { accelerometer.interval = newValue }
    }
    /// Starts updates that are read from `accelerometerData`.
    open func startAccelerometerUpdates() { start(accelerometer) }
    /// Starts updates that call `handler` on `queue`. A second start replaces the first.
    open func startAccelerometerUpdates(to queue: OperationQueue, withHandler handler: @escaping CMAccelerometerHandler)
    {
        start(accelerometer, queue, handler)
    }
    /// Ends updates, and the latest sample is nil.
    open func stopAccelerometerUpdates() { stop(accelerometer) }

    // MARK: Gyroscope

    /// As `isDeviceMotionAvailable`: samples are made of motion.
    open var isGyroAvailable: Bool { device.isDeviceMotionAvailable }
    /// Whether updates have been started and not stopped since.
    open var isGyroActive: Bool { gyro.isActive }
    /// The latest sample: the turn from one attitude to the next, by the time between them.
    open var gyroData: CMGyroData? { isGyroActive ? device.deviceMotion.map { CMGyroData($0) } : nil }
    /// As `deviceMotionUpdateInterval`.
    open var gyroUpdateInterval: TimeInterval {
        get { gyro.interval }
        set { gyro.interval = newValue }
    }
    /// Starts updates that are read from `gyroData`.
    open func startGyroUpdates() { start(gyro) }
    /// Starts updates that call `handler` on `queue`. A second start replaces the first.
    open func startGyroUpdates(to queue: OperationQueue, withHandler handler: @escaping CMGyroHandler) {
        start(gyro, queue, handler)
    }
    /// Ends updates, and the latest sample is nil.
    open func stopGyroUpdates() { stop(gyro) }

    // MARK: Magnetometer

    /// Whether the latest sample has a field: head trackers give none, `supplyMotion` (an addition) may.
    open var isMagnetometerAvailable: Bool {
        device.deviceMotion.map { $0.magneticField.accuracy != .uncalibrated } ?? false
    }
    /// Whether updates have been started and not stopped since.
    open var isMagnetometerActive: Bool { magnetometer.isActive }
    /// The latest sample; nil where nothing measures a field.
    open var magnetometerData: CMMagnetometerData? {
        isMagnetometerActive ? device.deviceMotion.flatMap { CMMagnetometerData($0) } : nil
    }
    /// As `deviceMotionUpdateInterval`.
    open var magnetometerUpdateInterval: TimeInterval {
        get { magnetometer.interval }
        set { magnetometer.interval = newValue }
    }
    /// Starts updates that are read from `magnetometerData`.
    open func startMagnetometerUpdates() { start(magnetometer) }
    /// Starts updates that call `handler` on `queue`. A second start replaces the first.
    open func startMagnetometerUpdates(to queue: OperationQueue, withHandler handler: @escaping CMMagnetometerHandler) {
        start(magnetometer, queue, handler)
    }
    /// Ends updates, and the latest sample is nil.
    open func stopMagnetometerUpdates() { stop(magnetometer) }

    // MARK: The source

    private func start<Sample>(
        _ updates: SensorUpdates<Sample>, _ queue: OperationQueue? = nil,
        _ handler: ((Sample?, (any Error)?) -> Void)? = nil
    ) {
        updates.start(queue, handler)
        guard !device.isDeviceMotionActive else { return }
        device.startDeviceMotionUpdates(to: relay) { [weak self] motion, error in self?.pass(on: motion, error) }
    }

    private func stop<Sample>(_ updates: SensorUpdates<Sample>) {
        updates.stop()
        let isUsed = motion.isActive || accelerometer.isActive || gyro.isActive || magnetometer.isActive
        if !isUsed { device.stopDeviceMotionUpdates() }
    }

    private func pass(on sample: CMDeviceMotion?, _ error: (any Error)?) {
        if let sample {
            if motion.isActive { motion.deliver(sample) }
            if accelerometer.isActive { accelerometer.deliver(CMAccelerometerData(sample)) }
            if gyro.isActive { gyro.deliver(CMGyroData(sample)) }
            if magnetometer.isActive, let field = CMMagnetometerData(sample) { magnetometer.deliver(field) }
        }
        if let error {
            motion.deliver(error)
            accelerometer.deliver(error)
            gyro.deliver(error)
            magnetometer.deliver(error)
        }
    }

    /// - Returns: why updates cannot come in that frame.
    private func use(_ wanted: CMAttitudeReferenceFrame) -> NSError? {
        let isAvailable =
            wanted.rawValue.nonzeroBitCount == 1 && Self.availableAttitudeReferenceFrames().contains(wanted)
        guard !isAvailable else {
            lock.withLock { frame = wanted }
            return nil
        }
        let code = wanted == .xTrueNorthZVertical ? CMErrorTrueNorthNotAvailable : CMErrorNotAvailable
        return NSError(
            domain: CMErrorDomain, code: Int(code.rawValue),
            userInfo: [
                NSLocalizedDescriptionKey:
                    "CMMotionManager: reference frame \(wanted.rawValue) is not one of availableAttitudeReferenceFrames().",
                NSLocalizedRecoverySuggestionErrorKey: "Use xArbitraryZVertical.",
            ])
    }
}
