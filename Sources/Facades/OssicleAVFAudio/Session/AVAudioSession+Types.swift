// The values of a session's properties.

import OssicleCoreAudioTypes

extension AVAudioSession {
    /// What sound is to a program, and how it gets on with the sound of others.
    public struct Category: RawRepresentable, Hashable, Sendable {
        /// The name in Apple's C interface.
        public let rawValue: String

        /// Any name; a session takes those below.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Plays beside others; the program does without, too.
        public static let ambient = Category(rawValue: "AVAudioSessionCategoryAmbient")
        /// The default: plays instead of others; the program does without, too.
        public static let soloAmbient = Category(rawValue: "AVAudioSessionCategorySoloAmbient")
        /// Plays instead of others, as the point of the program.
        public static let playback = Category(rawValue: "AVAudioSessionCategoryPlayback")
        /// Records, and plays nothing.
        public static let record = Category(rawValue: "AVAudioSessionCategoryRecord")
        /// Plays and records.
        public static let playAndRecord = Category(rawValue: "AVAudioSessionCategoryPlayAndRecord")
        /// Plays to, and records from, several devices at once.
        public static let multiRoute = Category(rawValue: "AVAudioSessionCategoryMultiRoute")
        /// Neither plays nor records.
        @available(*, deprecated, message: "No longer supported")
        public static let audioProcessing = Category(rawValue: "AVAudioSessionCategoryAudioProcessing")
    }

    /// What sound is for, within a category.
    public struct Mode: RawRepresentable, Hashable, Sendable {
        /// The name in Apple's C interface.
        public let rawValue: String

        /// Any name; a session takes those below.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Nothing in particular; in every category.
        public static let `default` = Mode(rawValue: "AVAudioSessionModeDefault")
        /// Speech in both directions.
        public static let voiceChat = Mode(rawValue: "AVAudioSessionModeVoiceChat")
        /// Speech in both directions beside a game.
        public static let gameChat = Mode(rawValue: "AVAudioSessionModeGameChat")
        /// Sound for a film that is being recorded.
        public static let videoRecording = Mode(rawValue: "AVAudioSessionModeVideoRecording")
        /// Sound that is measured, with as little processing as possible.
        public static let measurement = Mode(rawValue: "AVAudioSessionModeMeasurement")
        /// A film.
        public static let moviePlayback = Mode(rawValue: "AVAudioSessionModeMoviePlayback")
        /// Speech in both directions with pictures.
        public static let videoChat = Mode(rawValue: "AVAudioSessionModeVideoChat")
        /// Speech that is to be paused, not lowered, while somebody else's prompt is spoken.
        public static let spokenAudio = Mode(rawValue: "AVAudioSessionModeSpokenAudio")
        /// Short spoken prompts.
        public static let voicePrompt = Mode(rawValue: "AVAudioSessionModeVoicePrompt")
        /// Short films, one after the other.
        public static let shortFormVideo = Mode(rawValue: "AVAudioSessionModeShortFormVideo")
        /// Two routes at once, one of them a headset.
        public static let dualRoute = Mode(rawValue: "AVAudioSessionModeDualRoute")
    }

    /// How a category departs from what it usually does.
    public struct CategoryOptions: OptionSet, Hashable, Sendable {
        public let rawValue: UInt

        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// Others go on.
        public static let mixWithOthers = CategoryOptions(rawValue: 0x1)
        /// Others go on, at a lower level. Implies `mixWithOthers`.
        public static let duckOthers = CategoryOptions(rawValue: 0x2)
        /// The same as `allowBluetoothHFP`.
        @available(*, deprecated, renamed: "allowBluetoothHFP")
        public static let allowBluetooth = CategoryOptions(rawValue: 0x4)
        /// Headsets may be used for input.
        public static let allowBluetoothHFP = CategoryOptions(rawValue: 0x4)
        /// The loudspeaker plays, not the receiver at the ear.
        public static let defaultToSpeaker = CategoryOptions(rawValue: 0x8)
        /// Speech of others is paused, and everything else goes on. Includes `mixWithOthers`.
        public static let interruptSpokenAudioAndMixWithOthers = CategoryOptions(rawValue: 0x11)
        /// Wireless headphones may be used.
        public static let allowBluetoothA2DP = CategoryOptions(rawValue: 0x20)
        /// Loudspeakers on the network may be used.
        public static let allowAirPlay = CategoryOptions(rawValue: 0x40)
        /// A muted built-in microphone does not interrupt.
        public static let overrideMutedMicrophoneInterruption = CategoryOptions(rawValue: 0x80)
        /// A microphone that picks up from afar is preferred.
        public static let farFieldInput = CategoryOptions(rawValue: 1 << 18)
        /// Headsets work at full bandwidth in both directions where they can.
        public static let bluetoothHighQualityRecording = CategoryOptions(rawValue: 1 << 19)
    }

