import Foundation
import OssicleDevices
import OssiclePlayback
import Testing
@testable import OssicleAVFAudio

@Suite("Session: routes, ports and preferred values")
struct SessionRouteTests {
    typealias Session = AVAudioSession

    private func change(_ note: Notification) -> (Session.RouteChangeReason?, [String]?) {
        let reason = note.userInfo?[AVAudioSessionRouteChangeReasonKey] as? UInt
        let previous = note.userInfo?[AVAudioSessionRouteChangePreviousRouteKey] as? AVAudioSessionRouteDescription
        return (reason.flatMap(Session.RouteChangeReason.init), previous?.outputs.map(\.portName))
    }

    private func routeChanges(_ stage: SessionStage) -> [(Session.RouteChangeReason?, [String]?)] {
        stage.notes.take().filter { $0.name == Session.routeChangeNotification }.map(change)
    }

    @Test("The route has the default devices that the category uses")
    func route() throws {
        let session = SessionStage().session
        #expect(session.currentRoute.outputs.map(\.portName) == ["Speakers"] && session.currentRoute.inputs.isEmpty)
        #expect(session.availableInputs == [])
        try session.setCategory(.playAndRecord)
        #expect(session.currentRoute.inputs.map(\.portType) == [.builtInMic])
        #expect(session.availableInputs?.map(\.portName) == ["Microphone", "Headset microphone"])
        try session.setCategory(.record)
        #expect(session.currentRoute.outputs.isEmpty && session.outputNumberOfChannels == 0)
        #expect(session.inputNumberOfChannels == 1)
    }

    @Test("Without a server the output is a silent clock, and nothing traps")
    func silence() throws {
        let session = SessionStage(devices: DeviceList()).session
        #expect(session.currentRoute.outputs.map(\.portType) == [.virtual])
        #expect(session.sampleRate == 48_000 && session.outputNumberOfChannels == 2 && session.outputVolume == 1)
        #expect(session.inputDataSources == nil && session.outputDataSource == nil)
        #expect(session.outputLatency == 0 && session.inputLatency == 0)
        try session.setCategory(.playAndRecord)
        #expect(session.currentRoute.inputs.isEmpty && session.maximumInputNumberOfChannels == 0)
        try session.setActive(true)
        #expect(session.renderingMode == .monoStereo)
    }

    @Test("Types of ports follow the server's names")
    func portTypes() {
        let table: [(String, DeviceInfo.Direction, Session.Port)] = [
            ("bluez_output.00", .output, .bluetoothA2DP), ("bluez_output.00.headset-head-unit", .output, .bluetoothHFP),
            ("bluez_input.00", .input, .bluetoothHFP), ("alsa_output.usb-x", .output, .usbAudio),
            ("alsa_output.pci-0.hdmi-stereo", .output, .HDMI), ("alsa_output.pci-0.analog", .output, .builtInSpeaker),
            ("alsa_input.pci-0.analog", .input, .builtInMic), ("ossicle", .output, .virtual),
        ]
        for (id, direction, type) in table {
            let device = DeviceInfo(id: id, name: id, direction: direction, sampleRate: 48_000, channelCount: 2)
            #expect(AVAudioSessionPortDescription(device).portType == type, "\(id)")
        }
    }

    @Test("Channels have numbers from 1, labels of the usual layout and their port's identifier")
    func channels() {
        let port = Session.simulatedPort(.HDMI, name: "Receiver", channelCount: 6)
        #expect(port.channels?.map(\.channelNumber) == [1, 2, 3, 4, 5, 6])
        #expect(port.channels?.map(\.channelLabel) == [1, 2, 3, 4, 5, 6])
        #expect(port.channels?.allSatisfy { $0.owningPortUID == port.uid } == true)
        #expect(Session.simulatedPort(.virtual, name: "x", channelCount: 5).channels?.count == 5)
        #expect(Session.simulatedPort(.virtual, name: "x", channelCount: -1).channels?.count == 1)
    }

