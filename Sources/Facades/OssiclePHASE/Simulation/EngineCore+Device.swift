import OssicleDevices

/// Sound through the machine's output.
extension EngineCore {
    /// Opens the default output and lets it pull. A machine without one plays to a null device: the scene goes on as if it were heard.
    /// Under the lock.
    func startDevice() throws {
        guard let output else { return }
        do {
            let device = try DefaultDevice.open(sampleRate: output.sampleRate, channelCount: output.channelCount, fallback: .silence)
            let session = DeviceSession(core: self, device: device)
            try session.start()
            self.device = session
        } catch {
            throw PHASEError(.initializeFailed, "The engine could not start: \(error)")
        }
    }

    /// One tick of the update clock: an update in automatic mode; in manual mode only what must not wait for the client.
    func deviceTick() {
        locked {
            guard renderingState == .started else { return }
            if updateMode == .automatic { update() } else { feedStreams() }
        }
    }
}