    /// With whom the output is shared.
    public enum RouteSharingPolicy: UInt, Sendable {
        /// With nobody in particular.
        case `default` = 0
        /// With programs that play music and speech for a long time.
        case longFormAudio = 1
        /// Set by the system alone.
        case independent = 2
        /// With programs that play films.
        case longFormVideo = 3

        /// The same as `longFormAudio`.
        @available(*, deprecated, renamed: "longFormAudio")
        public static var longForm: RouteSharingPolicy { .longFormAudio }
    }

    /// Where sound goes whatever the category says.
    public enum PortOverride: UInt, Sendable {
        /// The category decides.
        case none = 0
        /// To the built-in loudspeaker.
        case speaker = 0x7370_6B72
    }

    /// Whether input and output are one device.
    public enum IOType: UInt, Sendable {
        /// The system decides.
        case notSpecified = 0
        /// Both are driven by one clock.
        case aggregated = 1
    }

    /// Which way round a device with several microphones is held.
    public enum StereoOrientation: Int, Sendable {
        /// Its microphones are not used as a stereo pair.
        case none = 0
        /// Upright, the top upwards.
        case portrait = 1
        /// Upright, the top downwards.
        case portraitUpsideDown = 2
        /// Lying, its bottom edge to the right.
        case landscapeRight = 3
        /// Lying, its bottom edge to the left.
        case landscapeLeft = 4
    }

    /// What the output makes of what is played.
    public enum RenderingMode: Int, Sendable {
        /// Nothing is played.
        case notApplicable = 0
        /// Two channels or one.
        case monoStereo = 1
        /// Loudspeakers around the listener, channel by channel.
        case surround = 2
        /// Sound from around the listener at headphones or few loudspeakers.
        case spatialAudio = 3
        /// Dolby Digital, decoded by the receiver; not given here.
        case dolbyAudio = 4
        /// Dolby Atmos, decoded by the receiver; not given here.
        case dolbyAtmos = 5
    }

    /// Whether the program's sound is mixed into the microphone of others.
    public enum MicrophoneInjectionMode: Int, Sendable {
        /// Nothing is.
        case none = 0
        /// Speech is.
        case spokenAudio = 1
    }

    /// Why a session refuses; the codes of `NSOSStatusErrorDomain`.
    public enum ErrorCode: Int, Sendable {
        /// No error.
        case none = 0
        /// The sound server is gone.
        case mediaServicesFailed = 0x6D73_7276
        /// Sound still comes in or goes out.
        case isBusy = 0x2161_6374
        /// The category does not allow it.
        case incompatibleCategory = 0x2163_6174
        /// Others may not be interrupted.
        case cannotInterruptOthers = 0x2169_6E74
        /// The program lacks an entitlement; not given here.
        case missingEntitlement = 0x656E_743F
        /// The voice assistant has the microphone; not given here.
        case siriIsRecording = 0x7369_7269
        /// The program may not play now.
        case cannotStartPlaying = 0x2170_6C61
        /// The program may not record.
        case cannotStartRecording = 0x2172_6563
        /// An argument is out of its range, or values do not go together.
        case badParam = -50
        /// Something more important sounds.
        case insufficientPriority = 0x2170_7269
        /// There is no such device, or it cannot do that.
        case resourceNotAvailable = 0x2172_6573
        /// No other code says it.
        case unspecified = 0x7768_6174
        /// The session is no longer one of the system's.
        case expiredSession = 0x2173_6573
        /// The session has to be active.
        case sessionNotActive = 0x696E_6163
    }

