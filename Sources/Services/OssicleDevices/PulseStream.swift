import CPulse

/// A connection of libpulse-simple. Belongs to one thread at a time.
struct PulseStream: @unchecked Sendable, ~Copyable {
    private let handle: OpaquePointer
    private let device: String

    #if _endian(little)
    private static let nativeFloat = PA_SAMPLE_FLOAT32LE
    #else
    private static let nativeFloat = PA_SAMPLE_FLOAT32BE
    #endif

    deinit { pa_simple_free(handle) }

    /// Connects on this thread, which may take as long as the server likes.
    init(device: String, server: String, client: String, format: OutputFormat) throws(DeviceError) {
        var specification = pa_sample_spec(format: PulseStream.nativeFloat, rate: UInt32(format.sampleRate.rounded()), channels: UInt8(format.channelCount))
        let frameBytes = UInt32(format.channelCount * MemoryLayout<Float>.stride)
        // Four blocks between us and the loudspeaker: 43 ms at 48 kHz and 512 frames.
        var buffering = pa_buffer_attr(maxlength: .max, tlength: UInt32(4 * format.quantum) * frameBytes, prebuf: .max, minreq: .max, fragsize: .max)
        var code: Int32 = 0
        guard let handle = pa_simple_new(server, client, PA_STREAM_PLAYBACK, nil, "output", &specification, nil, &buffering, &code) else {
            // 6 refused, 8 timed out, 11 terminated: nobody there. See pa_error_code.
            throw [6, 8, 11].contains(code) ? .noServer(device: device, detail: "error \(code) from \(server)") : .refused(device: device, code: code)
        }
        self.handle = handle
        self.device = device
    }

    /// Hands one block over; waits while the server's buffer is full.
    func write(_ buffers: borrowing BlockBuffers) throws(DeviceError) {
        var code: Int32 = 0
        if pa_simple_write(handle, buffers.interleaved, buffers.byteCount, &code) < 0 { throw .writeFailed(device: device, code: code) }
    }

    /// Waits until everything written was heard.
    func drain() {
        pa_simple_drain(handle, nil)
    }
}
