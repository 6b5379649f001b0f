// What a session asks of its devices, and what it has.

import OssicleCoreAudioTypes

/// A preferred value is a wish that devices are opened with; ask for the actual value behind it after activation.
extension AVAudioSession {
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

    /// Seconds of a block; 0 for no preference, which is 512 frames. Throws `badParam` for a negative or infinite value.
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

    /// 0 for no preference. Throws `badParam` for more than `maximumInputNumberOfChannels`. Kept.
    public func setPreferredInputNumberOfChannels(_ count: Int) throws {
        try setChannels(count, of: maximumInputNumberOfChannels, "input") { $0.inputChannels = count }
    }

    /// Default 0.
    public var preferredInputNumberOfChannels: Int { control.settingsNow.preferences.inputChannels }

    /// 0 for no preference. Throws `badParam` for more than `maximumOutputNumberOfChannels`. Kept.
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

    /// Of the current input.
    public var inputNumberOfChannels: Int { maximumInputNumberOfChannels }

    /// Of what runs at a device; else of the current output.
    public var outputNumberOfChannels: Int { control.report?.channelCount ?? maximumOutputNumberOfChannels }

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

    /// 1: the sound server's mixer sets the volume behind the program's back.
    public var outputVolume: Float { 1 }

    /// Kept, and posted as `outputMuteStateChangeNotification`.
    public func setOutputMuted(_ muted: Bool) throws {
        control.locked {
            guard control.settings.habits.isOutputMuted != muted else { return }
            control.settings.habits.isOutputMuted = muted
            control.tell(Self.outputMuteStateChangeNotification, [AVAudioSessionMuteStateKey: muted])
        }
    }

    /// Default false.
    public var isOutputMuted: Bool { control.settingsNow.habits.isOutputMuted }

    // MARK: Kept for who asks

    /// Kept: nothing here is held.
    public func setPreferredInputOrientation(_ orientation: StereoOrientation) throws {
        control.prefer { $0.inputOrientation = orientation }
    }

    /// Default `.none`.
    public var preferredInputOrientation: StereoOrientation { control.settingsNow.preferences.inputOrientation }

    /// `.none`.
    public var inputOrientation: StereoOrientation { .none }

    /// Kept: there are no haptics.
    public func setAllowHapticsAndSystemSoundsDuringRecording(_ inValue: Bool) throws {
        control.keep { $0.allowsHapticsDuringRecording = inValue }
    }

    /// Default false.
    public var allowHapticsAndSystemSoundsDuringRecording: Bool {
        control.settingsNow.habits.allowsHapticsDuringRecording
    }

    /// Kept: alerts do not interrupt here.
    public func setPrefersNoInterruptionsFromSystemAlerts(_ inValue: Bool) throws {
        control.keep { $0.prefersNoInterruptionsFromAlerts = inValue }
    }

    /// Default false.
    public var prefersNoInterruptionsFromSystemAlerts: Bool {
        control.settingsNow.habits.prefersNoInterruptionsFromAlerts
    }

    /// Whether a session of `.playback` that does not mix is interrupted when its device goes.
    public func setPrefersInterruptionOnRouteDisconnect(_ inValue: Bool) throws {
        control.keep { $0.prefersInterruptionOnRouteDisconnect = inValue }
    }

    /// Default true.
    public var prefersInterruptionOnRouteDisconnect: Bool {
        control.settingsNow.habits.prefersInterruptionOnRouteDisconnect
    }

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

    /// Kept: the output's channels are used in any case.
    public func setSupportsMultichannelContent(_ inValue: Bool) throws {
        control.keep { $0.supportsMultichannelContent = inValue }
    }

    /// Default false.
    public var supportsMultichannelContent: Bool { control.settingsNow.habits.supportsMultichannelContent }

    /// Kept: no sound is mixed into the microphone of others.
    public func setPreferredMicrophoneInjectionMode(_ inValue: MicrophoneInjectionMode) throws {
        control.keep { $0.injectionMode = inValue }
    }

    /// Default `.none`.
    public var preferredMicrophoneInjectionMode: MicrophoneInjectionMode { control.settingsNow.habits.injectionMode }

    /// False.
    public var isMicrophoneInjectionAvailable: Bool { false }
}
