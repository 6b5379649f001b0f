/// The way of one stream: which device it is at, and what that device is like.
struct StreamRoute {
    private let direction: DeviceInfo.Direction
    private var list: DeviceList
    private var device: DeviceInfo?

    init(_ direction: DeviceInfo.Direction, at device: String, in list: DeviceList) {
        (self.direction, self.list) = (direction, list)
        self.device = list[direction].first { $0.id == device }
    }

    /// Takes note of how things are now. What changed for the stream: the default first, then its own device, then that device's format.
    mutating func note(_ list: DeviceList, at id: String) -> [DeviceEvent] {
        var events: [DeviceEvent] = []
        if let change = list.defaultChange(direction, since: self.list) { events.append(.routeChanged(change)) }
        self.list = list
        // A device that is already gone while the stream is not yet moved: the move will follow.
        guard let now = list[direction].first(where: { $0.id == id }) else { return events }
        defer { device = now }
        if device?.id != now.id { events.append(.routeChanged(.moved(to: now.id))) }
        if device.map({ $0.sampleRate != now.sampleRate || $0.channelCount != now.channelCount }) ?? false {
            events.append(.formatChanged(sampleRate: now.sampleRate, channelCount: now.channelCount))
        }
        return events
    }
}
