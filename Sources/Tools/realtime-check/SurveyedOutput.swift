import COssicle
import Foundation
import OssicleDevices
import Synchronization

/// An output whose callbacks are counted and measured on their way to another.
final class SurveyedOutput: OutputDevice {
    private let device: any OutputDevice
    private let callbacks = Atomic(0)
    private let late = Atomic(0)
    /// Nanoseconds of the longest callback.
    private let longest = Atomic<UInt64>(0)
    // Of the device's thread, until it has stopped.
    private let records = LateRecords()
    private let queue = RunQueue()

    init(_ device: any OutputDevice) { self.device = device }

    var name: String { device.name }
    var sampleRate: Double { device.sampleRate }
    var channelCount: Int { device.channelCount }
    var quantum: Int { device.quantum }
    var latency: Double { device.latency }
    var dropoutCount: Int { device.dropoutCount }
    var scheduling: DeviceScheduling { device.scheduling }
    var isSilent: Bool { device.isSilent }

    var callbackCount: Int { callbacks.load(ordering: .relaxed) }
    /// Callbacks but the first that took longer than what they rendered lasts, or ended after the device was due to
    /// take it.
    var lateCount: Int { late.load(ordering: .relaxed) }
    /// Seconds.
    var longestCallback: Double { Double(longest.load(ordering: .relaxed)) * 1e-9 }
    /// What is known of the first late ones, and of the first of all, which does not count. Once it has stopped.
    var lateCallbacks: [LateCallback] { records.all }

    func start(render: @escaping RenderCallback, events: @escaping @Sendable (DeviceEvent) -> Void) throws {
        try device.start(
            render: { [self] block in
                // The survey asks the system; the sanitizer is to watch what it surveys.
                ossicle_rtsan_pause()
                let queued = queue.secondsSinceLast(), before = ThreadUse.now, begin = HostClock.now
                ossicle_rtsan_resume()
                render(block)
                ossicle_rtsan_pause()
                note(
                    from: begin, to: HostClock.now, due: block.hostTime, frames: block.frameCount, before,
                    queued: queued)
                ossicle_rtsan_resume()
            }, events: events)
    }

    @discardableResult func stop() -> Bool { device.stop() }

    private func note(from begin: UInt64, to end: UInt64, due: UInt64, frames: Int, _ before: ThreadUse, queued: Double)
    {
        let number = callbacks.wrappingAdd(1, ordering: .relaxed).oldValue
        let duration = end - begin
        if Double(duration) * 1e-9 > Double(frames) / sampleRate || end > due {
            // Before the server has been asked once, a block is presumed to be due when it is rendered.
            if number > 0 { late.wrappingAdd(1, ordering: .relaxed) }
            records.add(
                LateCallback(
                    number: number, milliseconds: Double(duration) * 1e-6,
                    aheadAtBegin: Double(Int64(bitPattern: due &- begin)) * 1e-6, queued: queued * 1e3,
                    use: ThreadUse.now - before))
        }
        if duration > longest.load(ordering: .relaxed) { longest.store(duration, ordering: .relaxed) }
    }
}

/// A callback that came too late, and what its thread did meanwhile.
struct LateCallback: BitwiseCopyable, CustomStringConvertible {
    /// Counted from the first.
    let number: Int
    let milliseconds: Double
    /// Milliseconds from its begin to when the device takes its first frame.
    let aheadAtBegin: Double
    /// Milliseconds that its thread was ready to run, and had no processor, since the callback before.
    let queued: Double
    let use: ThreadUse

    var description: String {
        func rounded(_ value: Double) -> Double { (value * 100).rounded() / 100 }
        return
            "no. \(number): begun \(rounded(aheadAtBegin)) ms ahead, had waited \(rounded(queued)) ms for a processor, took \(rounded(milliseconds)) ms, of them "
            + "\(rounded(use.processor * 1e3)) ms on a processor; \(use.pageFaults) page faults (\(use.readFaults) read from disk), "
            + "lost the processor \(use.preemptions) times, waited \(use.waits) times"
    }
}

/// What the calling thread has used up so far.
struct ThreadUse: BitwiseCopyable {
    /// Seconds.
    let processor: Double
    let pageFaults, readFaults, preemptions, waits: Int

    static var now: ThreadUse {
        var use = rusage(), time = timespec()
        // Linux' number for a thread, which Glibc hides from Swift.
        getrusage(1, &use)
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return ThreadUse(
            processor: Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9, pageFaults: use.ru_minflt + use.ru_majflt,
            readFaults: use.ru_majflt, preemptions: use.ru_nivcsw, waits: use.ru_nvcsw)
    }

    static func - (a: ThreadUse, b: ThreadUse) -> ThreadUse {
        ThreadUse(
            processor: a.processor - b.processor, pageFaults: a.pageFaults - b.pageFaults,
            readFaults: a.readFaults - b.readFaults, preemptions: a.preemptions - b.preemptions,
            waits: a.waits - b.waits)
    }
}

/// How long a thread was ready to run and had no processor, as Linux counts it.
private final class RunQueue: @unchecked Sendable {
    private var file: Int32 = -1
    private var last = 0.0

    deinit { close(file) }

    /// On that thread, which is the one of the first call.
    func secondsSinceLast() -> Double {
        if file < 0 { file = open("/proc/thread-self/schedstat", O_RDONLY) }
        let now = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 96) { text in
            // Nanoseconds on a processor, nanoseconds in its queue, turns.
            let count = pread(file, text.baseAddress, text.count, 0)
            var (field, value) = (0, 0.0)
            for index in 0..<max(count, 0) where field < 2 {
                if text[index] == 0x20 {
                    field += 1
                } else if field == 1 {
                    value = 10 * value + Double(text[index]) - 48
                }
            }
            return value * 1e-9
        }
        defer { last = now }
        return now - last
    }
}

/// Memory for the first so many, made before the device starts.
private final class LateRecords: @unchecked Sendable {
    private static let capacity = 20
    private let memory = UnsafeMutablePointer<LateCallback>.allocate(capacity: capacity)
    private var count = 0

    deinit { memory.deallocate() }

    func add(_ record: LateCallback) {
        guard count < Self.capacity else { return }
        (memory + count).initialize(to: record)
        count += 1
    }

    var all: [LateCallback] { (0..<count).map { memory[$0] } }
}
