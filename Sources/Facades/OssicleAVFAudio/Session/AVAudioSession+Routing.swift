// Where a session's sound comes from and goes to.

import OssicleCoreAudioTypes

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

    // MARK: Others

    /// Whether another program plays.
    public var isOtherAudioPlaying: Bool { control.locked { control.activation.otherSound != .none } }

    /// Whether another program plays music, a film or a call, so that secondary sound should be silent.
    public var secondaryAudioShouldBeSilencedHint: Bool { control.locked { control.activation.otherSound == .primary } }

    /// How much a program that gives spoken prompts should say: nothing during a call, little beside primary sound.
    public var promptStyle: PromptStyle {
        control.locked {
            if control.activation.isCalled { return .none }
            return control.activation.otherSound == .primary ? .short : .normal
        }
    }

    // MARK: Values

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
