import Foundation
@testable import OssicleCoreMotion
import OssicleTestSupport
import Testing

/// What a delegate and a handler heard, from any thread.
private final class Hearing: NSObject, CMHeadphoneMotionManagerDelegate, @unchecked Sendable {
    private let lock = NSLock()
    private var told: [String] = []
    private var samples: [CMDeviceMotion] = []
    private var faults: [any Error] = []

    func headphoneMotionManagerDidConnect(_ manager: CMHeadphoneMotionManager) {
        lock.withLock { told.append("connect") }
    }
    func headphoneMotionManagerDidDisconnect(_ manager: CMHeadphoneMotionManager) {
        lock.withLock { told.append("disconnect") }
    }

    func hear(_ motion: CMDeviceMotion?, _ error: (any Error)?) {
        lock.withLock {
            if let motion { samples.append(motion) }
            if let error { faults.append(error) }
        }
    }

    var connections: [String] { lock.withLock { told } }
    var motions: [CMDeviceMotion] { lock.withLock { samples } }
    var errors: [any Error] { lock.withLock { faults } }
}

@Suite struct MotionSourceTests {
    let queue: OperationQueue = {
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1
        return queue
    }()

    /// In the device's axes: about Z (left), X (up), Y (right ear down).
    private func quaternion(yaw: Double = 0, pitch: Double = 0, roll: Double = 0) -> CMQuaternion {
        CMAttitude(roll: roll, pitch: pitch, yaw: yaw).quaternion
    }

    @Test func `samples from the program have attitude, gravity and the rate between them`() throws {
        let manager = CMHeadphoneMotionManager()
        manager.motionSource = .supplied
        manager.startDeviceMotionUpdates()
        manager.supplyMotion(orientation: quaternion(yaw: 0.3), timestamp: 10)
        let first = try #require(manager.deviceMotion)
        #expect(abs(first.attitude.yaw - 0.3) < 1e-12)
        #expect(abs(first.gravity.z + 1) < 1e-12)
        #expect(first.rotationRate.z == 0)
        manager.supplyMotion(orientation: quaternion(yaw: 0.34), timestamp: 10.02)
        let second = try #require(manager.deviceMotion)
        #expect(abs(second.rotationRate.z - 2) < 1e-9)
        #expect(second.timestamp == 10.02)
        #expect(manager.isDeviceMotionAvailable)
    }

    @Test(arguments: [CMQuaternion(), CMQuaternion(x: .nan, y: 0, z: 0, w: 1)])
    func `what is no rotation is passed over`(q: CMQuaternion) {
        let manager = CMHeadphoneMotionManager()
        manager.startDeviceMotionUpdates()
        manager.supplyMotion(orientation: q, timestamp: 1)
        manager.supplyMotion(orientation: quaternion(), timestamp: .infinity)
        #expect(manager.deviceMotion == nil)
    }

    @Test func `a tracker on the network becomes headphones that connect, move and are lost`() throws {
        let port = try DatagramSocket.quietPort(), sender = try DatagramSocket(), hearing = Hearing(),
            manager = CMHeadphoneMotionManager()
        manager.delegate = hearing
        manager.motionSource = .osc(port: port)
        #expect(manager.isDeviceMotionAvailable)
        #expect(throws: Never.self) { _ = try DatagramSocket(port: port) }
        manager.startDeviceMotionUpdates(to: queue) { hearing.hear($0, $1) }
        // SPARTA's signs: 30° to the left, 10° up, right ear 20° down.
        try sender.send(HeadPackets.osc("/ypr", [30, -10, 20]), to: port)
        let moved = waitUntil { !hearing.motions.isEmpty }
        #expect(moved)
        let attitude = try #require(hearing.motions.first).attitude
        #expect(abs(attitude.yaw - .pi / 6) < 1e-6)
        #expect(abs(attitude.pitch - .pi / 18) < 1e-6)
        #expect(abs(attitude.roll - .pi / 9) < 1e-6)
        #expect(hearing.connections.first == "connect")
        let lost = waitUntil { hearing.connections.count == 2 }
        #expect(lost)
        #expect(hearing.connections == ["connect", "disconnect"])
        #expect(hearing.motions.count == 1)
        manager.stopDeviceMotionUpdates()
        let isFree = waitUntil { (try? DatagramSocket(port: port)) != nil }
        #expect(isFree)
    }

