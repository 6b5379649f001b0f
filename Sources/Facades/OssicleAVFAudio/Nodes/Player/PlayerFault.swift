import OssicleCoreAudioTypes

/// What can be wrong with a call to a player.
enum PlayerFault {
    private static func error(
        _ status: OSStatus, _ node: AVAudioNode, _ value: String, _ rule: String, _ cure: String
    ) -> OssicleError {
        .avfaudio(status, node.title, value: value, rule: rule, cure: cure)
    }

    static func notRunning(_ node: AVAudioNode) -> OssicleError {
        error(
            kAudioUnitErr_CannotDoInCurrentContext, node, "play while the engine does not run",
            "A player starts in a running engine.",
            "Call engine.start() first; or play(), which begins as soon as the engine runs.")
    }

    static func disconnected(_ node: AVAudioNode) -> OssicleError {
        error(
            kAudioUnitErr_NoConnection, node, "play while it is connected to nothing",
            "A player starts when its sound goes somewhere.",
            "Attach and connect it first; or play(), which begins as soon as it is connected.")
    }

    static func channels(_ node: AVAudioNode, _ count: AVAudioChannelCount, output: AVAudioFormat) -> OssicleError {
        error(
            kAudioUnitErr_FormatNotSupported, node, "a buffer of \(count) channels",
            "Buffers have as many channels as the player's output, \(output.channelCount).",
            "Connect the player with the buffer's format; the mixer behind it converts.")
    }

    static func samples(_ node: AVAudioNode, _ format: AVAudioFormat) -> OssicleError {
        error(
            kAudioUnitErr_FormatNotSupported, node, "a buffer in \(format)",
            "Buffers hold 16- or 32-bit integers, or 32- or 64-bit floats.",
            "Convert it with AVAudioConverter.")
    }

    static func noTime(_ node: AVAudioNode) -> OssicleError {
        error(
            kAudio_ParamError, node, "a time with neither sample nor host time",
            "A time has a valid sample time with its rate, or a valid host time.",
            "Use AVAudioTime(sampleTime:atRate:), or nil for as soon as possible.")
    }

    static func negativeStart(_ node: AVAudioNode, _ start: AVAudioFramePosition) -> OssicleError {
        error(
            kAudio_ParamError, node, "a segment from frame \(start)", "A segment begins at frame 0 or later.",
            "Count frames from the beginning of the file.")
    }
}
