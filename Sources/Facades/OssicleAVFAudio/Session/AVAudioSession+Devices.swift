// The devices that a session's sound comes from and goes to.

import OssicleCoreAudioTypes

/// A preferred value is a wish that devices are opened with; ask for the actual value behind it after activation.
extension AVAudioSession {
    // MARK: Routes

    /// The ports in use.
    public var currentRoute: AVAudioSessionRouteDescription { control.locked { control.route } }

    /// The inputs to choose from; empty for a category that does not record, and without permission.
    public var availableInputs: [AVAudioSessionPortDescription]? { control.locked { control.availableInputs } }

    /// Chooses one of `availableInputs`; `nil` leaves the choice to the sound server. Inputs are opened at it from then
    /// on. Throws `badParam` for another.
    public func setPreferredInput(_ inPort: AVAudioSessionPortDescription?) throws {
        try control.locked {
            if let inPort, !control.availableInputs.contains(inPort) {
                throw SessionFault.noInput(inPort.portName, of: control.availableInputs)
            }
            control.changeRoute(.override) { control.settings.preferences.input = inPort }
        }
    }

    /// Default `nil`.
    public var preferredInput: AVAudioSessionPortDescription? { control.settingsNow.preferences.input }

    /// Sends sound to the loudspeaker, until the route changes. Throws `incompatibleCategory` unless the category is
    /// `.playAndRecord`. Has an effect where there is such a port.
    public func overrideOutputAudioPort(_ portOverride: PortOverride) throws {
        try control.locked {
            try control.require(.playAndRecord, for: "overrideOutputAudioPort")
            control.changeRoute(.override) { control.settings.portOverride = portOverride }
        }
    }

    /// Whether input and output should share a clock; they do not here. Throws `incompatibleCategory` for `.aggregated`
    /// unless the category is `.playAndRecord`.
    public func setAggregatedIOPreference(_ inIOType: IOType) throws {
        guard inIOType == .aggregated else { return }
        try control.locked { try control.require(.playAndRecord, for: "setAggregatedIOPreference(.aggregated)") }
    }

    // MARK: Data sources

    /// Those of the current input; `nil` without a choice.
    public var inputDataSources: [AVAudioSessionDataSourceDescription]? { currentRoute.inputs.first?.dataSources }

    /// The one in use.
    public var inputDataSource: AVAudioSessionDataSourceDescription? { currentRoute.inputs.first?.selectedDataSource }

    /// Chooses one of `inputDataSources`. Throws `badParam` for another.
    public func setInputDataSource(_ dataSource: AVAudioSessionDataSourceDescription?) throws {
        try select(dataSource, at: currentRoute.inputs.first, "the input")
    }

    /// Those of the current output; `nil` without a choice.
    public var outputDataSources: [AVAudioSessionDataSourceDescription]? { currentRoute.outputs.first?.dataSources }

    /// The one in use.
    public var outputDataSource: AVAudioSessionDataSourceDescription? {
        currentRoute.outputs.first?.selectedDataSource
    }

    /// Chooses one of `outputDataSources`. Throws `badParam` for another.
    public func setOutputDataSource(_ dataSource: AVAudioSessionDataSourceDescription?) throws {
        try select(dataSource, at: currentRoute.outputs.first, "the output")
    }

    private func select(
        _ source: AVAudioSessionDataSourceDescription?, at port: AVAudioSessionPortDescription?, _ end: String
    ) throws {
        if let port { return try port.setPreferredDataSource(source) }
        if let source { throw SessionFault.noDataSource(source.dataSourceName, at: end, of: []) }
    }

    // MARK: Rates and blocks

    /// Hz; 0 for no preference. Throws `badParam` for a negative or infinite value. A rate outside 1,000 … 384,000 Hz
    /// is kept and passed over.
    public func setPreferredSampleRate(_ sampleRate: Double) throws {
        guard sampleRate.isFinite, sampleRate >= 0 else {
            throw SessionFault.value("preferred sample rate", sampleRate, unit: "Hz")
        }
        control.prefer { $0.sampleRate = sampleRate }
    }

    /// Hz; default 0.
    public var preferredSampleRate: Double { control.settingsNow.preferences.sampleRate }

    /// Hz, of what runs at a device; else of the device that would be opened.
    public var sampleRate: Double { control.locked { control.sampleRate } }

    /// Seconds of a block; 0 for no preference, which is 512 frames. Throws `badParam` for a negative or infinite
    /// value.
    public func setPreferredIOBufferDuration(_ duration: TimeInterval) throws {
        guard duration.isFinite, duration >= 0 else {
            throw SessionFault.value("preferred I/O buffer duration", duration, unit: "s")
        }
        control.prefer { $0.bufferDuration = duration }
    }

    /// Seconds; default 0.
    public var preferredIOBufferDuration: TimeInterval { control.settingsNow.preferences.bufferDuration }

    /// Seconds of a block of the device that would be opened: 16 to 8,192 frames.
    public var ioBufferDuration: TimeInterval { control.locked { control.bufferDuration } }

    // MARK: Channels

    /// 0 for no preference. Throws `badParam` for more than `maximumInputNumberOfChannels`. Inputs are opened with so
    /// many from then on.
    public func setPreferredInputNumberOfChannels(_ count: Int) throws {
        try setChannels(count, of: maximumInputNumberOfChannels, "input") { $0.inputChannels = count }
    }

    /// Default 0.
    public var preferredInputNumberOfChannels: Int { control.settingsNow.preferences.inputChannels }

