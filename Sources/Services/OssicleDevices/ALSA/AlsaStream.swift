import CAlsa
import Foundation

/// A device of ALSA's, opened in a format. Belongs to one thread.
final class AlsaStream {
    let format: DeviceFormat
    /// Of one block.
    let buffers: BlockBuffers
    private let device: String
    private let direction: DeviceInfo.Direction
    private let handle: OpaquePointer
    private let samples: AlsaSamples
    private let bufferFrames: Int
    private let raw: UnsafeMutableRawPointer
    private let meters: DeviceMeters
    /// Frames written or read.
    private var position = 0
    private var clock: FrameClock
    /// When the next block is due at a device that keeps no time.
    private var due: UInt64 = 0
    /// Seconds a device may say nothing before it counts as gone.
    private static let patience = 5.0
    private var hasBreak = false
    private var lastSign = HostClock.now

    /// Opens and agrees on a format. Blocks of the device are made as long as the quantum where it can do that.
    /// - Parameters:
    ///   - name: of the pcm, such as "hw:0".
    ///   - wishes: without a rate 48 kHz or what is next to it, without channels two or what is next to that.
    init(
        _ name: String, _ direction: DeviceInfo.Direction, _ wishes: FormatWishes, meters: DeviceMeters
    ) throws(DeviceError) {
        let device = "ALSA device \(name)"
        let handle = try AlsaStream.open(name, direction, device: device)
        do throws(DeviceError) {
            let agreed = try AlsaAgreement(handle, device: device, wishes)
            (format, samples, bufferFrames) = (agreed.format, agreed.samples, agreed.bufferFrames)
        } catch {
            snd_pcm_close(handle)
            throw error
        }
        (self.device, self.direction, self.handle, self.meters) = (device, direction, handle, meters)
        clock = FrameClock(sampleRate: format.sampleRate)
        let count = format.channelCount * format.quantum
        raw = .allocate(byteCount: count * samples.byteCount, alignment: 16)
        raw.initializeMemory(as: UInt8.self, repeating: 0, count: count * samples.byteCount)
        buffers = BlockBuffers(
            channelCount: format.channelCount, frameCount: format.quantum,
            order: AlsaChannels.order(of: handle, format))
    }

    deinit {
        snd_pcm_drop(handle)
        snd_pcm_close(handle)
        raw.deallocate()
    }

    /// Opens a pcm, or says what is in the way.
    static func open(
        _ name: String, _ direction: DeviceInfo.Direction, device: String
    ) throws(DeviceError) -> OpaquePointer {
        guard ossicle_load_alsa() else {
            throw .noDevice(device: device, detail: "libasound.so.2 is missing: install libasound2")
        }
        var handle: OpaquePointer?
        let stream = direction == .output ? OSSICLE_ALSA_PLAYBACK : OSSICLE_ALSA_CAPTURE
        let code = snd_pcm_open(&handle, name, Int32(stream), Int32(OSSICLE_ALSA_NONBLOCK))
        guard code >= 0, let handle else { throw AlsaStream.failure(code, device: device) }
        return handle
    }

    static func failure(_ code: Int32, device: String) -> DeviceError {
        let words = snd_strerror(code).map { String(cString: $0) } ?? "error \(code)"
        switch -code {
        case EBUSY, EAGAIN: return .busy(device: device)
        case ENOENT, ENODEV, ENXIO: return .noDevice(device: device, detail: words)
        case ECONNREFUSED: return .noServer(device: device, detail: words)
        case EACCES, EPERM: return .denied(device: device, detail: words)
        default: return .rejected(device: device, detail: words)
        }
    }

    // MARK: Turns

    /// Waits until a block can be written or read, for a tenth of a second at most.
    func waitForBlock() throws(DeviceError) -> Bool {
        let code = snd_pcm_wait(handle, 100)
        if code < 0 { try recover(code) }
        let available = snd_pcm_avail_update(handle)
        if available < 0 {
            try recover(Int32(clamping: available))
            return false
        }
        if available >= format.quantum {
            lastSign = HostClock.now
            return true
        }
        guard Double(HostClock.now - lastSign) / 1e9 < AlsaStream.patience else {
            throw .gone(device: device, detail: "nothing moves for \(AlsaStream.patience) s")
        }
        return false
    }

    func begin() throws(DeviceError) {
        guard direction == .input else { return }
        let code = snd_pcm_start(handle)
        if code < 0 { try recover(code) }
    }

    /// Writes what is interleaved in `buffers`.
    func write() throws(DeviceError) {
        samples.encode(buffers.interleaved, count: format.channelCount * format.quantum, into: raw)
        var done = 0
        while done < format.quantum {
            let place = raw + done * format.channelCount * samples.byteCount
            let count = snd_pcm_writei(handle, place, UInt(format.quantum - done))
            if count < 0 { try recover(Int32(clamping: count)) } else { done += count }
        }
        position += format.quantum
        keepPace()
    }

    /// Reads a block into what is interleaved in `buffers`; false where it was lost.
    func read() throws(DeviceError) -> Bool {
        let count = snd_pcm_readi(handle, raw, UInt(format.quantum))
        if count < 0 {
            try recover(Int32(clamping: count))
            return false
        }
        position += count
        guard count == format.quantum else {
            hasBreak = true
            return false
        }
        samples.decode(raw, count: format.channelCount * format.quantum, into: buffers.interleaved)
        keepPace()
        return true
    }

    /// Whether frames were lost since last asked.
    func takeBreak() -> Bool {
        defer { hasBreak = false }
        return hasBreak
    }

