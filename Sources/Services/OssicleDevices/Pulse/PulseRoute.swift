import CPulse

/// Tells what becomes of a stream's way through the server. Belongs to its connection's thread.
final class PulseRoute {
    private let stream: PulseStream
    private let directory: PulseDirectory
    private let events: @Sendable (DeviceEvent) -> Void
    private var route: StreamRoute

    /// Learns how things are before sound flows, so that every later change is an event.
    init(of stream: PulseStream, _ direction: DeviceInfo.Direction, events: @escaping @Sendable (DeviceEvent) -> Void) throws(DeviceError) {
        let devices = direction == .output ? PA_SUBSCRIPTION_MASK_SINK : PA_SUBSCRIPTION_MASK_SOURCE
        let facilities = pa_subscription_mask_t(rawValue: devices.rawValue | PA_SUBSCRIPTION_MASK_SERVER.rawValue)
        (self.stream, self.events, directory) = (stream, events, PulseDirectory(stream.connection, to: facilities))
        route = StreamRoute(direction, at: stream.deviceID, in: try directory.first())
    }

    /// Call after every turn of the connection; never waits.
    func report() {
        if stream.takeMove() { directory.doubt() }
        guard let list = directory.update() else { return }
        route.note(list, at: stream.deviceID).forEach(events)
    }
}
