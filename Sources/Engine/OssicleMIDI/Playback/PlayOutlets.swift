// The destinations of a player, each with its schedule.

/// Where a player's tracks go: one schedule for every unit and endpoint, and one for what the control side does. Under
/// the player's lock.
struct PlayOutlets {
    private enum Target: Hashable {
        case feed(EventFeed)
        case endpoint(HubID)
        case parameters(ParameterTarget)
        /// User events and presets.
        case objects
    }

    private struct Outlet {
        let target: Target
        let reader: ScheduleReader
        /// On the control side, the frame up to which it has been played; `nil` before the first.
        var playedTo: Int64?
    }

    private struct CacheKey: Hashable {
        let track: ObjectIdentifier
        let taking: PlayTrack.Taking
        let isAutomation: Bool
    }

    /// Takes what goes to endpoints.
    private let hub: MIDIHub
    // In order of appearance: nothing depends on hashes.
    private var outlets: [Outlet] = []
    private var cache: [CacheKey: (version: UInt64, track: PlayTrack)] = [:]
    private var number = 0
    /// The schedule of `objects`, whose lanes the player's callbacks name.
    private var objectTracks: [(source: MIDITrack, track: PlayTrack)] = []
    private var tempo = TempoMap()

    init(hub: MIDIHub) { self.hub = hub }

    // MARK: Schedules

    /// Replaces all schedules.
    mutating func publish(
        _ piece: MIDISequence, _ host: any PlayerHost, _ tempo: TempoMap, _ transport: PlayTransport
    ) {
        self.tempo = tempo
        let tracks = piece.tracks
        let isSolo = tracks.contains { $0.settings.isSoloed }
        var lanes: [(target: Target, lanes: [PlaySchedule.Lane])] = []
        func add(_ lane: PlaySchedule.Lane, to target: Target) {
            if let index = lanes.firstIndex(where: { $0.target == target }) {
                lanes[index].lanes.append(lane)
            } else {
                lanes.append((target, [lane]))
            }
        }
        var used: [CacheKey: (version: UInt64, track: PlayTrack)] = [:]
        objectTracks = []
        for track in tracks {
            let (events, settings, version) = track.snapshot
            func lane(_ taking: PlayTrack.Taking) -> PlaySchedule.Lane {
                let key = CacheKey(
                    track: ObjectIdentifier(track), taking: taking, isAutomation: settings.isAutomation)
                let known = cache[key].flatMap { $0.version == version ? $0.track : nil }
                let flat = known ?? PlayTrack(events, taking: taking, isAutomation: settings.isAutomation)
                used[key] = (version, flat)
                return PlaySchedule.Lane(
                    flat, of: track, settings, length: max(settings.setLength, MIDITrack.end(of: events)),
                    isHeard: isSolo ? settings.isSoloed : !settings.isMuted)
            }
            switch Self.target(of: settings.destination, piece, host) {
            case .feed(let feed)?: add(lane([.messages, .parameters]), to: .feed(feed))
            case .endpoint(let endpoint)?: add(lane(.messages), to: .endpoint(endpoint))
            case .parameters(let target)?: add(lane(.parameters), to: .parameters(target))
            default: break
            }
            let objects = lane(.objects)
            objectTracks.append((track, objects.track))
            add(objects, to: .objects)
        }
        cache = used
        send(lanes, tempo, transport)
    }

    private static func target(
        of destination: TrackDestination, _ piece: MIDISequence, _ host: any PlayerHost
    ) -> Target? {
        switch destination {
        case .standard: host.standardFeed.map { .feed($0) } ?? piece.endpoint.map { .endpoint($0) }
        case .feed(let feed): .feed(feed)
        case .parameters(let target): .parameters(target)
        case .endpoint(let endpoint): .endpoint(endpoint)
        }
    }

    private mutating func send(
        _ lanes: [(target: Target, lanes: [PlaySchedule.Lane])], _ tempo: TempoMap, _ transport: PlayTransport
    ) {
        func schedule(_ lanes: [PlaySchedule.Lane], _ target: Target) -> PlaySchedule {
            number += 1
            var offset: Int64 = 0
            if case .feed(let feed) = target { offset = feed.clockOffset() }
            return PlaySchedule(
                number: number, lanes: lanes, tempo: tempo, transport: transport, clockOffset: offset)
        }
        for (target, lanes) in lanes {
            let new = schedule(lanes, target)
            if let outlet = outlets.first(where: { $0.target == target }) {
                outlet.reader.replace(by: new)
            } else {
                let reader = ScheduleReader(new)
                outlets.append(Outlet(target: target, reader: reader))
                if case .feed(let feed) = target { feed.add(reader) }
            }
        }
        // What has no track any more ends what sounds.
        let gone = outlets.filter { outlet in !lanes.contains { $0.target == outlet.target } }
        for outlet in gone { end(outlet) }
        outlets.removeAll { outlet in gone.contains { $0.target == outlet.target } }
    }

