import Dispatch
import Foundation
import OssicleRender
import Synchronization

/// A client's buffer that a tap fills.
package protocol TapBuffer: AnyObject {
    /// A plane per channel.
    var planes: UnsafePointer<UnsafeMutablePointer<Float>>? { get }
    func setLength(_ frames: Int)
}

/// The form of a bus at a tap, which makes the client's buffers.
package protocol TapFormat {
    var channels: Int { get }
    /// Hz.
    var sampleRate: Double { get }
    func makeTapBuffer(capacity: Int) -> (any TapBuffer)?
}

/// What a tap listens to: a node, or an engine that renders.
package protocol TapHost: AnyObject {
    /// The form of a bus as it is now. Under the lock under which the tap's renderer is requested.
    func tappedFormat(_ bus: Int) -> any TapFormat
    /// Host time of a frame that was tapped. Any thread; takes no lock.
    func hostTime(ofTapped frame: Int64, rate: Double) -> UInt64
    /// Has a client's block called on `queue`, behind what is due there, and counts it until it has returned.
    func callTapBlock(on queue: DispatchQueue, _ block: @escaping @Sendable () -> Void)
}

/// The time of a buffer's first frame.
package struct TapTime {
    /// In frames of the bus.
    package let frame: Int64
    /// Nanoseconds: when the device takes it or, at an input, when it was captured.
    package let hostTime: UInt64
    /// Hz.
    package let sampleRate: Double
}

/// One tap: collects what flows by into buffers of one size, and gives them to a client's block on a queue of its own.
///
/// The render side writes to a ring that `attend` empties between render calls. A slow block delays
/// only itself: at a device, what is more than a minute behind is dropped and counted; offline nothing is.
package final class Tap: RenderAttendant, @unchecked Sendable {
    package typealias Block = (any TapBuffer, TapTime) -> Void

    package let bus: Int
    private weak var host: (any TapHost)?
    private let bufferSize: Int
    private let deliver: Block
    private let queue = DispatchQueue(label: "ossicle.tap", qos: .userInitiated)
    private let lock = NSLock()

    // Under the lock.
    private var box: RendererBox<TapRenderer>?
    private var source: TapSource?
    private var format: (any TapFormat)?
    private var filling: (any TapBuffer)?
    /// Frames in it.
    private var filled = 0
    /// Time of the buffer's first frame, by the clock as it was then.
    private var begin = TapTime(frame: 0, hostTime: 0, sampleRate: 0)
    /// The frame that would follow.
    private var next: Int64 = 0
    private let backlog = Backlog()

    /// - Parameters:
    ///   - bufferSize: frames of each buffer; held within `bufferSizes`.
    ///   - deliver: calls the client's block, one buffer at a time, on the tap's queue.
    package init(_ host: any TapHost, bus: Int = 0, bufferSize: Int, deliver: @escaping Block) {
        self.host = host
        self.bus = bus
        self.deliver = deliver
        self.bufferSize = Self.size(bufferSize)
    }

    /// The frames that buffers have where so many are wished.
    package static func size(_ wish: Int) -> Int {
        min(max(wish, bufferSizes.lowerBound), bufferSizes.upperBound)
    }

    /// Frames a buffer may have.
    private static var bufferSizes: ClosedRange<Int> { 64...1 << 20 }

    /// Frames that were lost because they were not fetched in time.
    package var droppedFrames: Int { lock.withLock { (source?.dropped ?? 0) + backlog.dropped } }

    /// The renderer for the bus as it is now. Under the engine's lock.
    /// - Parameter fastest: frames of the bus per frame of the engine, at most.
    package func renderer(channels: Int, fastest: Double = 1) -> RendererBox<TapRenderer> {
        let bus = host?.tappedFormat(bus)
        return lock.withLock {
            if let box, format?.channels == bus?.channels, format?.sampleRate == bus?.sampleRate { return box }
            // What the other form had collected.
            empty(.offline)
            finish()
            format = bus
            let source = TapSource(
                channelCount: channels, capacity: Int(min(Double(Self.longestCall) * max(fastest, 1), 4_194_304)))
            let made = RendererBox(TapRenderer(source))
            (self.source, box) = (source, made)
            return made
        }
    }

    /// Frames of the engine between two calls of `attend`, with room to spare.
    private static var longestCall: Int { 32768 }

    package func attend(framesAhead: Int, mode: RenderMode) {
        lock.withLock { empty(mode) }
    }

    /// Transfers what there is, though it fills no buffer.
    package func flush() {
        lock.withLock {
            empty(.offline)
            finish()
        }
    }

    /// Waits until the client's block has returned from everything handed over so far.
    package func drain() { queue.sync {} }

    private func empty(_ mode: RenderMode) {
        guard let source else { return }
        while source.read({ position, frames, copy in
            if position != next { finish() }
            let scratch = (0..<source.channelCount).map { _ in UnsafeMutablePointer<Float>.allocate(capacity: frames) }
            copy(scratch)
            append(scratch, position, frames, mode)
            scratch.forEach { $0.deallocate() }
        }) {}
    }

    private func append(_ channels: [UnsafeMutablePointer<Float>], _ position: Int64, _ frames: Int, _ mode: RenderMode)
    {
        var done = 0
        while done < frames {
            if filling == nil {
                filling = format?.makeTapBuffer(capacity: bufferSize)
                filled = 0
                begin = time(of: position + Int64(done))
            }
            guard let format, let planes = filling?.planes else { return }
            let run = min(frames - done, bufferSize - filled)
            for channel in 0..<min(channels.count, format.channels) {
                (planes[channel] + filled).update(from: channels[channel] + done, count: run)
            }
            filled += run
            done += run
            if filled == bufferSize { transferBuffer(mode) }
        }
        next = position + Int64(frames)
    }

    private func time(of frame: Int64) -> TapTime {
        let rate = format?.sampleRate ?? 0
        return TapTime(frame: frame, hostTime: host?.hostTime(ofTapped: frame, rate: rate) ?? 0, sampleRate: rate)
    }

    /// Transfers what is left of a stretch that has come to its end.
    private func finish() {
        if filled > 0 { transferBuffer(.offline) }
        filling = nil
    }

    /// Gives the buffer that is being filled to the client's queue.
    private func transferBuffer(_ mode: RenderMode) {
        guard let buffer = filling, let rate = format?.sampleRate else { return }
        let frames = filled
        (filling, filled) = (nil, 0)
        guard backlog.admit(frames, limit: mode == .device ? Int(60 * rate) : .max) else { return }
        buffer.setLength(frames)
        let delivery = Delivery(buffer: buffer, time: begin, block: deliver)
        let call: @Sendable () -> Void = { [backlog] in
            delivery.block(delivery.buffer, delivery.time)
            backlog.leave(frames)
        }
        if let host { host.callTapBlock(on: queue, call) } else { queue.async(execute: call) }
    }

    /// A buffer for a block that is not declared to be sendable: the queue calls it one at a time.
    private struct Delivery: @unchecked Sendable {
        let buffer: any TapBuffer
        let time: TapTime
        let block: Block
    }
}