    // MARK: Ports

    /// What a port is.
    public struct Port: RawRepresentable, Hashable, Sendable {
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        // Inputs.
        /// A telephone that serves as this machine's microphone.
        public static let continuityMicrophone = Port(rawValue: "ContinuityMicrophone")
        /// An analogue input at line level.
        public static let lineIn = Port(rawValue: "LineIn")
        /// The microphone of the machine itself.
        public static let builtInMic = Port(rawValue: "MicrophoneBuiltIn")
        /// The microphone of a wired headset.
        public static let headsetMic = Port(rawValue: "MicrophoneWired")
        // Outputs.
        /// An analogue output at line level.
        public static let lineOut = Port(rawValue: "LineOut")
        /// Headphones at a cable.
        public static let headphones = Port(rawValue: "Headphones")
        /// A Bluetooth device that plays in stereo and has no microphone.
        public static let bluetoothA2DP = Port(rawValue: "BluetoothA2DPOutput")
        /// The small loudspeaker at the ear.
        public static let builtInReceiver = Port(rawValue: "Receiver")
        /// The loudspeaker of the machine itself.
        public static let builtInSpeaker = Port(rawValue: "Speaker")
        /// A screen or receiver at HDMI.
        public static let HDMI = Port(rawValue: "HDMIOutput")
        /// A receiver in the network.
        public static let airPlay = Port(rawValue: "AirPlay")
        /// A Bluetooth device of low energy, as a hearing aid.
        public static let bluetoothLE = Port(rawValue: "BluetoothLE")
        // Both.
        /// A Bluetooth headset in its telephone profile: one channel both ways.
        public static let bluetoothHFP = Port(rawValue: "BluetoothHFP")
        /// A device at USB.
        public static let usbAudio = Port(rawValue: "USBAudio")
        /// The loudspeakers of a car.
        public static let carAudio = Port(rawValue: "CarAudio")
        /// No hardware: a null sink, or the silent clock.
        public static let virtual = Port(rawValue: "Virtual")
        /// A card at the PCI bus.
        public static let PCI = Port(rawValue: "PCI")
        /// A device at FireWire.
        public static let fireWire = Port(rawValue: "FireWire")
        /// A screen at DisplayPort.
        public static let displayPort = Port(rawValue: "DisplayPort")
        /// A device of the network's Audio Video Bridging.
        public static let AVB = Port(rawValue: "AVB")
        /// A device at Thunderbolt.
        public static let thunderbolt = Port(rawValue: "Thunderbolt")
    }

    /// Where on a device a microphone is.
    public struct Location: RawRepresentable, Hashable, Sendable {
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        /// Near the upper end.
        public static let upper = Location(rawValue: "Upper")
        /// Near the lower end.
        public static let lower = Location(rawValue: "Lower")
    }

    /// Which way a microphone faces.
    public struct Orientation: RawRepresentable, Hashable, Sendable {
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        /// To the upper end.
        public static let top = Orientation(rawValue: "Top")
        /// To the lower end.
        public static let bottom = Orientation(rawValue: "Bottom")
        /// To the side with the screen.
        public static let front = Orientation(rawValue: "Front")
        /// Away from the screen.
        public static let back = Orientation(rawValue: "Back")
        /// To the device's left.
        public static let left = Orientation(rawValue: "Left")
        /// To the device's right.
        public static let right = Orientation(rawValue: "Right")
    }

    /// How a microphone weights directions: θ is the angle off its axis.
    public struct PolarPattern: RawRepresentable, Hashable, Sendable {
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        /// Alike from all directions: 1.
        public static let omnidirectional = PolarPattern(rawValue: "Omnidirectional")
        /// Most from the front, nothing from behind: ½ + ½ cos θ.
        public static let cardioid = PolarPattern(rawValue: "Cardioid")
        /// More from the front than from behind: 0.7 + 0.3 cos θ.
        public static let subcardioid = PolarPattern(rawValue: "Subcardioid")
        /// Two channels, one to the left and one to the right.
        public static let stereo = PolarPattern(rawValue: "Stereo")
    }
}
