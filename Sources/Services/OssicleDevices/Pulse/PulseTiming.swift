import CPulse

/// When the frames of a stream are at the device, by the server's own indices. Belongs to its connection's thread.
///
/// The server is asked right after it wanted or brought sound. PipeWire needs that: its indices are those of its last
/// cycle, and the time it states is that of the answer. libpulse's own interpolation asks at any time, and is up to a
/// cycle off at PipeWire.
final class PulseTiming {
    /// Frames written, or read.
    private(set) var position = 0
    /// PipeWire states a cycle less than sound takes from the device's turn to the loudspeaker: it is the configured
    /// latency. (0.3.65, measured by the monitor.)
    var isPipeWire = false
    private let stream: OpaquePointer
    private let direction: DeviceInfo.Direction
    private let format: DeviceFormat
    private let meters: DeviceMeters
    private var clock: FrameClock
    private var operation: OpaquePointer?

    init(_ stream: OpaquePointer, _ direction: DeviceInfo.Direction, _ format: DeviceFormat, _ meters: DeviceMeters) {
        (self.stream, self.direction, self.format, self.meters) = (stream, direction, format, meters)
        clock = FrameClock(sampleRate: format.sampleRate)
    }

    deinit {
        guard let operation else { return }
        pa_operation_cancel(operation)
        pa_operation_unref(operation)
    }

    /// Host time of the next frame to be written or read: when the device takes it, or when it was at the microphone.
    func time() -> UInt64 {
        let waiting = direction == .input ? readableFrames : 0
        return clock.time(of: position, orElse: HostClock.time(HostClock.now, movedBy: -seconds(waiting)))
    }

    /// Asks the server for its indices, unless it is being asked.
    func advance(by frames: Int) {
        position += frames
        guard operation == nil else { return }
        let me = Unmanaged.passUnretained(self).toOpaque()
        operation = pa_stream_update_timing_info(
            stream,
            { _, isDone, me in
                if let me { Unmanaged<PulseTiming>.fromOpaque(me).takeUnretainedValue().note(isDone != 0) }
            }, me)
    }

    /// Sound was interrupted, or goes to another device.
    func restart() { clock.restart() }

    private func note(_ isDone: Bool) {
        if let operation { pa_operation_unref(operation) }
        operation = nil
        guard isDone, let info = pa_stream_get_timing_info(stream)?.pointee, info.read_index_corrupt == 0,
            info.write_index_corrupt == 0
        else { return }
        let now = HostClock.time(ofCalendar: info.timestamp)
        let queued = Int(info.write_index - info.read_index) / format.frameBytes
        switch direction {
        case .output: noteOutput(info, queued, now)
        case .input: noteInput(info, queued, now)
        }
    }

    /// Seconds from the device's turn to the loudspeaker: what the server configured the device for, as the sound in it
    /// grows and shrinks by the block.
    private func noteOutput(_ info: pa_timing_info, _ queued: Int, _ now: UInt64) {
        let (device, configured) = (Double(info.sink_usec) * 1e-6, Double(info.configured_sink_usec) * 1e-6)
        let latency = isPipeWire ? device + configured : configured > 0 ? configured : device
        // Until enough is written, the server does not begin.
        guard info.playing != 0 else { return clock.restart() }
        meters.set(latency: latency)
        let untilTaken = isPipeWire ? 0 : device - latency
        clock.note(position, at: HostClock.time(now, movedBy: seconds(queued) + untilTaken))
    }

    private func noteInput(_ info: pa_timing_info, _ queued: Int, _ now: UInt64) {
        let received = readableFrames
        let unsent = max(queued - received, 0)
        let latency = Double(info.source_usec) * 1e-6 + seconds(unsent)
        meters.set(latency: latency + seconds(format.quantum))
        clock.note(position + received, at: HostClock.time(now, movedBy: -latency))
    }

    private func seconds(_ frames: Int) -> Double { Double(frames) / format.sampleRate }

    private var readableFrames: Int {
        let bytes = pa_stream_readable_size(stream)
        return bytes == .max ? 0 : bytes / format.frameBytes
    }
}