    /// 0 for no preference. Throws `badParam` for more than `maximumOutputNumberOfChannels`. Outputs are opened with so
    /// many from then on.
    public func setPreferredOutputNumberOfChannels(_ count: Int) throws {
        try setChannels(count, of: maximumOutputNumberOfChannels, "output") { $0.outputChannels = count }
    }

    /// Default 0.
    public var preferredOutputNumberOfChannels: Int { control.settingsNow.preferences.outputChannels }

    private func setChannels(
        _ count: Int, of maximum: Int, _ direction: String, _ set: (inout SessionPreferences) -> Void
    ) throws {
        guard (0...max(maximum, 0)).contains(count) else {
            throw SessionFault.channels(count, of: maximum, direction)
        }
        control.prefer(set)
    }

    /// Of the current input; 0 without one.
    public var maximumInputNumberOfChannels: Int { currentRoute.inputs.first?.channels?.count ?? 0 }

    /// Of the current output; 0 without one.
    public var maximumOutputNumberOfChannels: Int { currentRoute.outputs.first?.channels?.count ?? 0 }

    /// Of an input that is opened now.
    public var inputNumberOfChannels: Int {
        let (wish, most) = (preferredInputNumberOfChannels, maximumInputNumberOfChannels)
        return wish > 0 ? min(wish, most) : most
    }

    /// Of what runs at a device; else of an output that is opened now.
    public var outputNumberOfChannels: Int {
        let (wish, most) = (preferredOutputNumberOfChannels, maximumOutputNumberOfChannels)
        return control.report?.channelCount ?? (wish > 0 ? min(wish, most) : most)
    }

    /// The layouts that the current output has the channels for.
    public var supportedOutputChannelLayouts: [AVAudioChannelLayout] {
        let count = maximumOutputNumberOfChannels
        let tags = [
            kAudioChannelLayoutTag_Mono, kAudioChannelLayoutTag_Stereo, kAudioChannelLayoutTag_Quadraphonic,
            kAudioChannelLayoutTag_MPEG_5_1_A, kAudioChannelLayoutTag_WAVE_7_1, kAudioChannelLayoutTag_Atmos_7_1_4,
        ]
        return tags.compactMap(AVAudioChannelLayout.init(layoutTag:)).filter { Int($0.channelCount) <= count }
    }

    /// What the output makes of what is played: nothing while the session is inactive, surround with more than two
    /// channels.
    public var renderingMode: RenderingMode { control.locked { control.renderingMode } }

    // MARK: Latencies

    /// Seconds from the microphone to the program; 0 without live input.
    public var inputLatency: TimeInterval { control.report?.inputLatency ?? 0 }

    /// Seconds from the program to the loudspeaker; 0 while nothing runs at a device.
    public var outputLatency: TimeInterval { control.report?.outputLatency ?? 0 }

    // MARK: Levels

    /// 0 … 1, clamped. Throws `resourceNotAvailable` where `isInputGainSettable` is false.
    public func setInputGain(_ gain: Float) throws {
        guard isInputGainSettable else { throw SessionFault.gainNotSettable }
        if gain.isNaN { throw SessionFault.value("input gain", Double(gain), unit: "") }
        control.prefer { $0.inputGain = min(max(gain, 0), 1) }
    }

    /// Default 1.
    public var inputGain: Float { control.settingsNow.preferences.inputGain }

    /// Whether the current input has a gain to set; none here has, as the sound server's mixer sets it.
    public var isInputGainSettable: Bool { false }

    /// Whether there is a microphone to record from, and permission.
    public var isInputAvailable: Bool { control.locked { !control.recordableInputs.isEmpty } }

    /// That of the default output in the sound server's mixer, 0 … 1, at most a second old; 1 where there is none.
    public var outputVolume: Float { control.locked { Float(control.ports.outputVolume) } }

    /// Silences what this program plays at devices, in a fade of one block, or lets it sound again; it goes on
    /// meanwhile. Posted as `outputMuteStateChangeNotification`.
    public func setOutputMuted(_ muted: Bool) throws {
        control.locked {
            guard control.settings.habits.isOutputMuted != muted else { return }
            control.settings.habits.isOutputMuted = muted
            control.surroundings.muteOutput(muted)
            control.tell(Self.outputMuteStateChangeNotification, [AVAudioSessionMuteStateKey: muted])
        }
    }

    /// Default false.
    public var isOutputMuted: Bool { control.settingsNow.habits.isOutputMuted }

    // MARK: Orientation and echo

    /// Kept: nothing here is held.
    public func setPreferredInputOrientation(_ orientation: StereoOrientation) throws {
        control.prefer { $0.inputOrientation = orientation }
    }

    /// Default `.none`.
    public var preferredInputOrientation: StereoOrientation { control.settingsNow.preferences.inputOrientation }

    /// `.none`.
    public var inputOrientation: StereoOrientation { .none }

    /// Kept: no echo is cancelled. Throws `incompatibleCategory` for true unless the category is `.playAndRecord`.
    public func setPrefersEchoCancelledInput(_ value: Bool) throws {
        try control.locked {
            if value { try control.require(.playAndRecord, for: "setPrefersEchoCancelledInput(true)") }
            control.keep { $0.prefersEchoCancelledInput = value }
        }
    }

    /// Default false.
    public var prefersEchoCancelledInput: Bool { control.settingsNow.habits.prefersEchoCancelledInput }

    /// False.
    public var isEchoCancelledInputEnabled: Bool { false }

    /// False.
    public var isEchoCancelledInputAvailable: Bool { false }
}
