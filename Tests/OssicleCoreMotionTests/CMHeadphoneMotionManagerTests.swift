import Foundation
@testable import OssicleCoreMotion
import Testing

private final class Listener: NSObject, CMHeadphoneMotionManagerDelegate {
    var heard: [String] = []
    func headphoneMotionManagerDidConnect(_ manager: CMHeadphoneMotionManager) { heard.append("connect") }
    func headphoneMotionManagerDidDisconnect(_ manager: CMHeadphoneMotionManager) { heard.append("disconnect") }
}

private final class Deaf: NSObject, CMHeadphoneMotionManagerDelegate {}

private func sample(at time: TimeInterval) -> CMDeviceMotion {
    CMDeviceMotion(timestamp: time, attitude: CMAttitude(roll: 0, pitch: 0, yaw: time), sensorLocation: .headphoneLeft)
}

@Suite("Headphone motion")
struct CMHeadphoneMotionManagerTests {
    let queue: OperationQueue = {
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1
        return queue
    }()

    @Test("Without a source there are no headphones, and starting waits")
    func noSource() {
        let manager = CMHeadphoneMotionManager()
        manager.startDeviceMotionUpdates()
        #expect(!manager.isDeviceMotionAvailable)
        #expect(manager.isDeviceMotionActive)
        #expect(manager.deviceMotion == nil)
        #expect(CMHeadphoneMotionManager.authorizationStatus() == .authorized)
    }

    @Test("Every sample reaches the handler in order, on the client's queue")
    func handler() {
        let manager = CMHeadphoneMotionManager()
        nonisolated(unsafe) var times: [TimeInterval] = []
        nonisolated(unsafe) var queues: Set<OperationQueue?> = []
        manager.startDeviceMotionUpdates(to: queue) { motion, error in
            times.append(motion?.timestamp ?? -1)
            queues.insert(error == nil ? OperationQueue.current : nil)
        }
        for time in 1...5 { manager.deliver(sample(at: Double(time))) }
        queue.waitUntilAllOperationsAreFinished()
        #expect(times == [1, 2, 3, 4, 5])
        #expect(queues == [queue])
        #expect(manager.deviceMotion?.timestamp == 5)
        #expect(manager.deviceMotion?.sensorLocation == .headphoneLeft)
        #expect(manager.isDeviceMotionAvailable)
    }

    @Test("After a stop nothing arrives, not even what was on its way")
    func stopping() {
        let manager = CMHeadphoneMotionManager()
        nonisolated(unsafe) var count = 0
        manager.startDeviceMotionUpdates(to: queue) { _, _ in count += 1 }
        queue.isSuspended = true
        manager.deliver(sample(at: 1))
        manager.stopDeviceMotionUpdates()
        queue.isSuspended = false
        manager.deliver(sample(at: 2))
        queue.waitUntilAllOperationsAreFinished()
        #expect(count == 0)
        #expect(manager.deviceMotion == nil)
        #expect(!manager.isDeviceMotionActive)
    }

    @Test("The delegate hears each change of connection once, while it asks to")
    func connection() {
        let manager = CMHeadphoneMotionManager(), listener = Listener()
        manager.delegate = listener
        manager.connect()
        manager.disconnect()
        #expect(listener.heard.isEmpty)
        manager.startConnectionStatusUpdates()
        #expect(manager.isConnectionStatusActive)
        manager.deliver(sample(at: 1))
        manager.connect()
        manager.disconnect()
        manager.disconnect()
        #expect(listener.heard == ["connect", "disconnect"])
        manager.stopConnectionStatusUpdates()
        manager.connect()
        #expect(listener.heard.count == 2)
    }

    @Test("A delegate may leave both methods out, and is not kept alive")
    func weakDelegate() {
        let manager = CMHeadphoneMotionManager()
        do {
            let deaf = Deaf()
            manager.delegate = deaf
            manager.startDeviceMotionUpdates()
            manager.connect()
            #expect(manager.delegate === deaf)
        }
        #expect(manager.delegate == nil)
    }
}
