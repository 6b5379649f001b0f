// Writing for those who may not wait.

import Dispatch
import OssicleCodecs
import OssicleProperties

/// The ring of a file's asynchronous writes and the clock by which it is emptied.
///
///     audio thread ─ ExtAudioFileWriteAsync ─▶ AsyncRing ─ every 10 ms, on a queue of its own ─▶ ExtAudioFileWriter
final class AsyncWriter {
    private let reference: ExtAudioFileRef
    private let ring: AsyncRing
    private let timer: any DispatchSourceTimer

    /// Seconds of sound there is room for.
    private static let room = 2.0
    /// Bytes that a ring takes at most.
    private static let mostBytes = 1 << 26

    /// Makes the ring known under `reference`; `nil` where no more files can be written this way.
    init?(_ reference: ExtAudioFileRef, _ format: StreamFormat, drain: @escaping @Sendable () -> Void) {
        let wanted = max(Int(min(format.sampleRate, 1e6) * Self.room), 16_384)
        let capacity = min(wanted, max(1, Self.mostBytes / (format.bytesPerPacket * format.bufferCount)))
        let ring = AsyncRing(bufferCount: format.bufferCount, bytesPerFrame: format.bytesPerPacket, capacity: capacity)
        guard AsyncRingTable.insert(ring, for: reference) else {
            ring.deallocate()
            return nil
        }
        self.reference = reference
        self.ring = ring
        timer = DispatchSource.makeTimerSource(
            queue: DispatchQueue(label: "ossicle.extaudiofile.write", qos: .userInitiated))
        timer.setEventHandler(handler: drain)
        timer.schedule(deadline: .now(), repeating: .milliseconds(10))
        timer.resume()
    }

    deinit {
        stop()
        ring.deallocate()
    }

    /// Writes all that waits. For one thread at a time.
    func drain(into writer: ExtAudioFileWriter) throws(StatusError) {
        try ring.take { buffers, frames throws(StatusError) in try writer.write(buffers, frames: frames) }
    }

    /// Tells the audio thread what went wrong.
    func fail(_ status: OSStatus) { ring.fail(status) }

    /// Lets nothing more in. What waits stays.
    func stop() {
        timer.cancel()
        AsyncRingTable.remove(reference)
    }
}

extension ExtAudioFileObject {
    /// Makes ready for `ExtAudioFileWriteAsync` under `reference`.
    func startAsync(_ reference: ExtAudioFileRef) throws(StatusError) {
        try writing { writer throws(StatusError) in
            guard writer.converter != nil else { throw StatusError(kExtAudioFileError_NonPCMClientFormat) }
            guard asyncWriter == nil else { return }
            guard
                let asyncWriter = AsyncWriter(
                    reference, writer.clientFormat, drain: { [weak self] in self?.drainAsync() })
            else {
                throw StatusError(kAudio_MemFullError)
            }
            self.asyncWriter = asyncWriter
        }
    }

    /// Writes what waits; what goes wrong there is reported by the next call that adds to it.
    private func drainAsync() {
        let result = status { () throws(StatusError) in
            try writing { writer throws(StatusError) in try asyncWriter?.drain(into: writer) }
        }
        if result != noErr { try? alone { () throws(StatusError) in asyncWriter?.fail(result) } }
    }

    /// Writes what waits and ends writing behind the audio thread.
    func stopAsync() throws(StatusError) {
        guard let asyncWriter else { return }
        asyncWriter.stop()
        defer { self.asyncWriter = nil }
        try writing { writer throws(StatusError) in try asyncWriter.drain(into: writer) }
    }
}