/// The taps of one node.
///
/// A list that was given out is never changed in place, even with a single owner again: ThreadSanitizer does not follow
/// the reference counts of the run-time library itself.
package final class TapList: Sendable {
    private let taps = Mutex<[Tap]>([])

    package init() {}

    package var all: [Tap] { taps.withLock { $0 } }

    package func add(_ tap: Tap) { taps.withLock { $0 = $0 + [tap] } }

    package func remove(_ isGone: (Tap) -> Bool) -> [Tap] {
        taps.withLock { taps in
            let gone = taps.filter(isGone)
            taps = taps.filter { !isGone($0) }
            return gone
        }
    }

    /// Transfers what has not filled a buffer.
    package func flush() {
        for tap in all { tap.flush() }
    }
}

/// How many frames wait for a client, and how many were dropped.
private final class Backlog: Sendable {
    private let waiting = Atomic<Int>(0)
    private let turnedAway = Atomic<Int>(0)

    var dropped: Int { turnedAway.load(ordering: .relaxed) }

    func admit(_ amount: Int, limit: Int) -> Bool {
        if waiting.load(ordering: .relaxed) > limit - amount {
            turnedAway.wrappingAdd(amount, ordering: .relaxed)
            return false
        }
        waiting.wrappingAdd(amount, ordering: .relaxed)
        return true
    }

    func leave(_ amount: Int) { waiting.wrappingSubtract(amount, ordering: .relaxed) }
}
