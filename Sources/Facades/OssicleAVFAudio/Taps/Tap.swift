import Dispatch
import OssicleCoreAudioTypes
import OssiclePlayback
import OssicleRender

/// Who is listened in on: a node, or an engine that renders.
package protocol TapHost: AnyObject {
    /// What flows over that bus by now. Under the lock of whoever asks for the tap's renderer.
    func tappedFormat(_ bus: AVAudioNodeBus) -> AVAudioFormat
    /// Host time of a frame that was tapped. Any thread; takes no lock.
    func hostTime(ofTapped frame: Int64, rate: Double) -> UInt64
    /// Has a client's block called on `queue`, behind what is due there, and counts it until it has returned.
    func callTapBlock(on queue: DispatchQueue, _ block: @escaping @Sendable () -> Void)
}

/// One tap: collects what flows by into buffers of one size, and hands them to a client's block on a queue of its own.
///
/// The render side writes to a ring that `attend` empties between render calls. A block that takes its time delays
/// nobody but itself: at a device, what is more than a minute behind is dropped and counted; offline nothing is.
package final class Tap: RenderAttendant, @unchecked Sendable {
    let bus: AVAudioNodeBus
    private weak var host: (any TapHost)?
    private let bufferSize: Int
    /// The form the client wants its buffers in, or nil for the bus's.
    private let wanted: AVAudioFormat?
    private let deliver: (AVAudioPCMBuffer, AVAudioTime) -> Void
    private let queue = DispatchQueue(label: "ossicle.tap", qos: .userInitiated)
    private let lock = NSLock()

    // Under the lock.
    private var box: RendererBox<TapRenderer>?
    private var source: TapSource?
    private var format = AVAudioFormat.initial
    private var filling: AVAudioPCMBuffer?
    /// Time of the buffer's first frame, and of the frame that would follow.
    private var begin: Int64 = 0
    private var next: Int64 = 0
    private let backlog = Backlog()

    /// - Parameters:
    ///   - bufferSize: frames of each buffer; held within `bufferSizes`.
    ///   - format: rate and channels are the bus's; only the form of the samples may differ.
    package init(
        _ host: any TapHost, bus: AVAudioNodeBus = 0, bufferSize: Int, format: AVAudioFormat?,
        deliver: @escaping (AVAudioPCMBuffer, AVAudioTime) -> Void
    ) {
        (self.host, self.bus, wanted, self.deliver) = (host, bus, format, deliver)
        self.bufferSize = min(max(bufferSize, Self.bufferSizes.lowerBound), Self.bufferSizes.upperBound)
    }

    /// Frames a buffer may have.
    private static var bufferSizes: ClosedRange<Int> { 64...1 << 20 }

    /// Frames that were lost because nobody fetched them in time.
    package var droppedFrames: Int { lock.withLock { (source?.dropped ?? 0) + backlog.dropped } }

    /// The renderer for the bus as it is now. Under the engine's lock.
    /// - Parameter fastest: frames of the bus per frame of the engine, at most.
    package func renderer(channels: Int, fastest: Double = 1) -> RendererBox<TapRenderer> {
        let bus = host?.tappedFormat(bus) ?? .initial
        return lock.withLock {
            if let box, format.channelCount == bus.channelCount, format.sampleRate == bus.sampleRate { return box }
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

    /// Hands over what there is, though it fills no buffer.
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
                filling = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: AVAudioFrameCount(bufferSize))
                begin = position + Int64(done)
            }
            guard let buffer = filling, let data = buffer.floatChannelData else { return }
            let run = min(frames - done, bufferSize - Int(buffer.frameLength))
            for channel in 0..<min(channels.count, Int(format.channelCount)) {
                (data[channel] + Int(buffer.frameLength)).update(from: channels[channel] + done, count: run)
            }
            buffer.frameLength += AVAudioFrameCount(run)
            done += run
            if Int(buffer.frameLength) == bufferSize { hand(over: buffer, mode) }
        }
        next = position + Int64(frames)
    }

    /// What is left of a stretch that has come to its end.
    private func finish() {
        if let buffer = filling, buffer.frameLength > 0 { hand(over: buffer, .offline) }
        filling = nil
    }

    private func hand(over buffer: AVAudioPCMBuffer, _ mode: RenderMode) {
        filling = nil
        let frames = Int(buffer.frameLength)
        guard backlog.admit(frames, limit: mode == .device ? Int(60 * format.sampleRate) : .max) else { return }
        let delivery = Delivery(
            buffer: wanted.flatMap { buffer.converted(to: $0) } ?? buffer,
            time: AVAudioTime(
                hostTime: host?.hostTime(ofTapped: begin, rate: format.sampleRate) ?? 0, sampleTime: begin,
                atRate: format.sampleRate),
            block: deliver)
        let call: @Sendable () -> Void = { [backlog] in
            delivery.block(delivery.buffer, delivery.time)
            backlog.leave(frames)
        }
        if let host { host.callTapBlock(on: queue, call) } else { queue.async(execute: call) }
    }

    /// A buffer on its way to a block that was never promised to be sendable: the queue calls it one at a time.
    private struct Delivery: @unchecked Sendable {
        let buffer: AVAudioPCMBuffer
        let time: AVAudioTime
        let block: (AVAudioPCMBuffer, AVAudioTime) -> Void
    }
}
