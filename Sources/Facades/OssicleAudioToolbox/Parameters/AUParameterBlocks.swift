// The callbacks around parameters.

/// Receives an address and its newest value. Called off the render thread; values that follow quickly are left out.
public typealias AUParameterObserver = (AUParameterAddress, AUValue) -> Void
/// Receives a number of changes, oldest first, none left out. The pointer is valid during the call.
public typealias AUParameterRecordingObserver = (Int, UnsafePointer<AURecordedParameterEvent>) -> Void
/// Receives a number of changes, touches and releases, oldest first, none left out. The pointer is valid during the
/// call.
public typealias AUParameterAutomationObserver = (Int, UnsafePointer<AUParameterAutomationEvent>) -> Void
/// The unit's own look at a change, on the thread that makes it.
public typealias AUImplementorValueObserver = (AUParameter, AUValue) -> Void
/// Tells a parameter's value.
public typealias AUImplementorValueProvider = (AUParameter) -> AUValue
/// Puts a value in words; without a pointer, the current one.
public typealias AUImplementorStringFromValueCallback = (AUParameter, UnsafePointer<AUValue>?) -> String
/// Reads a value from words.
public typealias AUImplementorValueFromStringCallback = (AUParameter, String) -> AUValue
/// A name of about this many characters.
public typealias AUImplementorDisplayNameWithLengthCallback = (AUParameterNode, Int) -> String

/// What happened to a control.
public enum AUParameterAutomationEventType: UInt32, Sendable {
    /// It has a new value.
    case value = 0
    /// The user took hold of it.
    case touch = 1
    /// The user let it go.
    case release = 2
}

/// A change of a value.
public struct AURecordedParameterEvent: Equatable, Sendable {
    /// When, in host ticks.
    public var hostTime: UInt64
    /// Which parameter.
    public var address: AUParameterAddress
    /// The value.
    public var value: AUValue

    /// An event of zeros.
    public init() { self.init(hostTime: 0, address: 0, value: 0) }

    /// An event with every field given.
    public init(hostTime: UInt64, address: AUParameterAddress, value: AUValue) {
        self.hostTime = hostTime
        self.address = address
        self.value = value
    }
}

/// A change of a value, or the begin or end of one by hand.
public struct AUParameterAutomationEvent: Equatable, Sendable {
    /// When, in host ticks.
    public var hostTime: UInt64
    /// Which parameter.
    public var address: AUParameterAddress
    /// The value.
    public var value: AUValue
    /// What happened.
    public var eventType: AUParameterAutomationEventType
    /// Always 0.
    public var reserved: UInt64

    /// A change to 0 of the parameter at address 0.
    public init() { self.init(hostTime: 0, address: 0, value: 0, eventType: .value, reserved: 0) }

    /// An event with every field given.
    public init(
        hostTime: UInt64, address: AUParameterAddress, value: AUValue, eventType: AUParameterAutomationEventType,
        reserved: UInt64
    ) {
        self.hostTime = hostTime
        self.address = address
        self.value = value
        self.eventType = eventType
        self.reserved = reserved
    }
}