    @Test("Devices that come, go, are chosen or change their form: reason, previous route, and the interruption")
    func deviceChanges() throws {
        let stage = SessionStage()
        let (speaker, headset) = (SessionStage.speaker, SessionStage.headset)
        func list(_ default: DeviceInfo, _ others: DeviceInfo...) -> DeviceList {
            let device = DeviceInfo(
                id: `default`.id, name: `default`.name, direction: .output, sampleRate: `default`.sampleRate,
                channelCount: `default`.channelCount, isDefault: true)
            return DeviceList(outputs: [device] + others, inputs: SessionStage.laptop.inputs)
        }
        try stage.session.setCategory(.playback)
        stage.surroundings.change(to: list(speaker))
        stage.settle()
        #expect(routeChanges(stage).isEmpty, "a device that was not in use")
        try stage.session.setActive(true)
        _ = stage.notes.take()
        stage.surroundings.change(to: list(headset, speaker))
        stage.settle()
        #expect(routeChanges(stage).map(\.0) == [.newDeviceAvailable])
        stage.surroundings.change(to: list(speaker, headset))
        stage.settle()
        let chosen = routeChanges(stage)
        #expect(chosen.map(\.0) == [.override] && chosen[0].1 == ["Headset"])
        stage.surroundings.change(to: list(headset))
        stage.settle()
        let gone = stage.notes.take().filter { $0.name != Session.renderingModeChangeNotification }
        #expect(
            gone.map(\.name) == [
                Session.routeChangeNotification, Session.didBecomeInactiveNotification,
                Session.interruptionNotification,
            ])
        #expect(change(gone[0]).0 == .oldDeviceUnavailable)
        #expect(gone[2].userInfo?[AVAudioSessionInterruptionReasonKey] as? UInt == 4, "routeDisconnected")
        try stage.session.setPrefersInterruptionOnRouteDisconnect(false)
        try stage.session.setActive(true)
        stage.surroundings.change(to: list(speaker))
        stage.settle()
        #expect(routeChanges(stage).map(\.0) == [.oldDeviceUnavailable] && stage.session.isActive)
        let wider = DeviceInfo(
            id: speaker.id, name: speaker.name, direction: .output, sampleRate: 96_000, channelCount: 6)
        stage.surroundings.change(to: list(wider))
        stage.settle()
        let notes = stage.notes.take()
        #expect(notes.map(change).first?.0 == .routeConfigurationChange)
        #expect(notes.map(\.name).contains(Session.renderingCapabilitiesChangeNotification))
        let mode = notes.last { $0.name == Session.renderingModeChangeNotification }
        #expect(mode?.userInfo?[AVAudioSessionRenderingModeNewRenderingModeKey] as? Int == 2, "surround")
        #expect(stage.session.sampleRate == 96_000 && stage.session.maximumOutputNumberOfChannels == 6)
    }

    @Test("A changed category tells an active session's route change")
    func categoryChange() throws {
        let stage = SessionStage()
        try stage.session.setCategory(.ambient)
        #expect(routeChanges(stage).isEmpty)
        try stage.session.setActive(true)
        try stage.session.setCategory(.playAndRecord)
        #expect(routeChanges(stage).map(\.0) == [.categoryChange])
    }

    @Test("A preferred input is one of those there are; devices are opened with it, until it goes")
    func preferredInput() throws {
        let stage = SessionStage()
        try stage.session.setCategory(.playAndRecord)
        _ = stage.notes.take()
        let headset = try #require(stage.session.availableInputs?.last)
        try stage.session.setPreferredInput(headset)
        #expect(stage.session.preferredInput == headset && stage.session.currentRoute.inputs == [headset])
        #expect(stage.wishes.value.inputDevice == "alsa_input.usb-0")
        #expect(routeChanges(stage).map(\.0) == [.override])
        let other = Session.simulatedPort(.lineIn, name: "Line")
        #expect(sessionCode { try stage.session.setPreferredInput(other) } == .badParam)
        stage.surroundings.change(
            to: DeviceList(outputs: SessionStage.laptop.outputs, inputs: [SessionStage.microphone]))
        stage.settle()
        #expect(stage.session.preferredInput == nil)
        let names = stage.notes.takeNames()
        #expect(names.contains(Session.availableInputsChangeNotification))
    }

    @Test("The loudspeaker instead of the receiver: by option, and by override until the route changes")
    func speaker() throws {
        let session = SessionStage().session
        let receiver = Session.simulatedPort(.builtInReceiver, name: "Receiver")
        let speaker = Session.simulatedPort(.builtInSpeaker, name: "Speaker")
        #expect(sessionCode { try session.overrideOutputAudioPort(.speaker) } == .incompatibleCategory)
        #expect(sessionCode { try session.setAggregatedIOPreference(.aggregated) } == .incompatibleCategory)
        try session.setCategory(.playAndRecord)
        session.simulateRoute(outputs: [receiver, speaker])
        #expect(session.currentRoute.outputs == [receiver])
        try session.overrideOutputAudioPort(.speaker)
        #expect(session.currentRoute.outputs == [speaker])
        session.simulateRoute(outputs: [receiver, speaker], reason: .unknown)
        #expect(session.currentRoute.outputs == [receiver])
        try session.setCategory(.playAndRecord, options: .defaultToSpeaker)
        #expect(session.currentRoute.outputs == [speaker])
        session.endRouteSimulation()
        #expect(session.currentRoute.outputs.map(\.portName) == ["Speakers"])
    }

    @Test("Data sources and polar patterns are chosen among those there are")
    func dataSources() throws {
        let session = SessionStage().session
        let front = Session.simulatedDataSource(
            id: 1, name: "Front", location: .upper, orientation: .front, polarPatterns: [.omnidirectional, .cardioid])
        let back = Session.simulatedDataSource(id: 2, name: "Back", orientation: .back)
        let microphone = Session.simulatedPort(.builtInMic, name: "Microphone", dataSources: [front, back])
        try session.setCategory(.playAndRecord)
        session.simulateRoute(inputs: [microphone], outputs: [Session.simulatedPort(.headphones, name: "Headphones")])
        #expect(session.inputDataSources == [front, back] && session.inputDataSource == front)
        try session.setInputDataSource(back)
        #expect(session.inputDataSource == back && microphone.preferredDataSource == back)
        #expect(sessionCode { try session.setOutputDataSource(back) } == .badParam)
        try front.setPreferredPolarPattern(.cardioid)
        #expect(front.selectedPolarPattern == .cardioid)
        #expect(sessionCode { try front.setPreferredPolarPattern(.stereo) } == .badParam)
        #expect(sessionCode { try back.setPreferredPolarPattern(.stereo) } == .badParam)
    }

    @Test("Preferred values are kept; actual ones are clamped to what devices can")
    func preferredValues() throws {
        let stage = SessionStage()
        let session = stage.session
        #expect(session.preferredSampleRate == 0 && session.sampleRate == 48_000)
        #expect(session.ioBufferDuration == 512.0 / 48_000)
        try session.setPreferredSampleRate(44_100)
        try session.setPreferredIOBufferDuration(0.005)
        #expect(session.sampleRate == 44_100 && session.ioBufferDuration == 221.0 / 44_100)
        #expect(stage.wishes.value.sampleRate == 44_100 && stage.wishes.value.bufferDuration == 0.005)
        try session.setPreferredIOBufferDuration(3)
        #expect(session.preferredIOBufferDuration == 3 && session.ioBufferDuration == 8192.0 / 44_100)
        try session.setPreferredIOBufferDuration(1e-9)
        #expect(session.ioBufferDuration == 16.0 / 44_100)
        try session.setPreferredSampleRate(1)
        #expect(session.preferredSampleRate == 1 && session.sampleRate == 48_000)
        for value in [-1, Double.nan, .infinity] {
            #expect(sessionCode { try session.setPreferredSampleRate(value) } == .badParam)
            #expect(sessionCode { try session.setPreferredIOBufferDuration(value) } == .badParam)
        }
        try session.setPreferredOutputNumberOfChannels(2)
        #expect(session.preferredOutputNumberOfChannels == 2 && session.outputNumberOfChannels == 2)
        #expect(stage.wishes.value.outputChannels == 2 && stage.wishes.value.inputChannels == nil)
        for count in [-1, 3, .max] {
            #expect(sessionCode { try session.setPreferredOutputNumberOfChannels(count) } == .badParam)
        }
        #expect(sessionCode { try session.setPreferredInputNumberOfChannels(1) } == .badParam, "playback has no input")
        #expect(sessionCode { try session.setInputGain(0.5) } == .resourceNotAvailable)
        #expect(session.supportedOutputChannelLayouts.map(\.channelCount) == [1, 2])
    }

    @Test("What runs at a device says rate, channels and latencies")
    func report() {
        let stage = SessionStage()
        let player = StagedParticipant(
            DeviceReport(sampleRate: 96_000, channelCount: 6, outputLatency: 0.04, inputLatency: 0.02))
        stage.participants.add(player)
        #expect(stage.session.sampleRate == 96_000 && stage.session.outputNumberOfChannels == 6)
        #expect(stage.session.outputLatency == 0.04 && stage.session.inputLatency == 0.02)
    }

    @Test("Values without a counterpart are kept")
    func keptValues() throws {
        let stage = SessionStage()
        let session = stage.session
        try session.setAllowHapticsAndSystemSoundsDuringRecording(true)
        try session.setPrefersNoInterruptionsFromSystemAlerts(true)
        try session.setSupportsMultichannelContent(true)
        try session.setPreferredInputOrientation(.landscapeLeft)
        try session.setPreferredMicrophoneInjectionMode(.spokenAudio)
        #expect(session.allowHapticsAndSystemSoundsDuringRecording && session.prefersNoInterruptionsFromSystemAlerts)
        #expect(session.supportsMultichannelContent && session.preferredInputOrientation == .landscapeLeft)
        #expect(session.preferredMicrophoneInjectionMode == .spokenAudio)
        #expect(sessionCode { try session.setPrefersEchoCancelledInput(true) } == .incompatibleCategory)
        try session.setCategory(.playAndRecord)
        try session.setPrefersEchoCancelledInput(true)
        #expect(session.prefersEchoCancelledInput && !session.isEchoCancelledInputEnabled)
        _ = stage.notes.take()
        try session.setOutputMuted(true)
        try session.setOutputMuted(true)
        session.simulateIntentToUnmute()
        let notes = stage.notes.take()
        #expect(
            notes.map(\.name) == [
                Session.outputMuteStateChangeNotification, Session.userIntentToUnmuteOutputNotification,
            ])
        #expect(notes[0].userInfo?[AVAudioSessionMuteStateKey] as? Bool == true && session.isOutputMuted)
        #expect(stage.surroundings.isMuted)
        try session.setOutputMuted(false)
        #expect(!session.isOutputMuted && !stage.surroundings.isMuted)
    }
}
