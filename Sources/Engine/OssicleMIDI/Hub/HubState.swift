import OssicleCore

/// All that the hub's lock guards.
struct HubState: Sendable {
    var objects = HubObjects()
    var setup = HubSetup()
    var clients = HubClients()
    var routes = HubRoutes()
    var thru = ThruTable()
    var schedule: HubSchedule
    /// Receivers of what was disposed of, for `MIDIHub.releaseReceivers`.
    private var released: [any Sendable] = []

    init(clock: MIDIHub.Clock) { schedule = HubSchedule(clock: clock) }

    /// Removes an object and what belongs to it, with a notification for each device, entity and endpoint.
    mutating func dispose(_ id: HubID) {
        var gone: [HubNotification] = []
        describe(id, &gone)
        for (id, kind) in objects.remove(id) {
            if kind == .client, let client = clients.remove(id) { released.append(client) }
            if let sink = routes.remove(id) { released.append(sink) }
            setup.remove(id)
            if kind.isDestination { schedule.queue.removeDeliveries(to: id) }
        }
        for notification in gone { clients.notify(notification) }
        if !gone.isEmpty { clients.notify(.setupChanged) }
    }

    mutating func takeReleased() -> [any Sendable] {
        defer { released = [] }
        return released
    }

    private func describe(_ id: HubID, _ gone: inout [HubNotification]) {
        guard let object = objects[id] else { return }
        for child in object.children { describe(child, &gone) }
        guard object.kind.isPublic else { return }
        let parent = objects.visibleParent(object)
        gone.append(.objectRemoved(parent: parent, objects[parent]?.kind, child: id, object.kind))
    }

    /// An object that clients see is there.
    func notifyAdded(_ id: HubID) {
        guard let object = objects[id] else { return }
        let parent = objects.visibleParent(object)
        clients.notify(.objectAdded(parent: parent, objects[parent]?.kind, child: id, object.kind))
        clients.notify(.setupChanged)
    }
}

/// The lists that clients count: devices, external devices, sources and destinations, as they were added.
struct HubSetup: Sendable {
    private var members: [HubKind: [HubID]] = [.device: [], .externalDevice: [], .source: [], .destination: []]

    subscript(kind: HubKind) -> [HubID] { members[kind] ?? [] }

    func contains(_ id: HubID) -> Bool { members.values.contains { $0.contains(id) } }

    /// Adds an object to the list of its kind, if there is one.
    mutating func add(_ id: HubID, _ kind: HubKind) { if !contains(id) { members[kind]?.append(id) } }

    mutating func remove(_ id: HubID) {
        for kind in members.keys { members[kind]?.removeAll { $0 == id } }
    }
}

// The way of messages.
extension HubState {
    /// Puts packets into the queue, together where they are due now.
    mutating func post(_ packets: MIDIPackets, to destination: HubID, sender: HubID) throws(HubFault) {
        let target = try objects.requireEndpoint(destination, .destination)
        let (now, advance) = (schedule.now, nanosecondsAhead(target))
        var due: [MIDIWordPacket] = []
        for packet in routes.words(of: packets, at: destination, sender: sender) {
            let isNow = packet.time <= now + min(advance, UInt64.max - now)
            if isNow {
                due.append(packet.at(now))
            } else {
                schedule.queue.add(.deliver([packet], to: destination, from: sender), at: packet.time - advance)
            }
        }
        if !due.isEmpty { schedule.queue.add(.deliver(due, to: destination, from: sender), at: now) }
    }

    private func nanosecondsAhead(_ destination: HubObject) -> UInt64 {
        guard case .integer(let microseconds)? = objects.value(HubProperty.advanceScheduleTime, of: destination) else {
            return 0
        }
        return UInt64(max(microseconds, 0)) * 1000
    }

    /// Has what a source has produced distributed at once.
    mutating func distribute(_ packets: MIDIPackets, from source: HubID) throws(HubFault) {
        _ = try objects.requireEndpoint(source, .source)
        let now = schedule.now
        let words = routes.words(of: packets, at: source, sender: 0).map { $0.at(now) }
        if !words.isEmpty { schedule.queue.add(.distribute(words, from: source), at: now) }
    }

    /// What has to be called for the next event that is due; `nil` ends the delivery.
    mutating func takeDue() -> [@Sendable () -> Void]? {
        switch schedule.take() {
        case nil: return nil
        case .call(let call)?: return [call]
        case .deliver(let packets, let destination, let sender)?:
            return routes.delivery(of: packets, to: destination, from: sender)
        case .distribute(let packets, let source)?:
            for passed in thru.pass(packets, from: source, in: objects) {
                try? post(.words(passed.packets, .midi1), to: passed.destination, sender: passed.connection)
            }
            return routes.distribution(of: packets, from: source)
        }
    }
}

extension MIDIWordPacket {
    /// With `now` where the packet has no time.
    fileprivate func at(_ now: UInt64) -> MIDIWordPacket { time == 0 ? MIDIWordPacket(time: now, words: words) : self }
}
