/// Passes over objects that an array keeps, without counting references to each: a pass that does little for every one
/// of them, in every update, would spend more time on counting than on all else.
extension Array where Element: AnyObject {
    /// Calls `body` with the objects that are there at the beginning, in order. The array's memory is kept meanwhile,
    /// and with it all of them.
    @inline(__always)
    func forEachUncounted(_ body: (Element) -> Void) {
        withUnsafeBufferPointer { objects in
            for place in 0..<objects.count { Unmanaged.passUnretained(objects[place])._withUnsafeGuaranteedRef(body) }
        }
    }
}

/// What is asked for ahead of an event that a pass comes to: each is found in the memory of the one before.
enum PrefetchStage {
    /// Lists of objects.
    case lists
    case objects
    /// What these point to.
    case memory
}

extension [EventInstance] {
    /// The same of events, which are many and lie far apart: those to come are asked for ahead, and then, stage by
    /// stage, what `prefetch` asks for.
    @inline(__always)
    func forEachAhead(
        _ prefetch: (EventInstance, PrefetchStage) -> Void, _ body: (EventInstance) -> Void
    ) {
        withUnsafeBufferPointer { events in
            @inline(__always)
            func ahead(_ place: Int, _ body: (EventInstance) -> Void) {
                guard place < events.count else { return }
                Unmanaged.passUnretained(events[place])._withUnsafeGuaranteedRef(body)
            }
            for place in 0..<events.count {
                if place + 12 < events.count {
                    let event = Unmanaged.passUnretained(events[place + 12]).toOpaque()
                    UnsafeRawPointer(event).prefetch(512)
                }
                ahead(place + 9) { prefetch($0, .lists) }
                ahead(place + 6) { prefetch($0, .objects) }
                ahead(place + 3) { prefetch($0, .memory) }
                ahead(place, body)
            }
        }
    }
}

extension EventInstance {
    /// Asks for its voices, and for what their players publish.
    @inline(__always)
    func prefetchVoices(_ stage: PrefetchStage) {
        switch stage {
        case .lists: voices.withUnsafeBytes { $0.baseAddress?.prefetch(64) }
        case .objects: voices.forEachUncounted { $0.prefetch() }
        case .memory: voices.forEachUncounted { UnsafeRawPointer($0.control.status).prefetch(64) }
        }
    }

    /// Asks for its channels, and for where these leave what they send.
    @inline(__always)
    func prefetchChannels(_ stage: PrefetchStage) {
        switch stage {
        case .lists: channels.all.withUnsafeBytes { $0.baseAddress?.prefetch(64) }
        case .objects: channels.forEachUncounted { $1.prefetch() }
        case .memory: channels.forEachUncounted { $1.spatialCell?.place.prefetch(64) }
        }
    }
}

extension Voice {
    /// Asks for what an update reads of it.
    fileprivate func prefetch() { UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque()).prefetch(640) }
}

extension MixerChannel {
    /// Asks for what an update reads and writes of it: all but filters, which are large and seldom change.
    fileprivate func prefetch() {
        UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque()).prefetch(512)
        withUnsafePointer(to: &spatial.lastSent) { UnsafeRawPointer($0).prefetch(192) }
        withUnsafePointer(to: &level) { UnsafeRawPointer($0).prefetch(MemoryLayout<ChannelLevel>.size) }
        prefetchKnown()
    }
}
