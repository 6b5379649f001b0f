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

extension [EventInstance] {
    /// The same of events, which are many and lie far apart: those to come are asked for ahead.
    @inline(__always)
    func forEachAhead(_ body: (EventInstance) -> Void) {
        withUnsafeBufferPointer { events in
            for place in 0..<events.count {
                if place + 8 < events.count {
                    let event = Unmanaged.passUnretained(events[place + 8]).toOpaque()
                    UnsafeRawPointer(event).prefetch(256)
                }
                Unmanaged.passUnretained(events[place])._withUnsafeGuaranteedRef(body)
            }
        }
    }
}
