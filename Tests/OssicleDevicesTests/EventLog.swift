import Foundation
import OssicleTestSupport
import Synchronization
@testable import OssicleDevices

/// Writes down the events of a device, and lets a test wait for one.
final class EventLog: Sendable {
    private let entries = Mutex<[DeviceEvent]>([])

    func hear(_ event: DeviceEvent) { entries.withLock { $0.append(event) } }
    var events: [DeviceEvent] { entries.withLock { $0 } }

    /// Whether such an event came, in twenty seconds at most.
    func hears(_ isWanted: (DeviceEvent) -> Bool) -> Bool { eventually { events.contains(where: isWanted) } }
    func hears(_ event: DeviceEvent) -> Bool { hears { $0 == event } }
}

/// Gathers host times on a device's thread.
final class TimeLog: Sendable {
    private let entries = Mutex<[UInt64]>([])

    func append(_ time: UInt64) { entries.withLock { $0.append(time) } }
    var times: [UInt64] { entries.withLock { $0 } }
    /// The same in seconds.
    var seconds: [Double] { times.map { Double($0) * 1e-9 } }
}

/// Two channels as they came, for a test to look at.
final class Tape: Sendable {
    private let frames = Mutex<[SIMD2<Float>]>([])
    private let times = Mutex<[(time: UInt64, frames: Int)]>([])

    func take(_ block: borrowing InputBlock) {
        let (time, count) = (block.hostTime, block.frameCount)
        take(block[0], block[1])
        times.withLock { $0.append((time, count)) }
    }

    func take(_ left: UnsafeBufferPointer<Float>, _ right: UnsafeBufferPointer<Float>) {
        frames.withLock { frames in
            for frame in 0..<left.count { frames.append([left[frame], right[frame]]) }
        }
    }

    /// What follows the silence before.
    var sound: [SIMD2<Float>] { frames.withLock { Array($0.drop { $0 == [0, 0] }) } }
    var blocks: [(time: UInt64, frames: Int)] { times.withLock { $0 } }
}

/// Whether something becomes so, in twenty seconds at most.
func eventually(_ isSo: () -> Bool) -> Bool { SoundServer.eventually(isSo) }

/// Runs `body` on a thread that no file of this user's is open to, whatever rights the process has; the error it
/// throws.
func errorAsStranger(_ body: @escaping @Sendable () throws(DeviceError) -> Void) -> DeviceError? {
    do throws(DeviceError) {
        try ServerReply.wait(label: "stranger", within: 10, device: "stranger") { () throws(DeviceError) in
            // Not in Glibc's module. Of the calling thread alone.
            let setUser = dlsym(nil, "setfsuid").map { unsafeBitCast($0, to: (@convention(c) (uid_t) -> Int32).self) }
            _ = setUser?(65_534)
            try body()
        }
        return nil
    } catch {
        return error
    }
}