    private mutating func end(_ outlet: Outlet) {
        number += 1
        outlet.reader.retire(PlaySchedule(number: number, lanes: [], tempo: tempo, transport: PlayTransport()))
        if case .endpoint(let endpoint) = outlet.target {
            outlet.reader.deliver(from: outlet.playedTo ?? 0, frames: 0, rate: 1) { _, event in
                send(event, to: endpoint, at: 0)
            }
        }
    }

    /// Ends everything.
    mutating func retire() {
        for outlet in outlets { end(outlet) }
        outlets = []
    }

    // MARK: The control side

    /// Plays endpoints, parameters, callbacks and presets up to `lead` frames after now.
    /// - Returns: presets to be loaded without the player's lock.
    mutating func play(
        to now: (frame: Int64, rate: Double), lead: Int, _ host: any PlayerHost, in piece: MIDISequence?
    ) -> [() -> Void] {
        var loads: [() -> Void] = []
        for index in outlets.indices {
            if case .feed = outlets[index].target { continue }
            // At a device, callbacks come when it is time, and not ahead.
            let isAhead = host.isOffline || outlets[index].target != .objects
            let start = outlets[index].playedTo.map { min($0, now.frame + Int64(lead)) } ?? now.frame
            let end = now.frame + (isAhead ? Int64(lead) : 0)
            guard end >= start else { continue }
            outlets[index].playedTo = end
            play(outlets[index], from: start, frames: Int(end - start), now.rate, host, in: piece, &loads)
        }
        return loads
    }

    /// Music begins or jumps with a frame.
    mutating func begin(at frame: Int64) {
        for index in outlets.indices { outlets[index].playedTo = frame }
    }

    /// Ends what endpoints sound.
    mutating func silence(at now: (frame: Int64, rate: Double), _ host: any PlayerHost) {
        for index in outlets.indices {
            if case .endpoint = outlets[index].target {
                var loads: [() -> Void] = []
                play(
                    outlets[index], from: outlets[index].playedTo ?? now.frame, frames: 0, now.rate, host, in: nil,
                    &loads)
            }
            outlets[index].playedTo = nil
        }
    }

    private func play(
        _ outlet: Outlet, from start: Int64, frames: Int, _ rate: Double, _ host: any PlayerHost,
        in piece: MIDISequence?,
        _ loads: inout [() -> Void]
    ) {
        outlet.reader.deliver(from: start, frames: frames, rate: rate) { frame, event in
            switch (outlet.target, event) {
            case (.endpoint(let endpoint), _): return send(event, to: endpoint, at: host.hostTime(of: frame))
            case (.parameters(let target), .parameter(let parameter)):
                if parameter.frames == 0 { target.set(parameter) }
            case (.objects, .object(let track, let index)): perform(track, index, host, piece, &loads)
            default: break
            }
            return true
        }
    }

    private func send(_ event: PlayedEvent, to endpoint: HubID, at time: UInt64) -> Bool {
        // An endpoint that is gone takes nothing; the music continues.
        if case .bytes(let bytes) = event { try? hub.send(Array(bytes), at: time, to: endpoint) }
        return true
    }

    private func perform(
        _ track: Int, _ index: Int, _ host: any PlayerHost, _ piece: MIDISequence?, _ loads: inout [() -> Void]
    ) {
        guard objectTracks.indices.contains(track) else { return }
        let (source, flat) = objectTracks[track], event = flat.objects[index]
        switch event.kind {
        case .user(let bytes):
            guard let callback = piece?.userCallback else { return }
            let beat = event.beat, slice = beat..<beat.nextUp
            host.callBack { callback(source, bytes, beat, slice) }
        case .preset(let scope, let element, let preset):
            let destination = source.settings.destination
            loads.append { host.load(preset, scope: scope, element: element, into: destination) }
        default: break
        }
    }
}

extension PlaySchedule.Lane {
    /// Loops shorter than this are none.
    private static let shortestLoop = 1e-3

    fileprivate init(
        _ flat: PlayTrack, of track: MIDITrack, _ settings: MIDITrack.Settings, length: Double, isHeard: Bool
    ) {
        var loop = 0.0..<0.0
        if settings.isLooping, settings.loopCount != 1 {
            var bounds = (0.0, length)
            switch settings.region {
            case .whole: break
            case .range(let start, let length): bounds = (max(start, 0), max(start, 0) + length)
            case .tail(let tail): bounds = (max(length - tail, 0), length)
            }
            if bounds.1 - bounds.0 >= Self.shortestLoop { loop = bounds.0..<bounds.1 }
        }
        self.init(
            track: flat, id: ObjectIdentifier(track), offset: settings.offset, loop: loop,
            plays: settings.loopCount <= 0 ? .max : settings.loopCount, isHeard: isHeard)
    }
}
