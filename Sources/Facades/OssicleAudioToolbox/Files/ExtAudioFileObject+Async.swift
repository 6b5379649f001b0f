// Writing behind the audio thread.

extension ExtAudioFileObject {
    /// Makes ready for `ExtAudioFileWriteAsync` under `reference`.
    func startAsync(_ reference: ExtAudioFileRef) throws(StatusError) {
        try writing { writer throws(StatusError) in
            guard writer.converter != nil else { throw StatusError(kExtAudioFileError_NonPCMClientFormat) }
            guard asyncWriter == nil else { return }
            guard let asyncWriter = AsyncWriter(reference, writer.clientFormat, drain: { [weak self] in self?.drainAsync() }) else {
                throw StatusError(kAudio_MemFullError)
            }
            self.asyncWriter = asyncWriter
        }
    }

    /// Writes what waits; what goes wrong there is told by the next call that adds to it.
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
