// An addition to Apple's session: what happens around it can be simulated.

import OssicleCoreAudioTypes
import OssiclePlayback

extension AVAudioSession: OssicleAdditions {}

/// Who takes the sound away in a simulation (an addition of Ossicle).
public enum AVAudioSessionSimulatedInterruption: Sendable, CaseIterable {
    /// A telephone call; it interrupts every active session.
    case call
    /// Another program that does not mix; it interrupts sessions that do not mix either.
    case otherProgram
    /// A spoken prompt of another program; it interrupts the mode `.spokenAudio`.
    case prompt
    /// The switch that mutes the microphone; it interrupts categories that record, without
    /// `.overrideMutedMicrophoneInterruption`.
    case mutedMicrophone

    fileprivate var claim: SoundClaim {
        switch self {
        case .call: .call
        case .otherProgram: .program
        case .prompt: .prompt
        case .mutedMicrophone: .mutedMicrophone
        }
    }
}

/// What other programs play in a simulation (an addition of Ossicle).
public enum AVAudioSessionSimulatedAudio: Sendable, CaseIterable {
    /// Nothing.
    case none
    /// Effects and prompts.
    case secondary
    /// Music, a film or a call: secondary sound should be silent.
    case primary

    fileprivate var sound: OtherSound {
        switch self {
        case .none: .none
        case .secondary: .secondary
        case .primary: .primary
        }
    }
}

/// The simulation drives what the sound server drives otherwise: the same state, the same notifications in the same
/// order, posted before the call returns. It needs neither a server nor a device.
extension OssicleAdditions where Self: AVAudioSession {
    /// Whether the session is active: activated, and neither deactivated nor interrupted since.
    public var isActive: Bool { control.locked { control.activation.phase == .active } }

    /// Somebody takes the sound. An active session that this interrupts pauses what is at a device, becomes inactive
    /// and posts `interruptionNotification`.
    /// - Returns: whether the session is interrupted.
    @discardableResult
    public func simulateInterruption(_ source: AVAudioSessionSimulatedInterruption = .otherProgram) -> Bool {
        control.move { $0.begin(source.claim) }
    }

    /// Somebody gives the sound back. The interruption ends with the last who interrupts; the session stays inactive
    /// until the program activates it.
    /// - Parameters:
    ///   - source: of the interruption that ends.
    ///   - shouldResume: whether the notification says that the program should play again.
    public func simulateInterruptionEnd(
        _ source: AVAudioSessionSimulatedInterruption = .otherProgram, shouldResume: Bool = true
    ) {
        control.move { $0.end(source.claim, mayResume: shouldResume) }
    }

    /// Other programs begin to play, or cease; an active session posts `silenceSecondaryAudioHintNotification` when
    /// primary sound does.
    public func simulateOtherAudio(_ audio: AVAudioSessionSimulatedAudio) {
        control.move { $0.note(audio.sound) }
    }

    /// Puts ports in place of the machine's; the first of each is the default. Engines play to the machine's device all
    /// the same.
    /// - Parameters:
    ///   - inputs: from `simulatedPort`; an empty list for no input.
    ///   - outputs: from `simulatedPort`.
    ///   - reason: `nil` for what follows from old and new ports.
    public func simulateRoute(
        inputs: [AVAudioSessionPortDescription] = [], outputs: [AVAudioSessionPortDescription],
        reason: AVAudioSession.RouteChangeReason? = nil
    ) {
        control.simulate(SessionPorts(inputs: inputs, outputs: outputs), reason)
    }

    /// Returns to the machine's ports.
    public func endRouteSimulation() { control.simulate(nil, nil) }

    /// The sound server goes: `mediaServicesWereLostNotification`. The session is inactive, and cannot be activated.
    public func simulateMediaServicesLoss() { control.move { $0.loseServices() } }

    /// The sound server comes back: `mediaServicesWereResetNotification`, after that of the loss if there was none.
    public func simulateMediaServicesReset() { control.move { $0.resetServices() } }

    /// The listener turns a muted output up: `userIntentToUnmuteOutputNotification`, if `isOutputMuted`.
    public func simulateIntentToUnmute() {
        control.locked {
            if control.settings.habits.isOutputMuted {
                control.tell(AVAudioSession.userIntentToUnmuteOutputNotification)
            }
        }
    }

    /// A port for `simulateRoute`.
    /// - Parameters:
    ///   - type: what kind of port.
    ///   - name: what people call it; its `uid` follows from type and name.
    ///   - channelCount: 1 … 64, clamped.
    ///   - dataSources: from `simulatedDataSource`; `nil` for a port without.
    public static func simulatedPort(
        _ type: AVAudioSession.Port, name: String, channelCount: Int = 2,
        dataSources: [AVAudioSessionDataSourceDescription]? = nil
    ) -> AVAudioSessionPortDescription {
        AVAudioSessionPortDescription(
            type: type, name: name, uid: "simulated.\(type.rawValue).\(name)",
            channelLabels: AVAudioSessionPortDescription.usualLabels(min(max(channelCount, 1), 64)),
            dataSources: dataSources)
    }

    /// A data source for `simulatedPort`.
    public static func simulatedDataSource(
        id: Int, name: String, location: AVAudioSession.Location? = nil,
        orientation: AVAudioSession.Orientation? = nil, polarPatterns: [AVAudioSession.PolarPattern]? = nil
    ) -> AVAudioSessionDataSourceDescription {
        AVAudioSessionDataSourceDescription(
            id: id, name: name, location: location, orientation: orientation, polarPatterns: polarPatterns)
    }
}
