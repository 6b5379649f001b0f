import OssicleDevices
import OssiclePlayback

/// What a session is set to.
struct SessionSettings: Sendable {
    var category = AVAudioSession.Category.soloAmbient
    var mode = AVAudioSession.Mode.default
    var options: AVAudioSession.CategoryOptions = []
    var policy = AVAudioSession.RouteSharingPolicy.default
    var portOverride = AVAudioSession.PortOverride.none
    var preferences = SessionPreferences()
    var habits = SessionHabits()

    var plays: Bool { SessionRules.plays(category) }
    var records: Bool { SessionRules.records(category) }

    /// What this means to the sound of others.
    var intent: SessionIntent {
        var intent = SessionIntent()
        intent.mixes = category == .ambient || options.contains(.mixWithOthers)
        intent.ducksOthers = options.contains(.duckOthers)
        intent.isSpoken = mode == .spokenAudio
        intent.needsMicrophone = records && !options.contains(.overrideMutedMicrophoneInterruption)
        intent.haltsWithRoute = category == .playback && !intent.mixes && habits.prefersInterruptionOnRouteDisconnect
        return intent
    }

    /// What this means to the devices.
    var devicePreferences: DevicePreferences {
        var wishes = preferences.ofDevices
        wishes.processesVoice = mode == .voiceChat || mode == .videoChat
        return wishes
    }

    /// What this means to the sound server.
    var role: StreamRole {
        switch mode {
        case .voiceChat, .gameChat, .videoChat: .phone
        case .moviePlayback, .shortFormVideo: .video
        case .voicePrompt: .announcement
        case .videoRecording, .measurement: .production
        default: category == .ambient ? .game : .music
        }
    }
}

/// What a session asks of the devices. 0 and `nil` mean no preference.
struct SessionPreferences: Sendable {
    /// Hz.
    var sampleRate = 0.0
    /// Seconds.
    var bufferDuration = 0.0
    var inputChannels = 0
    var outputChannels = 0
    var input: AVAudioSessionPortDescription?
    var inputOrientation = AVAudioSession.StereoOrientation.none
    /// 0 … 1.
    var inputGain: Float = 1

    /// In terms of the devices.
    var ofDevices: DevicePreferences {
        var wishes = DevicePreferences()
        wishes.sampleRate = sampleRate > 0 ? sampleRate : nil
        wishes.bufferDuration = bufferDuration > 0 ? bufferDuration : nil
        wishes.inputDevice = input?.uid
        wishes.inputChannels = inputChannels > 0 ? inputChannels : nil
        wishes.outputChannels = outputChannels > 0 ? outputChannels : nil
        return wishes
    }
}

/// What is kept for programs that ask for it.
struct SessionHabits: Sendable {
    var allowsHapticsDuringRecording = false
    var prefersNoInterruptionsFromAlerts = false
    var prefersInterruptionOnRouteDisconnect = true
    var prefersEchoCancelledInput = false
    var supportsMultichannelContent = false
    var injectionMode = AVAudioSession.MicrophoneInjectionMode.none
    var isOutputMuted = false
}
