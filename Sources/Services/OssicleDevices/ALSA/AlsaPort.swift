/// A device of ALSA's: hardware, or what its configuration names.
final class AlsaPort: DevicePort {
    let name: String
    let format: DeviceFormat
    let meters = DeviceMeters()
    private let direction: DeviceInfo.Direction
    private let pcm: String
    private let thread: DeviceThread

    /// Opens the device once and agrees on a format.
    init(_ direction: DeviceInfo.Direction, _ wishes: FormatWishes, device: String) throws(DeviceError) {
        name = "ALSA device \(device)"
        // What no device can do is said before one is looked for.
        _ = try wishes.format(of: name)
        (self.direction, pcm) = (direction, device)
        thread = DeviceThread(label: "ossicle.alsa", device: name, meters: meters)
        format = try AlsaStream(device, direction, wishes, meters: meters).format
    }

    func start(_ callback: BlockCallback, events: @escaping @Sendable (DeviceEvent) -> Void) throws(DeviceError) {
        let (pcm, direction, format, meters) = (pcm, direction, format, meters)
        try thread.start(within: DeviceThread.patience, events: events) { () throws(DeviceError) in
            let stream = try AlsaStream(pcm, direction, FormatWishes(format), meters: meters)
            try stream.begin()
            return AlsaLoop(stream, callback)
        }
    }

    func stop() -> Bool { thread.stop() }
}

/// Plays or records a block whenever the device is ready for it.
private final class AlsaLoop: DeviceLoop {
    private let stream: AlsaStream
    private let callback: BlockCallback

    init(_ stream: AlsaStream, _ callback: BlockCallback) { (self.stream, self.callback) = (stream, callback) }

    func turn(_ goOn: DeviceThread.GoOn) throws(DeviceError) {
        guard try stream.waitForBlock() else { return }
        switch callback {
        case .play(let render):
            stream.buffers.render(render, hostTime: stream.time())
            stream.buffers.interleave()
            try stream.write()
        case .record(let receive):
            let time = stream.time()
            guard try stream.read() else { return }
            stream.buffers.deliver(
                stream.buffers.interleaved, count: stream.format.quantum, to: receive, hostTime: time,
                followsBreak: stream.takeBreak())
        }
    }
}