    @Test func `a port in use reaches the handler as an error that names it`() throws {
        let holder = try DatagramSocket(), hearing = Hearing(), manager = CMHeadphoneMotionManager()
        manager.motionSource = .opentrack(port: holder.port)
        manager.startDeviceMotionUpdates(to: queue) { hearing.hear($0, $1) }
        queue.waitUntilAllOperationsAreFinished()
        #expect(hearing.errors.first is CMMotionSourceError)
        let bridged = hearing.errors.first as? NSError
        #expect(
            bridged?.domain == "CMMotionSourceErrorDomain"
                && bridged?.localizedDescription.contains("\(holder.port)") == true)
        #expect((bridged as (any Error)?) as? CMMotionSourceError == manager.motionSourceError)
        #expect(manager.motionSourceError?.value.contains("\(holder.port)") == true)
        manager.motionSource = .supplied
        #expect(manager.motionSourceError == nil)
        manager.supplyMotion(orientation: quaternion(yaw: 1), timestamp: 1)
        #expect(manager.deviceMotion != nil)
    }

    @Test func `a recording is played to its last pose, and then the headphones are taken off`() throws {
        let folder = try TemporaryFolder(), url = URL(fileURLWithPath: folder.path("nod.csv")), hearing = Hearing(),
            manager = CMHeadphoneMotionManager()
        try Data("time,x,y,z,qx,qy,qz,qw\n3,0,0,0,0,0,0,1\n3.06,0,0,0,0.6,0,0,0.8\n".utf8).write(to: url)
        manager.delegate = hearing
        manager.motionSource = .recording(url)
        manager.startDeviceMotionUpdates(to: queue) { hearing.hear($0, $1) }
        let ended = waitUntil { hearing.connections == ["connect", "disconnect"] }
        #expect(ended)
        queue.waitUntilAllOperationsAreFinished()
        let motions = hearing.motions
        #expect(abs(try #require(motions.first).attitude.pitch) < 2 * atan2(0.6, 0.8))
        #expect(
            zip(motions, motions.dropFirst()).allSatisfy {
                $0.timestamp < $1.timestamp && $0.attitude.pitch <= $1.attitude.pitch + 1e-12
            })
    }

    /// What clients do with an attitude to turn a PHASE listener.
    @Test func `in the listener's frame the columns of the matrix turn a listener`() throws {
        let manager = CMHeadphoneMotionManager()
        manager.motionFrame = .listener
        manager.startDeviceMotionUpdates()
        manager.supplyMotion(orientation: quaternion(yaw: .pi / 2), timestamp: 1)
        let m = try #require(manager.deviceMotion).attitude.rotationMatrix
        let back = [m.m13, m.m23, m.m33], up = [m.m12, m.m22, m.m32]
        // To the left: the back of the head, +Z, goes to the right, +X.
        #expect(zip(back, [1, 0, 0]).allSatisfy { abs($0 - $1) < 1e-12 })
        #expect(zip(up, [0, 1, 0]).allSatisfy { abs($0 - $1) < 1e-12 })
        manager.supplyMotion(orientation: quaternion(pitch: .pi / 2), timestamp: 2)
        let nod = try #require(manager.deviceMotion).attitude.rotationMatrix
        // Up: the back of the head goes down.
        #expect(zip([nod.m13, nod.m23, nod.m33], [0, -1, 0]).allSatisfy { abs($0 - $1) < 1e-12 })
    }

    @Test func `a manager can be let go while it listens`() throws {
        let port = try DatagramSocket.quietPort()
        do {
            let manager = CMHeadphoneMotionManager()
            manager.motionSource = .osc(port: port)
            manager.startConnectionStatusUpdates()
            #expect(throws: DatagramSocket.Failure.self) { try DatagramSocket(port: port) }
        }
        let isFree = waitUntil { (try? DatagramSocket(port: port)) != nil }
        #expect(isFree)
    }
}
