import Foundation
@testable import OssicleCoreMotion
import OssicleTestSupport
import Testing

/// What a handler was given, from any thread.
private final class Received<Value>: @unchecked Sendable {
    private let lock = NSLock()
    private var values: [Value] = []
    private var errors: [any Error] = []

    func note(_ value: Value?, _ error: (any Error)?) {
        lock.withLock {
            if let value { values.append(value) }
            if let error { errors.append(error) }
        }
    }

    var all: [Value] { lock.withLock { values } }
    var faults: [any Error] { lock.withLock { errors } }
}

@Suite struct CMMotionManagerTests {
    let queue: OperationQueue = {
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1
        return queue
    }()

    private func quaternion(yaw: Double = 0, pitch: Double = 0, roll: Double = 0) -> CMQuaternion {
        CMAttitude(roll: roll, pitch: pitch, yaw: yaw).quaternion
    }

    @Test func `without a source nothing is available, and starting waits`() {
        let manager = CMMotionManager()
        manager.motionSource = .supplied
        manager.startDeviceMotionUpdates()
        manager.startAccelerometerUpdates()
        #expect(
            !manager.isDeviceMotionAvailable && !manager.isAccelerometerAvailable && !manager.isGyroAvailable
                && !manager.isMagnetometerAvailable)
        #expect(
            manager.isDeviceMotionActive && manager.isAccelerometerActive && !manager.isGyroActive
                && !manager.isMagnetometerActive)
        #expect(
            manager.deviceMotion == nil && manager.accelerometerData == nil && manager.gyroData == nil
                && manager.magnetometerData == nil)
    }

    @Test func `polling gives attitude, gravity with the supplied acceleration, rotation rate and field`() throws {
        let manager = CMMotionManager()
        manager.motionSource = .supplied
        manager.startDeviceMotionUpdates()
        manager.startAccelerometerUpdates()
        manager.startGyroUpdates()
        manager.startMagnetometerUpdates()
        manager.supplyMotion(orientation: quaternion(pitch: .pi / 2), timestamp: 1)
        #expect(manager.isDeviceMotionAvailable && manager.magnetometerData == nil)
        manager.supplyMotion(
            orientation: quaternion(yaw: 0.1, pitch: .pi / 2), userAcceleration: CMAcceleration(x: 0.5, y: 0, z: 0.25),
            magneticField: CMMagneticField(x: 20, y: 0, z: -40), timestamp: 1.1)
        let motion = try #require(manager.deviceMotion),
            acceleration = try #require(manager.accelerometerData).acceleration
        // Upright on its lower edge: gravity pulls along −Y of the device.
        #expect(abs(motion.gravity.y + 1) < 1e-9 && motion.timestamp == 1.1)
        #expect(abs(acceleration.x - 0.5) < 1e-9 && abs(acceleration.y + 1) < 1e-9 && abs(acceleration.z - 0.25) < 1e-9)
        // A turn of 1 rad/s about the vertical is one about the device's Y.
        #expect(abs(try #require(manager.gyroData).rotationRate.y - 1) < 1e-9)
        #expect(try #require(manager.magnetometerData).magneticField.z == -40 && manager.isMagnetometerAvailable)
        manager.stopDeviceMotionUpdates()
        #expect(manager.deviceMotion == nil && manager.accelerometerData != nil)
        manager.stopAccelerometerUpdates()
        manager.stopGyroUpdates()
        manager.stopMagnetometerUpdates()
        #expect(manager.accelerometerData == nil && manager.gyroData == nil && manager.magnetometerData == nil)
    }

    @Test func `every kind of update reaches its handler on the client's queue at its own interval`() {
        let manager = CMMotionManager()
        manager.motionSource = .supplied
        let (motions, accelerations) = (Received<CMDeviceMotion>(), Received<CMAccelerometerData>())
        manager.accelerometerUpdateInterval = 0.25
        manager.startDeviceMotionUpdates(to: queue) { motions.note($0, $1) }
        manager.startAccelerometerUpdates(to: queue) { accelerations.note($0, $1) }
        for step in 0..<17 {
            manager.supplyMotion(orientation: quaternion(yaw: Double(step) / 10), timestamp: Double(step) / 16)
        }
        let isThere = waitUntil { motions.all.count == 17 && accelerations.all.count == 5 }
        #expect(isThere)
        #expect(motions.all.map(\.timestamp) == (0..<17).map { Double($0) / 16 })
        #expect(accelerations.all.map(\.timestamp) == [0, 0.25, 0.5, 0.75, 1])
    }

    @Test func `after a stop a handler is not called, and the other updates go on`() {
        let manager = CMMotionManager()
        manager.motionSource = .supplied
        let (motions, turns) = (Received<CMDeviceMotion>(), Received<CMGyroData>())
        manager.startDeviceMotionUpdates(to: queue) { motions.note($0, $1) }
        manager.startGyroUpdates(to: queue) { turns.note($0, $1) }
        queue.isSuspended = true
        manager.supplyMotion(orientation: quaternion(), timestamp: 1)
        manager.stopDeviceMotionUpdates()
        queue.isSuspended = false
        manager.supplyMotion(orientation: quaternion(), timestamp: 2)
        let isThere = waitUntil { turns.all.count == 2 }
        #expect(isThere && motions.all.isEmpty)
    }

    @Test func `frames that know no north can be had, the others are an error of CoreMotion's domain`() {
        let manager = CMMotionManager()
        let refused = Received<CMDeviceMotion>()
        #expect(
            CMMotionManager.availableAttitudeReferenceFrames() == [.xArbitraryZVertical, .xArbitraryCorrectedZVertical])
        manager.startDeviceMotionUpdates(using: .xTrueNorthZVertical, to: queue) { refused.note($0, $1) }
        manager.startDeviceMotionUpdates(using: [.xArbitraryZVertical, .xArbitraryCorrectedZVertical], to: queue) {
            refused.note($0, $1)
        }
        queue.waitUntilAllOperationsAreFinished()
        let errors = refused.faults.compactMap { $0 as? NSError }
        #expect(errors.map(\.domain) == [CMErrorDomain, CMErrorDomain])
        #expect(errors.map(\.code) == [102, 109] && !manager.isDeviceMotionActive)
        manager.startDeviceMotionUpdates(using: .xArbitraryCorrectedZVertical)
        #expect(manager.attitudeReferenceFrame == .xArbitraryCorrectedZVertical && manager.isDeviceMotionActive)
    }

    @Test func `a tracker on the network moves the device, and its port is free after the last stop`() throws {
        let port = try DatagramSocket.quietPort(), sender = try DatagramSocket(), received = Received<CMDeviceMotion>(),
            manager = CMMotionManager()
        manager.motionSource = .osc(port: port)
        #expect(manager.isDeviceMotionAvailable && manager.isGyroAvailable)
        manager.startGyroUpdates()
        manager.startDeviceMotionUpdates(to: queue) { received.note($0, $1) }
        try sender.send(HeadPackets.osc("/ypr", [30, -10, 20]), to: port)
        let moved = waitUntil { !received.all.isEmpty }
        #expect(moved)
        #expect(abs(try #require(received.all.first).attitude.yaw - .pi / 6) < 1e-6)
        manager.stopDeviceMotionUpdates()
        #expect(throws: DatagramSocket.Failure.self) { try DatagramSocket(port: port) }
        manager.stopGyroUpdates()
        let isFree = waitUntil { (try? DatagramSocket(port: port)) != nil }
        #expect(isFree)
    }
}
