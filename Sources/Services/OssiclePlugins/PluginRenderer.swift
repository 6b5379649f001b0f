import COssicle
import CPluginHost
import Synchronization

/// Renders the blocks of a plug-in. Render side, except for `init`.
///
/// A block is laid down piece by piece (sound, values, MIDI), rendered at once, and taken: `begin`, `write…`, `set`,
/// `send`, `render`, `read`. With a process the only waiting is for its reply, and no longer than the block lasts;
/// offline as long as the process is there and not found to hang.
package final class PluginRenderer: @unchecked Sendable {
    package let shape: PluginInstance.Shape
    private let memory: SharedMemory
    private let exchange: UnsafeMutablePointer<ossicle_exchange>
    private let head: UnsafeMutablePointer<ossicle_exchange_head>
    private let own: OwnPlugin?
    private let faults: PluginFaults
    private let midiInput: UInt32?
    /// Values of the ports, and behind them of the properties, that were sent last; NaN for none.
    private let sent: UnsafeMutablePointer<Float>
    private let portCount: Int
    private let propertyCount: Int
    /// What each input port gets.
    private let feeds: UnsafeMutableBufferPointer<PortFeed>

    private struct PortFeed {
        let feed: PluginRouting.Feed
        let isSidechain: Bool
        /// Of its bus.
        let channels: Int
    }
    /// Events of a block went astray: notes may hang.
    private var hasLostEvents = false
    private let isStale = Atomic(false)
    private let blocks = Atomic(false)

    init(
        _ plugin: PluginDescription, _ shape: PluginInstance.Shape, _ memory: SharedMemory, own: OwnPlugin?,
        faults: PluginFaults
    ) {
        (self.shape, self.memory, self.own, self.faults) = (shape, memory, own, faults)
        midiInput = plugin.midiInput.map { UInt32($0) }
        (portCount, propertyCount) = (plugin.ports.count, plugin.properties.count)
        let routing = shape.routing
        feeds = .allocate(capacity: routing.inputs)
        _ = feeds.initialize(
            from: (0..<routing.inputs).map { port in
                let isSidechain = routing.sidechains.contains(port)
                return PortFeed(
                    feed: routing.feed(ofInput: port), isSidechain: isSidechain,
                    channels: isSidechain ? routing.sidechainChannels : routing.inputChannels)
            })
        exchange = .allocate(capacity: 1)
        exchange.initialize(to: memory.exchange)
        head = ossicle_exchange_top(exchange)
        sent = .allocate(capacity: max(portCount + propertyCount, 1))
        sent.initialize(repeating: .nan, count: max(portCount + propertyCount, 1))
    }

    deinit {
        sent.deallocate()
        feeds.deallocate()
        exchange.deallocate()
    }

    // MARK: Laying down

    /// False, and silence for this block, while the last one is still under way.
    package func begin(isOffline: Bool) -> Bool {
        guard own != nil || ossicle_exchange_is_idle(exchange) || (isOffline && wait(.max) == OSSICLE_BLOCK_DONE) else {
            hasLostEvents = true
            return false
        }
        // Not before: what was laid down for a late block may not have been read yet.
        head.pointee.bytes_in = 0
        head.pointee.is_offline = isOffline ? 1 : 0
        if isStale.exchange(false, ordering: .relaxed) {
            sent.update(repeating: .nan, count: portCount + propertyCount)
        }
        if hasLostEvents { silenceNotes() }
        hasLostEvents = false
        return true
    }

    /// The channels of the busses into the ports.
    /// - Parameter sidechain: channels of the side chain's bus; `nil` is silence.
    package func write(
        _ planes: UnsafePointer<UnsafeMutablePointer<Float>>,
        sidechain: UnsafePointer<UnsafeMutablePointer<Float>>? = nil, frames: Int
    ) {
        for port in feeds.indices {
            guard let target = ossicle_exchange_input(exchange, UInt32(port)) else { continue }
            let feed = feeds[port]
            guard let source = feed.isSidechain ? sidechain : planes else {
                target.update(repeating: 0, count: frames)
                continue
            }
            fill(target, feed, source, frames)
        }
    }

    private func fill(
        _ target: UnsafeMutablePointer<Float>, _ feed: PortFeed,
        _ planes: UnsafePointer<UnsafeMutablePointer<Float>>, _ frames: Int
    ) {
        switch feed.feed {
        case .channel(let channel): target.update(from: planes[channel], count: frames)
        case .silence: target.update(repeating: 0, count: frames)
        case .mean:
            target.update(from: planes[0], count: frames)
            for channel in 1..<max(feed.channels, 1) {
                for frame in 0..<frames { target[frame] += planes[channel][frame] }
            }
            let share = 1 / Float(max(feed.channels, 1))
            for frame in 0..<frames { target[frame] *= share }
        }
    }

    /// A port's value from a frame of the block on. Equal values are not sent again.
    package func set(_ value: Float, port: Int, frame: Int) {
        guard (0..<portCount).contains(port), sent[port] != value else { return }
        let event = ossicle_event(
            frame: UInt32(frame), kind: UInt16(OSSICLE_EVENT_VALUE), size: 0, port: UInt32(port), value: value)
        if ossicle_exchange_put(exchange, event, nil) { sent[port] = value }
    }

    /// A property's value from a frame of the block on. Equal values are not sent again.
    package func set(_ value: Float, property: Int, frame: Int) {
        guard (0..<propertyCount).contains(property), sent[portCount + property] != value else { return }
        let event = ossicle_event(
            frame: UInt32(frame), kind: UInt16(OSSICLE_EVENT_PROPERTY), size: 0, port: UInt32(property), value: value)
        if ossicle_exchange_put(exchange, event, nil) { sent[portCount + property] = value }
    }

    /// MIDI at a frame of the block; false where there is no room for it.
    @discardableResult
    package func send(_ bytes: UnsafePointer<UInt8>, count: Int, frame: Int) -> Bool {
        guard let midiInput, count > 0, count <= Int(UInt16.max) else { return true }
        let event = ossicle_event(
            frame: UInt32(frame), kind: UInt16(OSSICLE_EVENT_MIDI), size: UInt16(count), port: midiInput, value: 0)
        return ossicle_exchange_put(exchange, event, bytes)
    }

    /// All sound off, on each channel.
    private func silenceNotes() {
        for channel in UInt8(0)..<16 {
            var bytes = (UInt8(0xB0) | channel, UInt8(120), UInt8(0))
            withUnsafeBytes(of: &bytes) { raw in
                if let start = raw.baseAddress { send(start.assumingMemoryBound(to: UInt8.self), count: 3, frame: 0) }
            }
        }
    }

    /// The transport at the block's first frame; a tempo of 0 is unknown.
    package func setTransport(tempo: Double, beat: Double, beatsInBar: Double, frame: Int64, isRolling: Bool) {
        head.pointee.tempo = tempo
        head.pointee.beat = beat
        head.pointee.beats_in_bar = beatsInBar
        head.pointee.frame = frame
        head.pointee.is_rolling = isRolling ? 1 : 0
    }

    /// Any thread: the plug-in has got values by another way, as by a preset. All are sent again.
    package func forgetSent() { isStale.store(true, ordering: .relaxed) }

    // MARK: Rendering

    /// Whether a block was rendered. Any thread.
    package var hasRendered: Bool { blocks.load(ordering: .relaxed) }

    /// Renders what was laid down; false for silence.
    package func render(frames: Int, isOffline: Bool) -> Bool {
        if let own {
            head.pointee.frames = UInt32(frames)
            ossicle_rtsan_pause()
            defer { ossicle_rtsan_resume() }
            blocks.store(true, ordering: .relaxed)
            return ossicle_plugin_run(own.pointer, exchange)
        }
        let duration = UInt64(max(Double(frames) / shape.rate, 0.001) * 1e9)
        // The hand-shake is a system call that wakes, and one that waits for a bounded time.
        ossicle_rtsan_pause()
        let outcome = ossicle_exchange_render(exchange, UInt32(frames), isOffline ? .max / 4 : duration)
        ossicle_rtsan_resume()
        if Int(outcome) == OSSICLE_BLOCK_DONE {
            blocks.store(true, ordering: .relaxed)
            return true
        }
        if Int(outcome) == OSSICLE_BLOCK_LATE { faults.note(.late) }
        hasLostEvents = true
        return false
    }

    private func wait(_ patience: UInt64) -> Int32 {
        ossicle_rtsan_pause()
        defer { ossicle_rtsan_resume() }
        return ossicle_exchange_wait(exchange, patience / 4)
    }

    /// The ports into the channels of a bus, from a frame of the planes on; what is not finite becomes 0, and is noted.
    package func read(into planes: UnsafePointer<UnsafeMutablePointer<Float>>, channels: Int, frames: Int) {
        var isFinite = true
        for channel in 0..<channels {
            let ports = shape.routing.ports(ofOutput: channel), target = planes[channel]
            guard let first = ports.first, let plane = ossicle_exchange_output(exchange, UInt32(first)) else {
                target.update(repeating: 0, count: frames)
                continue
            }
            for frame in 0..<frames {
                let sample = plane[frame]
                isFinite = isFinite && sample.isFinite
                target[frame] = sample.isFinite ? sample : 0
            }
            if ports.count == 2, let other = ossicle_exchange_output(exchange, UInt32(first + 1)) {
                for frame in 0..<frames where other[frame].isFinite {
                    target[frame] = (target[frame] + other[frame]) / 2
                }
            }
        }
        if !isFinite { faults.note(.notFinite) }
    }

    /// The MIDI that came out: frame of the block, bytes.
    package func receive(_ body: (Int, UnsafePointer<UInt8>, Int) -> Void) {
        var place: UInt32 = 0, event = ossicle_event(), bytes: UnsafePointer<UInt8>?
        while ossicle_exchange_next(exchange, &place, &event, &bytes) {
            guard Int(event.kind) == OSSICLE_EVENT_MIDI, let bytes, event.size > 0 else { continue }
            body(Int(event.frame), bytes, Int(event.size))
        }
    }

    /// The value of a control port, as the last block left it. Any thread.
    package func value(ofPort port: Int) -> Float {
        guard (0..<portCount).contains(port) else { return 0 }
        let value = ossicle_exchange_value_out(exchange, UInt32(port))
        return value.isFinite ? value : 0
    }
}
