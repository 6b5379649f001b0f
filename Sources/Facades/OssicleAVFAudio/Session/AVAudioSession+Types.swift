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
        case none = 0
        /// To the built-in loudspeaker.
        case speaker = 0x7370_6B72
    }

    /// Whether input and output are one device.
    public enum IOType: UInt, Sendable {
        case notSpecified = 0
        /// Both are driven by one clock.
        case aggregated = 1
    }

    /// Which way round a device with several microphones is held.
    public enum StereoOrientation: Int, Sendable {
        case none = 0
        case portrait = 1
        case portraitUpsideDown = 2
        case landscapeRight = 3
        case landscapeLeft = 4
    }

    /// What the output makes of what is played.
    public enum RenderingMode: Int, Sendable {
        /// Nothing is played.
        case notApplicable = 0
        case monoStereo = 1
        case surround = 2
        case spatialAudio = 3
        case dolbyAudio = 4
        case dolbyAtmos = 5
    }

    /// Whether the program's sound is mixed into the microphone of others.
    public enum MicrophoneInjectionMode: Int, Sendable {
        case none = 0
        /// Speech is.
        case spokenAudio = 1
    }

    /// Why a session refuses; the codes of `NSOSStatusErrorDomain`.
    public enum ErrorCode: Int, Sendable {
        case none = 0
        /// The sound server is gone.
        case mediaServicesFailed = 0x6D73_7276
        /// Sound still comes in or goes out.
        case isBusy = 0x2161_6374
        /// The category does not allow it.
        case incompatibleCategory = 0x2163_6174
        /// Others may not be interrupted.
        case cannotInterruptOthers = 0x2169_6E74
        case missingEntitlement = 0x656E_743F
        case siriIsRecording = 0x7369_7269
        case cannotStartPlaying = 0x2170_6C61
        /// The program may not record.
        case cannotStartRecording = 0x2172_6563
        /// An argument is out of its range, or values do not go together.
        case badParam = -50
        /// Something more important sounds.
        case insufficientPriority = 0x2170_7269
        /// There is no such device, or it cannot do that.
        case resourceNotAvailable = 0x2172_6573
        case unspecified = 0x7768_6174
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
        public static let continuityMicrophone = Port(rawValue: "ContinuityMicrophone")
        public static let lineIn = Port(rawValue: "LineIn")
        public static let builtInMic = Port(rawValue: "MicrophoneBuiltIn")
        public static let headsetMic = Port(rawValue: "MicrophoneWired")
        // Outputs.
        public static let lineOut = Port(rawValue: "LineOut")
        public static let headphones = Port(rawValue: "Headphones")
        public static let bluetoothA2DP = Port(rawValue: "BluetoothA2DPOutput")
        /// The small loudspeaker at the ear.
        public static let builtInReceiver = Port(rawValue: "Receiver")
        public static let builtInSpeaker = Port(rawValue: "Speaker")
        public static let HDMI = Port(rawValue: "HDMIOutput")
        public static let airPlay = Port(rawValue: "AirPlay")
        public static let bluetoothLE = Port(rawValue: "BluetoothLE")
        // Both.
        public static let bluetoothHFP = Port(rawValue: "BluetoothHFP")
        public static let usbAudio = Port(rawValue: "USBAudio")
        public static let carAudio = Port(rawValue: "CarAudio")
        /// No hardware: a null sink, or the silent clock.
        public static let virtual = Port(rawValue: "Virtual")
        public static let PCI = Port(rawValue: "PCI")
        public static let fireWire = Port(rawValue: "FireWire")
        public static let displayPort = Port(rawValue: "DisplayPort")
        public static let AVB = Port(rawValue: "AVB")
        public static let thunderbolt = Port(rawValue: "Thunderbolt")
    }

    /// Where on a device a microphone is.
    public struct Location: RawRepresentable, Hashable, Sendable {
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        public static let upper = Location(rawValue: "Upper")
        public static let lower = Location(rawValue: "Lower")
    }

    /// Where a microphone looks.
    public struct Orientation: RawRepresentable, Hashable, Sendable {
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        public static let top = Orientation(rawValue: "Top")
        public static let bottom = Orientation(rawValue: "Bottom")
        public static let front = Orientation(rawValue: "Front")
        public static let back = Orientation(rawValue: "Back")
        public static let left = Orientation(rawValue: "Left")
        public static let right = Orientation(rawValue: "Right")
    }

    /// Where a microphone is.
    public struct PolarPattern: RawRepresentable, Hashable, Sendable {
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        public static let omnidirectional = PolarPattern(rawValue: "Omnidirectional")
        public static let cardioid = PolarPattern(rawValue: "Cardioid")
        public static let subcardioid = PolarPattern(rawValue: "Subcardioid")
        public static let stereo = PolarPattern(rawValue: "Stereo")
    }
}
