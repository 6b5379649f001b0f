import Dispatch
import OssicleAVFAudio
import OssicleCoreAudioTypes
import OssicleDevices
import OssiclePlayback
import OssicleSpatial

/// Sound through the machine's output.
extension EngineControl {
    /// Opens the default output in its own rate, for the loudspeakers it has, else in stereo. Under the lock.
    /// - Returns: the format to render in, and whether `.automatic` is binaural in stereo.
    func openDevice() throws -> (format: AVAudioFormat, suitsEars: Bool) {
        do {
            let (opened, speakers) = try SpatialEngine.openDevice(forEars: spatializationMode == .alwaysUseBinaural)
            session.device = deviceSession(opened)
            let rate = opened.sampleRate
            let format =
                speakers.map {
                    AVAudioFormat(standardFormatWithSampleRate: rate, channelLayout: .of(channelLabels: $0))
                }
                ?? AVAudioFormat(standardFormatWithSampleRate: rate, channels: 2) ?? Self.defaultFormat
            return (format, opened.transducer != .externalSpeakers)
        } catch {
            throw PHASEError(.initializeFailed, "The engine could not start: \(error)")
        }
    }

    /// Lets the output pull. A machine without one plays to a null device: the scene advances as if it were heard, and
    /// sound comes when a device does. Under the lock.
    func startDevice() throws { try startDevice(nil) }

    /// - Parameter found: nil for the device that was opened for the output or, after a pause or a loss, the default; in
    ///   the format that is rendered, whatever the hardware's is now.
    private func startDevice(_ found: (any OutputDevice)?) throws {
        guard let output = spatial.output else { return }
        do {
            if let opened = session.device {
                try opened.start()
            } else {
                try session.startOutput(
                    found, sampleRate: output.sampleRate, channelCount: output.channelCount,
                    channelLabels: output.labels, session: deviceSession)
            }
            searchForOutput()
        } catch {
            session.device = nil
            throw PHASEError(.initializeFailed, "The engine could not start: \(error)")
        }
    }

    private func deviceSession(_ device: any OutputDevice) -> DeviceSession {
        DeviceSession(device, of: session) { [weak self] device, _, event in
            if case .lost(let error) = event { self?.deviceWasLost(device, error) }
        }
    }

    /// While a null device keeps the time, an output is looked for. Under the lock.
    private func searchForOutput() {
        session.searches.end()
        guard let device = session.device, device.isSilent else { return }
        let format = (device.sampleRate, device.channelCount, spatial.output?.labels)
        session.searches.findOutput(in: format) { [weak self, weak device] found in
            guard let self, let device else { return }
            session.changes.async { self.replace(device, by: found) }
        }
    }

    /// The device's thread: sound continues at what is the default now, after a moment in which the machine may settle.
    func deviceWasLost(_ device: DeviceSession, _ error: any Error) {
        session.changes.asyncAfter(deadline: .now() + .milliseconds(200)) { [weak self] in
            self?.replace(device, after: error)
        }
    }

    /// - Parameters: error: why the device is no more; nil for a null device. - found: nil for the default.
    private func replace(_ device: DeviceSession, by found: (any OutputDevice)? = nil, after error: (any Error)? = nil)
    {
        let isOurs = whenAtRest {
            guard session.device === device, renderingState == .started else { return false }
            if let error {
                record(
                    PHASEError(
                        .initializeFailed,
                        "The output went away (\(error)); the engine continues at the default output."))
            }
            (session.device, isHalting) = (nil, true)
            return true
        }
        guard isOurs else { return }
        // Waits for a callback under way, which may be a client's block that asks the engine.
        device.halt()
        locked {
            isHalting = false
            do { try startDevice(found) } catch { record(error) }
        }
    }

    /// One tick of the update clock: an update in automatic mode; in manual mode only what must not wait for the
    /// client.
    func tick() {
        locked {
            guard renderingState == .started else { return }
            if updateMode == .automatic {
                update()
            } else {
                spatial.player.feedStreams(now: manual?.rendering.isOffline == true)
            }
            outlets.attend(.device)
            checkLoad()
        }
    }

    /// Records the beginning of an overload.
    private func checkLoad() {
        guard let finding = session.newOverload() else { return }
        record(
            PHASEError(
                .initializeFailed, object: "The engine", value: finding,
                rule: "A device plays in real time, and what comes too late is heard as a gap.",
                cure: "Play fewer voices (maximumVoiceCount), lower acousticsQuality, or render offline."))
    }
}
