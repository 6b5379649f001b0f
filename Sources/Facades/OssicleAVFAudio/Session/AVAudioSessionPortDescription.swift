// Routes, and what they are made of.

import OssicleCoreAudioTypes
import Synchronization

/// The ports that sound comes in by and goes out by.
open class AVAudioSessionRouteDescription: NSObject, @unchecked Sendable {
    /// Where sound comes in; empty where the category does not record.
    public let inputs: [AVAudioSessionPortDescription]
    /// Where sound goes out; empty where the category does not play.
    public let outputs: [AVAudioSessionPortDescription]

    init(inputs: [AVAudioSessionPortDescription] = [], outputs: [AVAudioSessionPortDescription] = []) {
        self.inputs = inputs
        self.outputs = outputs
    }

    /// Routes are equal that have equal ports.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? AVAudioSessionRouteDescription else { return false }
        return inputs == other.inputs && outputs == other.outputs
    }

    open override var hash: Int { (inputs + outputs).reduce(0) { $0 &* 31 &+ $1.hash } }

    /// The names of the ports.
    open override var description: String {
        "inputs: \(inputs.map(\.portName)), outputs: \(outputs.map(\.portName))"
    }
}

/// A device, or one of its sockets.
open class AVAudioSessionPortDescription: NSObject, @unchecked Sendable {
    /// What kind of device it is.
    public let portType: AVAudioSession.Port
    /// For people.
    public let portName: String
    /// The same whenever the device is there; the sound server's name of it.
    public let uid: String
    /// `nil` where the device does not say.
    public let channels: [AVAudioSessionChannelDescription]?
    /// The microphones or loudspeakers that can be chosen from; `nil` without a choice.
    public let dataSources: [AVAudioSessionDataSourceDescription]?
    private let preference: Mutex<AVAudioSessionDataSourceDescription?>

    init(
        type: AVAudioSession.Port, name: String, uid: String, channelLabels: [AudioChannelLabel],
        dataSources: [AVAudioSessionDataSourceDescription]? = nil
    ) {
        portType = type
        portName = name
        self.uid = uid
        channels = channelLabels.enumerated().map { index, label in
            AVAudioSessionChannelDescription(
                name: "\(name) \(index + 1)", owner: uid, number: index + 1, label: label)
        }
        self.dataSources = dataSources
        preference = Mutex(nil)
    }

    /// Whether the device cancels echoes by itself; no device here says so.
    open var hasHardwareVoiceCallProcessing: Bool { false }

    /// Whether the device plays spatial sound; no device here says so.
    open var isSpatialAudioEnabled: Bool { false }

    /// The one in use: the preferred one, else the first.
    open var selectedDataSource: AVAudioSessionDataSourceDescription? { preferredDataSource ?? dataSources?.first }

    /// Default `nil`.
    open var preferredDataSource: AVAudioSessionDataSourceDescription? { preference.withLock { $0 } }

    /// Chooses one of `dataSources`; `nil` leaves the choice to the device. Throws `badParam` for another.
    open func setPreferredDataSource(_ dataSource: AVAudioSessionDataSourceDescription?) throws {
        if let dataSource, !(dataSources ?? []).contains(dataSource) {
            throw SessionFault.noDataSource(dataSource.dataSourceName, at: portName, of: dataSources ?? [])
        }
        preference.withLock { $0 = dataSource }
    }

    /// What a wireless microphone can do; `nil` for every other port, and here for all.
    open var bluetoothMicrophoneExtension: AVAudioSessionPortExtensionBluetoothMicrophone? { nil }

    /// Ports are equal that have the same type and identifier.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? AVAudioSessionPortDescription else { return false }
        return uid == other.uid && portType == other.portType
    }

    open override var hash: Int { uid.hashValue }

    /// Type and name.
    open override var description: String { "\(portType.rawValue) \"\(portName)\"" }
}

/// One channel of a port.
open class AVAudioSessionChannelDescription: NSObject, @unchecked Sendable {
    /// For people.
    public let channelName: String
    /// The `uid` of its port.
    public let owningPortUID: String
    /// Counted from 1 within its port.
    public let channelNumber: Int
    /// Which loudspeaker, or which of several microphones, it is.
    public let channelLabel: AudioChannelLabel

    init(name: String, owner: String, number: Int, label: AudioChannelLabel) {
        channelName = name
        owningPortUID = owner
        channelNumber = number
        channelLabel = label
    }
}

/// One microphone, or loudspeaker, of a port.
open class AVAudioSessionDataSourceDescription: NSObject, @unchecked Sendable {
    /// Unique within its port.
    public let dataSourceID: NSNumber
    /// For people.
    public let dataSourceName: String
    /// Where on the device it is; `nil` where that is not known.
    public let location: AVAudioSession.Location?
    /// Where it looks; `nil` where that is not known.
    public let orientation: AVAudioSession.Orientation?
    /// `nil` where there is no choice.
    public let supportedPolarPatterns: [AVAudioSession.PolarPattern]?
    private let preference: Mutex<AVAudioSession.PolarPattern?>

    init(
        id: Int, name: String, location: AVAudioSession.Location? = nil,
        orientation: AVAudioSession.Orientation? = nil, polarPatterns: [AVAudioSession.PolarPattern]? = nil
    ) {
        dataSourceID = NSNumber(value: id)
        dataSourceName = name
        self.location = location
        self.orientation = orientation
        supportedPolarPatterns = polarPatterns
        preference = Mutex(nil)
    }

    /// The one in use: the preferred one, else the first.
    open var selectedPolarPattern: AVAudioSession.PolarPattern? {
        preferredPolarPattern ?? supportedPolarPatterns?.first
    }

    /// Default `nil`.
    open var preferredPolarPattern: AVAudioSession.PolarPattern? { preference.withLock { $0 } }

    /// Chooses one of `supportedPolarPatterns`; `nil` leaves the choice to the device. Throws `badParam` for another.
    open func setPreferredPolarPattern(_ pattern: AVAudioSession.PolarPattern?) throws {
        if let pattern, !(supportedPolarPatterns ?? []).contains(pattern) {
            throw SessionFault.noPolarPattern(pattern, at: dataSourceName, of: supportedPolarPatterns ?? [])
        }
        preference.withLock { $0 = pattern }
    }

    /// Data sources are equal that have the same number and name.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? AVAudioSessionDataSourceDescription else { return false }
        return dataSourceID == other.dataSourceID && dataSourceName == other.dataSourceName
    }

    open override var hash: Int { dataSourceID.hashValue }
}

/// Whether a device can do something, and does it.
open class AVAudioSessionCapability: NSObject, @unchecked Sendable {
    /// Whether the device can.
    public let isSupported: Bool
    /// Whether it does.
    public let isEnabled: Bool

    init(isSupported: Bool, isEnabled: Bool) {
        self.isSupported = isSupported
        self.isEnabled = isEnabled
    }
}

/// What a wireless microphone can do.
open class AVAudioSessionPortExtensionBluetoothMicrophone: NSObject, @unchecked Sendable {
    /// Full bandwidth in both directions.
    public let highQualityRecording: AVAudioSessionCapability
    /// Picking up from afar.
    public let farFieldCapture: AVAudioSessionCapability

    init(highQualityRecording: AVAudioSessionCapability, farFieldCapture: AVAudioSessionCapability) {
        self.highQualityRecording = highQualityRecording
        self.farFieldCapture = farFieldCapture
    }
}
