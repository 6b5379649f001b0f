import Dispatch
import OssicleAVFAudio
import OssicleCoreAudioTypes
import OssicleDevices
import OssiclePlayback
import OssicleSpatial

/// Sound through the machine's output.
extension EngineControl {
    private var isForEars: Bool { spatializationMode == .alwaysUseBinaural }

    /// Opens the default output in its own rate, for the loudspeakers it has, else in stereo. A machine without one
    /// gets a null device, which keeps the time. Under the lock.
    /// - Returns: what to render for.
    func openDevice() throws -> OutputForm {
        do {
            let opened = try SpatialEngine.openDevice(forEars: isForEars, fallback: .silence)
            session.device = deviceSession(opened)
            return form(for: opened)
        } catch {
            throw PHASEError(.initializeFailed, "The engine could not start: \(error)")
        }
    }

    /// What is rendered for a device that was opened. Under the lock.
    private func form(for device: any OutputDevice) -> OutputForm {
        let rate = device.sampleRate
        let format =
            SpatialEngine.speakers(of: device, forEars: isForEars).map {
                AVAudioFormat(standardFormatWithSampleRate: rate, channelLayout: .of(channelLabels: $0))
            }
            ?? AVAudioFormat(standardFormatWithSampleRate: rate, channels: 2) ?? Self.defaultFormat
        return OutputForm(format, spatializationMode, suitsEars: device.transducer != .externalSpeakers)
    }

    /// Lets the output pull. A machine without one plays to a null device: the scene advances as if it were heard, and
    /// sound comes when a device does. Under the lock.
    func startDevice() throws { try startDevice(nil) }

    /// - Parameter found: nil for the device that was opened for the output or, after a pause or a loss, the default;
    ///   at the rate that is rendered, whatever the hardware's is now.
    private func startDevice(_ found: (any OutputDevice)?) throws {
        do {
            if let opened = session.device {
                try opened.start()
            } else {
                let opened = found ?? openRoute()
                if let opened { follow(opened) }
                guard let output = spatial.output else { return }
                try session.startOutput(
                    opened, sampleRate: output.sampleRate, channelCount: output.channelCount,
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
            guard let self else { return }
            switch event {
            case .lost(let error): deviceWasLost(device, error)
            case .routeChanged, .formatChanged: session.changes.async { self.followRoute(of: device) }
            case .started, .stopped: break
            }
        }
    }

    /// While a null device keeps the time, an output is looked for. Under the lock.
    private func searchForOutput() {
        session.searches.end()
        guard let device = session.device, device.isSilent else { return }
        let (forEars, rate) = (isForEars, device.sampleRate)
        session.searches.findOutput { [weak self, weak device] found in
            guard let self, let device else { return }
            session.changes.async { self.replace(device, by: found) }
        } open: {
            try SpatialEngine.openDevice(forEars: forEars, sampleRate: rate, fallback: .error)
        }
    }

    // MARK: Another route

    /// The default output at the rate that is rendered; nil without one.
    private func openRoute() -> (any OutputDevice)? {
        let (forEars, rate) = locked { (isForEars, spatial.output?.sampleRate) }
        return try? SpatialEngine.openDevice(forEars: forEars, sampleRate: rate, fallback: .error)
    }

    /// Renders for a device's loudspeakers, or for ears, from the next frame on. What plays goes on as it is. Under the
    /// lock, while nothing renders.
    private func follow(_ device: any OutputDevice) {
        guard let output = spatial.output, !device.isSilent else { return }
        let wanted = form(for: device)
        guard wanted.format.sampleRate == output.sampleRate, !wanted.isRendered(by: output) else { return }
        // A callback of the device before may hang.
        guard session.gate.enter() else { return }
        defer { session.gate.leave() }
        do {
            try makeOutput(wanted, keepsSound: true)
            update()
        } catch {
            record(
                PHASEError(
                    .initializeFailed,
                    "The engine cannot render for \(device.name) (\(error)); it continues in the layout it has."))
        }
    }

    /// Sound comes out of something else now: the engine moves there where that has other loudspeakers, or is for ears;
    /// else the server has done all there is to do. Under no lock.
    func followRoute(of device: DeviceSession) {
        guard locked({ session.device === device && renderingState == .started }) else { return }
        guard let opened = openRoute() else {
            // A crowded server may answer later.
            return session.changes.asyncAfter(deadline: .now() + .milliseconds(500)) { [weak self, weak device] in
                if let device { self?.followRoute(of: device) }
            }
        }
        guard locked({ spatial.output.map { !form(for: opened).isRendered(by: $0) } ?? false }) else { return }
        replace(device, by: opened)
    }

    /// The device's thread: sound continues at what is the default now, after a moment in which the machine may settle.
    func deviceWasLost(_ device: DeviceSession, _ error: any Error) {
        session.changes.asyncAfter(deadline: .now() + .milliseconds(200)) { [weak self] in
            self?.replace(device, after: error)
        }
    }

    /// - Parameters: error: why the device is no more; nil where it is left. - found: nil for the default.
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

/// What an engine renders: channels, and whether they are ears.
struct OutputForm {
    let format: AVAudioFormat
    let isBinaural: Bool

    /// - Parameter suitsEars: whether `.automatic` is binaural in stereo.
    init(_ format: AVAudioFormat, _ mode: PHASESpatializationMode, suitsEars: Bool) {
        self.format = format
        let wantsEars =
            switch mode {
            case .automatic: suitsEars
            case .alwaysUseBinaural: true
            case .alwaysUseChannelBased: false
            }
        isBinaural = wantsEars && format.channelCount == 2
    }

    func isRendered(by output: OutputStage) -> Bool {
        output.labels == format.channelLabels && (output.hrtf != nil) == isBinaural
    }
}
