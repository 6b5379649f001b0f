import CPulse

/// A stream of floats to or from a server. Belongs to its connection's thread.
final class PulseStream {
    let connection: PulseConnection
    private let meters: DeviceMeters
    private let format: DeviceFormat
    private let handle: OpaquePointer
    let timing: PulseTiming
    private var wasMoved = false
    /// Whether frames are missing ahead of those that are read next.
    private var hasBreak = false

    #if _endian(little)
    private static let nativeFloat = PA_SAMPLE_FLOAT32LE
    #else
    private static let nativeFloat = PA_SAMPLE_FLOAT32BE
    #endif

    /// Opens, and returns when sound can flow.
    /// - Parameter target: the device's name on the server; nil for the default, which the stream then follows.
    init(
        _ direction: DeviceInfo.Direction, to target: String?, format: DeviceFormat, over connection: PulseConnection,
        meters: DeviceMeters
    ) throws(DeviceError) {
        var specification = pa_sample_spec(
            format: PulseStream.nativeFloat, rate: UInt32(format.sampleRate.rounded()),
            channels: UInt8(format.channelCount))
        var map = ChannelMap.map(format.channelLabels, channelCount: format.channelCount)
        let properties = StreamRole.makeProperties()
        defer { if let properties { pa_proplist_free(properties) } }
        guard
            let handle = pa_stream_new_with_proplist(
                connection.context, direction == .output ? "output" : "input", &specification, &map, properties)
        else {
            throw connection.refusal
        }
        (self.connection, self.meters, self.format, self.handle) = (connection, meters, format, handle)
        timing = PulseTiming(handle, direction, format, meters)
        listen()
        let block = UInt32(format.frameBytes * format.quantum)
        // Four blocks between us and the loudspeaker, 43 ms at 48 kHz and 512 frames; one from the microphone.
        var buffering = pa_buffer_attr(
            maxlength: .max, tlength: 4 * block, prebuf: .max, minreq: block, fragsize: block)
        let code =
            switch direction {
            case .output: pa_stream_connect_playback(handle, target, &buffering, PA_STREAM_ADJUST_LATENCY, nil, nil)
            case .input: pa_stream_connect_record(handle, target, &buffering, PA_STREAM_ADJUST_LATENCY)
            }
        guard code >= 0 else { throw connection.refusal }
        try connection.wait { pa_stream_get_state(handle) != PA_STREAM_CREATING }
        guard pa_stream_get_state(handle) == PA_STREAM_READY else { throw connection.refusal }
    }

    deinit {
        pa_stream_set_moved_callback(handle, nil, nil)
        pa_stream_set_underflow_callback(handle, nil, nil)
        pa_stream_set_overflow_callback(handle, nil, nil)
        pa_stream_set_event_callback(handle, nil, nil)
        CorkedStreams.note(false, self)
        pa_stream_disconnect(handle)
        pa_stream_unref(handle)
    }

    /// The device the stream is at.
    var deviceID: String { pa_stream_get_device_name(handle).map { String(cString: $0) } ?? "" }

    /// Whether the server moved the stream since last asked.
    func takeMove() -> Bool {
        defer { wasMoved = false }
        return wasMoved
    }

    /// Throws when the server ended the stream.
    func check() throws(DeviceError) {
        if pa_stream_get_state(handle) != PA_STREAM_READY {
            throw .disconnected(device: connection.device, code: Int32(PA_ERR_KILLED.rawValue))
        }
    }

    private func listen() {
        let me = Unmanaged.passUnretained(self).toOpaque()
        let count: @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?) -> Void = { _, me in
            PulseStream.at(me)?.meters.countDropout()
            PulseStream.at(me)?.timing.restart()
            PulseStream.at(me)?.hasBreak = true
        }
        pa_stream_set_moved_callback(
            handle,
            { _, me in
                PulseStream.at(me)?.wasMoved = true
                PulseStream.at(me)?.timing.restart()
                PulseStream.at(me)?.hasBreak = true
            }, me)
        pa_stream_set_underflow_callback(handle, count, me)
        pa_stream_set_overflow_callback(handle, count, me)
        pa_stream_set_event_callback(
            handle,
            { _, name, _, me in
                guard let stream = PulseStream.at(me), let name = name.map({ String(cString: $0) }) else { return }
                if name == "request-cork" { CorkedStreams.note(true, stream) }
                if name == "request-uncork" { CorkedStreams.note(false, stream) }
            }, me)
    }

    private static func at(_ pointer: UnsafeMutableRawPointer?) -> PulseStream? {
        pointer.map { Unmanaged<PulseStream>.fromOpaque($0).takeUnretainedValue() }
    }
}

/// Playing.
extension PulseStream {
    /// Whether the server wants a block.
    func wants(_ buffers: borrowing BlockBuffers) -> Bool {
        let bytes = pa_stream_writable_size(handle)
        return bytes != .max && bytes >= buffers.byteCount
    }

    func write(_ buffers: borrowing BlockBuffers) throws(DeviceError) {
        guard pa_stream_write(handle, buffers.interleaved, buffers.byteCount, nil, 0, PA_SEEK_RELATIVE) >= 0 else {
            throw connection.lost
        }
        timing.advance(by: buffers.frameCount)
    }

    /// Waits until everything written was heard, for half a second at most.
    func drain() {
        // Running dry is no dropout any more.
        pa_stream_set_underflow_callback(handle, nil, nil)
        connection.finish(pa_stream_drain(handle, nil, nil), within: .milliseconds(500))
    }

    /// Stops the flow, and keeps the stream.
    func cork() {
        pa_stream_set_underflow_callback(handle, nil, nil)
        if let operation = pa_stream_cork(handle, 1, nil, nil) { pa_operation_unref(operation) }
    }
}

/// Recording.
extension PulseStream {
    /// Hands over what was captured, in pieces no longer than a block.
    func read(
        by buffers: borrowing BlockBuffers, _ receive: ReceiveCallback, _ goOn: DeviceThread.GoOn
    ) throws(DeviceError) {
        while goOn() {
            var (data, bytes): (UnsafeRawPointer?, Int) = (nil, 0)
            guard pa_stream_peek(handle, &data, &bytes) >= 0 else { throw connection.lost }
            guard bytes > 0 else { return }
            // Data without an address is a hole: frames the server lost.
            let samples = data?.assumingMemoryBound(to: Float.self)
            if samples == nil { meters.countDropout() }
            let (begin, frames) = (timing.time(), bytes / format.frameBytes)
            for first in stride(from: 0, to: frames, by: buffers.frameCount) where goOn() {
                let time = HostClock.time(begin, movedBy: Double(first) / format.sampleRate)
                let piece = samples.map { $0 + first * format.channelCount }
                let count = min(buffers.frameCount, frames - first)
                buffers.deliver(piece, count: count, to: receive, hostTime: time, followsBreak: hasBreak)
                hasBreak = false
            }
            guard pa_stream_drop(handle) >= 0 else { throw connection.lost }
            timing.advance(by: frames)
        }
    }
}
