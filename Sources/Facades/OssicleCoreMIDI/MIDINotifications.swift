// What clients are notified of.

import OssicleCoreAudioTypes
import OssicleMIDI

/// Receives notifications as a function of C: the notification, and what the client was made with. Called on a queue
/// of the client's, one after the other. A Swift function, because `@convention(c)` does not take pointers to Swift's
/// structures.
public typealias MIDINotifyProc = @Sendable (UnsafePointer<MIDINotification>, UnsafeMutableRawPointer?) -> Void
/// Receives notifications. Called on a queue of the client's, one after the other. Behind the fields that all have,
/// those of the structure that belongs to `messageID` follow in memory.
public typealias MIDINotifyBlock = (UnsafePointer<MIDINotification>) -> Void

/// The fields that all notifications have.
public struct MIDINotification: Sendable {
    private var id: Int32
    /// Bytes of the whole notification.
    public var messageSize: UInt32

    /// What the notification is about.
    public var messageID: MIDINotificationMessageID {
        get { MIDINotificationMessageID(rawValue: id) ?? .msgSetupChanged }
        set { id = newValue.rawValue }
    }

    /// A notification without further fields.
    public init(messageID: MIDINotificationMessageID, messageSize: UInt32) {
        id = messageID.rawValue
        self.messageSize = messageSize
    }

    /// The setup has changed.
    public init() { self.init(messageID: .msgSetupChanged, messageSize: UInt32(MemoryLayout<Self>.size)) }
}

/// An object was added or removed: `msgObjectAdded`, `msgObjectRemoved`.
public struct MIDIObjectAddRemoveNotification: Sendable {
    private var id: Int32
    /// Bytes of the whole notification.
    public var messageSize: UInt32
    /// What the object belongs to; 0 for devices and virtual endpoints.
    public var parent: MIDIObjectRef
    private var parentKind: Int32
    /// The object.
    public var child: MIDIObjectRef
    private var childKind: Int32

    /// What the notification is about.
    public var messageID: MIDINotificationMessageID {
        get { MIDINotificationMessageID(rawValue: id) ?? .msgObjectAdded }
        set { id = newValue.rawValue }
    }

    /// Kind of the parent; `.other` for none.
    public var parentType: MIDIObjectType {
        get { MIDIObjectType(rawValue: parentKind) ?? .other }
        set { parentKind = newValue.rawValue }
    }

    /// Kind of the object.
    public var childType: MIDIObjectType {
        get { MIDIObjectType(rawValue: childKind) ?? .other }
        set { childKind = newValue.rawValue }
    }

    /// From its fields.
    public init(
        messageID: MIDINotificationMessageID, messageSize: UInt32, parent: MIDIObjectRef, parentType: MIDIObjectType,
        child: MIDIObjectRef, childType: MIDIObjectType
    ) {
        id = messageID.rawValue
        self.messageSize = messageSize
        self.parent = parent
        parentKind = parentType.rawValue
        self.child = child
        childKind = childType.rawValue
    }

    /// No object was added.
    public init() {
        self.init(
            messageID: .msgObjectAdded, messageSize: UInt32(MemoryLayout<Self>.size), parent: 0, parentType: .other,
            child: 0, childType: .other)
    }
}

/// A property of an object has changed: `msgPropertyChanged`.
public struct MIDIObjectPropertyChangeNotification {
    private var id: Int32
    /// Bytes of the whole notification.
    public var messageSize: UInt32
    /// The object.
    public var object: MIDIObjectRef
    private var kind: Int32
    /// Name of the property, which lives as long as the call.
    public var propertyName: Unmanaged<CFString>

    /// What the notification is about.
    public var messageID: MIDINotificationMessageID {
        get { MIDINotificationMessageID(rawValue: id) ?? .msgPropertyChanged }
        set { id = newValue.rawValue }
    }

    /// Kind of the object.
    public var objectType: MIDIObjectType {
        get { MIDIObjectType(rawValue: kind) ?? .other }
        set { kind = newValue.rawValue }
    }

    /// From its fields.
    public init(
        messageID: MIDINotificationMessageID, messageSize: UInt32, object: MIDIObjectRef, objectType: MIDIObjectType,
        propertyName: Unmanaged<CFString>
    ) {
        id = messageID.rawValue
        self.messageSize = messageSize
        self.object = object
        kind = objectType.rawValue
        self.propertyName = propertyName
    }
}

/// A device does not work: `msgIOError`.
public struct MIDIIOErrorNotification: Sendable {
    private var id: Int32
    /// Bytes of the whole notification.
    public var messageSize: UInt32
    /// The device.
    public var driverDevice: MIDIDeviceRef
    /// What is wrong.
    public var errorCode: OSStatus

    /// What the notification is about.
    public var messageID: MIDINotificationMessageID {
        get { MIDINotificationMessageID(rawValue: id) ?? .msgIOError }
        set { id = newValue.rawValue }
    }

    /// From its fields.
    public init(
        messageID: MIDINotificationMessageID, messageSize: UInt32, driverDevice: MIDIDeviceRef, errorCode: OSStatus
    ) {
        id = messageID.rawValue
        self.messageSize = messageSize
        self.driverDevice = driverDevice
        self.errorCode = errorCode
    }

    /// No error.
    public init() {
        self.init(
            messageID: .msgIOError, messageSize: UInt32(MemoryLayout<Self>.size), driverDevice: 0, errorCode: noErr)
    }
}

extension HubNotification {
    /// Calls `body` with the structure of C.
    func post(to body: MIDINotifyBlock) {
        switch self {
        case .setupChanged: post(MIDINotification(), body)
        case .thruConnectionsChanged:
            let size = UInt32(MemoryLayout<MIDINotification>.size)
            post(MIDINotification(messageID: .msgThruConnectionsChanged, messageSize: size), body)
        case .objectAdded(let parent, let parentKind, let child, let kind):
            post(addRemove(.msgObjectAdded, parent, parentKind, child, kind), body)
        case .objectRemoved(let parent, let parentKind, let child, let kind):
            post(addRemove(.msgObjectRemoved, parent, parentKind, child, kind), body)
        case .propertyChanged(let object, let kind, let name):
            let name = CFString(string: name)
            let notification = MIDIObjectPropertyChangeNotification(
                messageID: .msgPropertyChanged,
                messageSize: UInt32(MemoryLayout<MIDIObjectPropertyChangeNotification>.size), object: object,
                objectType: kind.objectType, propertyName: .passUnretained(name))
            withExtendedLifetime(name) { post(notification, body) }
        case .ioError(let device, let code):
            let size = UInt32(MemoryLayout<MIDIIOErrorNotification>.size)
            post(
                MIDIIOErrorNotification(
                    messageID: .msgIOError, messageSize: size, driverDevice: device, errorCode: code), body)
        }
    }

    private func addRemove(
        _ message: MIDINotificationMessageID, _ parent: MIDIObjectRef, _ parentKind: HubKind?, _ child: MIDIObjectRef,
        _ kind: HubKind
    ) -> MIDIObjectAddRemoveNotification {
        MIDIObjectAddRemoveNotification(
            messageID: message, messageSize: UInt32(MemoryLayout<MIDIObjectAddRemoveNotification>.size),
            parent: parent, parentType: parentKind?.objectType ?? .other, child: child, childType: kind.objectType)
    }

    private func post<Structure>(_ notification: Structure, _ body: MIDINotifyBlock) {
        withUnsafePointer(to: notification) { pointer in
            body(UnsafeRawPointer(pointer).assumingMemoryBound(to: MIDINotification.self))
        }
    }
}
