import OssicleCoreAudioTypes
import OssicleDevices
import OssiclePlayback

/// What is actually so. Under the lock, except `report`.
extension SessionControl {
    var ports: SessionPorts { simulatedPorts ?? SessionPorts(surroundings.devices) }

    /// The inputs there are, if the program may record.
    var recordableInputs: [AVAudioSessionPortDescription] { access.isDenied ? [] : ports.inputs }

    /// Those that the category can use.
    var availableInputs: [AVAudioSessionPortDescription] { settings.records ? recordableInputs : [] }

    var route: AVAudioSessionRouteDescription { route(at: ports) }

    func route(at ports: SessionPorts) -> AVAudioSessionRouteDescription {
        let inputs = settings.records && !access.isDenied ? ports.inputs : []
        let input = inputs.first { $0 == settings.preferences.input } ?? inputs.first
        let outputs = settings.plays ? ports.outputs : []
        let wantsSpeaker = settings.portOverride == .speaker || settings.options.contains(.defaultToSpeaker)
        let isAtEar = outputs.first?.portType == .builtInReceiver || settings.portOverride == .speaker
        let speaker = wantsSpeaker && isAtEar ? outputs.first { $0.portType == .builtInSpeaker } : nil
        return AVAudioSessionRouteDescription(
            inputs: [input].compactMap { $0 }, outputs: [speaker ?? outputs.first].compactMap { $0 })
    }

    var renderingMode: AVAudioSession.RenderingMode { renderingMode(at: ports) }

    func renderingMode(at ports: SessionPorts) -> AVAudioSession.RenderingMode {
        guard activation.phase == .active, let output = route(at: ports).outputs.first else { return .notApplicable }
        return output.channels?.count ?? 0 > 2 ? .surround : .monoStereo
    }

    /// Of the first participant that is at a device.
    var report: DeviceReport? { participants.all.lazy.compactMap(\.deviceReport).first }

    /// Hz.
    var sampleRate: Double {
        let wish = settings.preferences.sampleRate
        return report?.sampleRate ?? ((1000.0...384_000).contains(wish) ? wish : ports.sampleRate)
    }

    /// Seconds.
    var bufferDuration: Double { Double(settings.preferences.ofDevices.quantum(at: sampleRate)) / sampleRate }
}

/// What becomes of the route when devices come and go.
extension SessionControl {
    /// Sets ports in place of the machine's; `nil` returns to those.
    func simulate(_ ports: SessionPorts?, _ reason: AVAudioSession.RouteChangeReason?) {
        locked {
            let (old, new) = (self.ports, ports ?? SessionPorts(surroundings.devices))
            simulatedPorts = ports
            replace(old, by: new, reason)
        }
    }

    /// Under the lock.
    /// - Parameter reason: what to post; `nil` for what follows from the ports.
    func replace(
        _ old: SessionPorts, by new: SessionPorts, _ reason: AVAudioSession.RouteChangeReason?
    ) {
        let (previous, mode) = (route(at: old), renderingMode(at: old))
        if old.inputs != new.inputs { tell(AVAudioSession.availableInputsChangeNotification) }
        if let input = settings.preferences.input, !new.inputs.contains(input) { settings.preferences.input = nil }
        guard let reason = reason ?? self.reason(from: (previous, old), to: (route(at: new), new)) else { return }
        settings.portOverride = .none
        let now = route(at: new)
        tellRoute(reason, previous)
        let channels = [previous, now].map { $0.outputs.first?.channels?.count }
        if channels[0] != channels[1] { tell(AVAudioSession.renderingCapabilitiesChangeNotification) }
        tellRendering(since: mode)
        if reason == .oldDeviceUnavailable, previous.outputs != now.outputs {
            perform(activation.begin(.routeDisconnected))
        }
    }

    private typealias RoutedPorts = (route: AVAudioSessionRouteDescription, ports: SessionPorts)

    /// Why a route has become another; `nil` if it has not.
    private func reason(from old: RoutedPorts, to new: RoutedPorts) -> AVAudioSession.RouteChangeReason? {
        if settings.records, !settings.plays, new.route.inputs.isEmpty, !old.route.inputs.isEmpty {
            return .noSuitableRouteForCategory
        }
        let before = (old.route.outputs + old.route.inputs, old.ports.outputs + old.ports.inputs)
        let now = (new.route.outputs + new.route.inputs, new.ports.outputs + new.ports.inputs)
        if before.0.contains(where: { !now.1.contains($0) }) { return .oldDeviceUnavailable }
        if now.0.contains(where: { !before.1.contains($0) }) { return .newDeviceAvailable }
        if old.route != new.route { return .override }
        let isSameForm = zip(before.0, now.0).allSatisfy { $0.channels?.count == $1.channels?.count }
        return isSameForm && old.ports.sampleRate == new.ports.sampleRate ? nil : .routeConfigurationChange
    }
}