    /// Host time of the next frame to be written or read: when the device takes it, or when it was at the microphone.
    ///
    /// ALSA's delay counts what is in the buffer and what lies between it and the loudspeaker or microphone; of an
    /// output only the latter is latency, as the device takes a frame out of the buffer.
    func time() -> UInt64 {
        var delay = 0
        let free = snd_pcm_avail_update(handle)
        if free >= 0, snd_pcm_delay(handle, &delay) >= 0 {
            let waiting = direction == .output ? max(bufferFrames - free, 0) : -max(delay, 0)
            let behind = direction == .output ? max(delay - waiting, 0) : -waiting
            meters.set(latency: Double(behind) / format.sampleRate)
            clock.note(position, at: HostClock.time(HostClock.now, movedBy: Double(waiting) / format.sampleRate))
        }
        return clock.time(of: position, orElse: HostClock.now)
    }

    /// A device that keeps nothing (ALSA's types null and file) has no clock either: blocks then last as long as they
    /// should by the machine's.
    private func keepPace() {
        let now = HostClock.now
        // More than that behind is a pause, not jitter.
        if HostClock.time(due, movedBy: 0.25) < now { due = now }
        guard snd_pcm_avail_update(handle) >= bufferFrames else { return }
        due = HostClock.time(due, movedBy: Double(format.quantum) / format.sampleRate)
        HostClock.sleep(until: due)
    }

    /// Continues after an underrun, an overrun or a suspension, which count as dropouts; throws for what cannot be
    /// continued.
    private func recover(_ code: Int32) throws(DeviceError) {
        if [-EAGAIN, -EINTR].contains(code) { return }
        if [-EPIPE, -ESTRPIPE].contains(code) { meters.countDropout() }
        clock.restart()
        hasBreak = true
        guard [-EPIPE, -ESTRPIPE].contains(code), snd_pcm_recover(handle, code, 1) >= 0 else {
            throw .gone(device: device, detail: snd_strerror(code).map { String(cString: $0) } ?? "error \(code)")
        }
        try begin()
    }
}

/// What a device and we agree on.
private struct AlsaAgreement {
    let format: DeviceFormat
    let samples: AlsaSamples
    let bufferFrames: Int
    /// Blocks between us and the loudspeaker.
    private static let depth = 4

    init(_ handle: OpaquePointer, device: String, _ wishes: FormatWishes) throws(DeviceError) {
        var memory: OpaquePointer?
        guard snd_pcm_hw_params_malloc(&memory) >= 0, let hardware = memory else {
            throw .rejected(device: device, detail: "no memory")
        }
        defer { snd_pcm_hw_params_free(hardware) }
        func check(_ code: Int32) throws(DeviceError) {
            if code < 0 { throw AlsaStream.failure(code, device: device) }
        }
        try check(snd_pcm_hw_params_any(handle, hardware))
        try check(snd_pcm_hw_params_set_access(handle, hardware, Int32(OSSICLE_ALSA_INTERLEAVED)))
        guard
            let samples = AlsaSamples.allCases.first(where: {
                snd_pcm_hw_params_set_format(handle, hardware, $0.code) >= 0
            })
        else { throw .rejected(device: device, detail: "it takes no samples of 16, 24 or 32 bits") }
        var channels = UInt32(clamping: wishes.channelCount ?? DeviceFormat.standard.channelCount)
        try check(snd_pcm_hw_params_set_channels_near(handle, hardware, &channels))
        if let channelCount = wishes.channelCount, Int(channels) != channelCount {
            throw .rejected(device: device, detail: "\(channels) channels, not \(channelCount)")
        }
        let asked = wishes.sampleRate ?? DeviceFormat.standard.sampleRate
        var rate = UInt32(asked.rounded())
        try check(snd_pcm_hw_params_set_rate_near(handle, hardware, &rate, nil))
        if wishes.sampleRate != nil, Double(rate) != asked.rounded() {
            throw .wrongRate(device: device, sampleRate: asked, offered: Double(rate))
        }
        var period = UInt(wishes.quantum ?? DevicePreferences.current.quantum(at: Double(rate)))
        try check(snd_pcm_hw_params_set_period_size_near(handle, hardware, &period, nil))
        var buffer = period * UInt(AlsaAgreement.depth)
        try check(snd_pcm_hw_params_set_buffer_size_near(handle, hardware, &buffer))
        try check(snd_pcm_hw_params(handle, hardware))
        self.samples = samples
        bufferFrames = Int(buffer)
        format = try DeviceFormat(
            device: device, sampleRate: Double(rate), channelCount: Int(channels),
            quantum: min(Int(period), max(Int(buffer) / 2, 16)),
            channelLabels: wishes.channelLabels
                ?? DeviceChannels.rendered(Int(channels), stated: AlsaChannels.stated(handle, Int(channels))))
        try AlsaAgreement.setWaiting(handle, device: device, quantum: format.quantum, buffer: bufferFrames)
    }

    /// Begins to play with a full buffer, and wakes us for each block.
    private static func setWaiting(
        _ handle: OpaquePointer, device: String, quantum: Int, buffer: Int
    ) throws(DeviceError) {
        var memory: OpaquePointer?
        guard snd_pcm_sw_params_malloc(&memory) >= 0, let software = memory else {
            throw .rejected(device: device, detail: "no memory")
        }
        defer { snd_pcm_sw_params_free(software) }
        let whole = UInt(buffer / quantum * quantum)
        guard snd_pcm_sw_params_current(handle, software) >= 0,
            snd_pcm_sw_params_set_start_threshold(handle, software, whole) >= 0,
            snd_pcm_sw_params_set_avail_min(handle, software, UInt(quantum)) >= 0
        else { throw .rejected(device: device, detail: "it takes no thresholds") }
        let code = snd_pcm_sw_params(handle, software)
        if code < 0 { throw AlsaStream.failure(code, device: device) }
    }
}
