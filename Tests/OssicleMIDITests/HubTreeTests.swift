import OssicleCore
import Testing
@testable import OssicleMIDI

@Suite("MIDI devices and properties") struct HubTreeTests {
    private let hub = MIDIHub(clock: .manual)

    private func refusal(_ body: () throws -> Void) -> HubRefusal? {
        do { try body() } catch { return (error as? HubFault)?.kind }
        return nil
    }

    private func device(isExternal: Bool = false) throws -> (device: HubID, entity: HubID) {
        let device = hub.createDevice(name: "Box", manufacturer: "Maker", model: "One", isExternal: isExternal)
        let entity = try hub.addEntity(
            to: device, name: "Port", protocol: .midi1, isEmbedded: false, sources: 2, destinations: 1)
        return (device, entity)
    }

    @Test("Endpoints of a device are listed while it is in the setup, and keep their references")
    func setup() throws {
        let (device, entity) = try device()
        #expect(hub.sources.isEmpty && hub.devices.isEmpty)
        try hub.setInSetup(device, true, isExternal: false)
        let (sources, destinations) = (hub.sources, hub.destinations)
        #expect(sources.count == 2 && destinations.count == 1 && hub.devices == [device])
        #expect(hub.children(of: device) { $0.isEntity } == [entity])
        #expect(try hub.parent(of: sources[1], kinds: [.source]) == entity)
        try hub.setInSetup(device, false, isExternal: false)
        #expect(hub.sources.isEmpty)
        try hub.setInSetup(device, true, isExternal: false)
        #expect(hub.sources == sources && hub.destinations == destinations)
        try hub.setEndpoints(of: entity, sources: 1, destinations: 3)
        #expect(hub.sources == [sources[0]] && hub.destinations.count == 3)
        try hub.removeEntity(entity, from: device)
        #expect(hub.sources.isEmpty && hub.destinations.isEmpty)
    }

    @Test("External devices are listed apart, and nothing can be sent to them")
    func external() throws {
        let (device, entity) = try device(isExternal: true)
        try hub.setInSetup(device, true, isExternal: true)
        #expect(hub.externalDevices == [device] && hub.devices.isEmpty && hub.destinations.isEmpty)
        let target = hub.children(of: entity) { $0.isDestination }[0]
        #expect(refusal { try hub.send([0xFE], at: 0, to: target) } == .wrongEndpointType)
        #expect(refusal { try hub.setInSetup(device, true, isExternal: false) } == .objectNotFound)
    }

    @Test("An endpoint inherits from its device, but not its name, and is displayed with both")
    func inheritance() throws {
        let (device, entity) = try device()
        let source = hub.children(of: entity) { $0.isSource }[1]
        #expect(try hub.property("manufacturer", of: source, as: .string) == .string("Maker"))
        #expect(try hub.property("name", of: source, as: .string) == .string("Port 2"))
        #expect(try hub.property("displayName", of: source, as: .string) == .string("Box Port 2"))
        #expect(try hub.property("displayName", of: device, as: .string) == .string("Box"))
        #expect(refusal { _ = try hub.property("private", of: source, as: .integer) } == .unknownProperty)
        #expect(refusal { _ = try hub.property("name", of: source, as: .integer) } == .wrongPropertyType)
        #expect(refusal { try hub.setProperty("name", of: source, to: .integer(1)) } == .wrongPropertyType)
        #expect(refusal { try hub.setProperty("displayName", of: source, to: .string("")) } == .notPermitted)
        #expect(refusal { try hub.removeProperty("manufacturer", of: source) } == .unknownProperty)
    }

    @Test("Unique IDs are the same in every run, differ, and find their object")
    func uniqueIDs() throws {
        var found: [Int32] = []
        for _ in 0..<2 {
            let hub = MIDIHub(clock: .manual)
            let client = hub.createClient(name: "app")
            for _ in 0..<50 {
                let source = try hub.createSource(client: client, name: "keys", protocol: .midi1)
                guard case .integer(let unique) = try hub.property("uniqueID", of: source, as: .integer) else { return }
                #expect(try hub.find(uniqueID: unique).id == source)
                found.append(unique)
            }
        }
        #expect(Set(found).count == 50 && found.prefix(50) == found.suffix(50) && !found.contains(0))
        let client = hub.createClient(name: "app")
        let source = try hub.createSource(client: client, name: "a", protocol: .midi1)
        let other = try hub.createSource(client: client, name: "b", protocol: .midi1)
        try hub.setProperty("uniqueID", of: source, to: .integer(77))
        #expect(refusal { try hub.setProperty("uniqueID", of: other, to: .integer(77)) } == .notUnique)
        #expect(refusal { try hub.setProperty("uniqueID", of: other, to: .integer(0)) } == .notUnique)
        try hub.disposeEndpoint(source)
        #expect(refusal { _ = try hub.find(uniqueID: 77) } == .objectNotFound)
        try hub.setProperty("uniqueID", of: other, to: .integer(77))
    }

    @Test("A private endpoint is in no list and can be used by reference")
    func isPrivate() throws {
        let inbox = Inbox()
        let target = try hub.createDestination(
            client: hub.createClient(name: "app"), name: "secret", form: .bytes, receive: inbox.receive)
        try hub.setProperty("private", of: target, to: .integer(1))
        #expect(hub.destinations.isEmpty)
        try hub.send([0xFE], at: 0, to: target)
        #expect(inbox.bytes == [0xFE])
    }
}
