/// The sound server of a Linux desktop: PulseAudio, or PipeWire in its place.
package final class PulseDevice: OutputDevice {
    package let name: String
    package let sampleRate: Double
    package let channelCount: Int
    package let quantum: Int
    private let format: OutputFormat
    private let server: String
    private let client: String
    private let thread = DeviceThread(label: "ossicle.pulse")

    /// A server that says nothing for this long is not there.
    package static let patience = 1.5

    /// Makes sure that a server can be reached; throws `DeviceError` within two seconds where none can.
    /// - Parameters: server: as in PULSE_SERVER; nil for the user's own. - client: what mixers call the program.
    package init(sampleRate: Double = 48000, channelCount: Int = 2, quantum: Int = 512, server: String? = nil, client: String = "Ossicle") throws {
        let name = "PulseAudio server" + (server.map { " \($0)" } ?? "")
        let format = try OutputFormat(device: name, sampleRate: sampleRate, channelCount: channelCount, quantum: quantum)
        guard let found = PulseServer.find(named: server) else { throw DeviceError.noServer(device: name, detail: "nothing listens") }
        (self.name, self.format, self.server, self.client) = (name, format, found, client)
        (self.sampleRate, self.channelCount, self.quantum) = (format.sampleRate, format.channelCount, format.quantum)
    }

    deinit { thread.stop() }

    package func start(render: @escaping RenderCallback, events: @escaping @Sendable (DeviceEvent) -> Void) throws {
        let opening = Opening()
        let (name, server, client, format) = (name, server, client, format)
        let isFirst = thread.start { goOn in
            let stream: PulseStream
            do throws(DeviceError) {
                stream = try PulseStream(device: name, server: server, client: client, format: format)
            } catch {
                _ = opening.finish(error)
                return
            }
            guard opening.finish(nil) else { return }
            PulseDevice.play(stream, format, render, events, goOn)
        }
        guard isFirst else { throw DeviceError.alreadyRunning(device: name) }
        if let error = opening.result(within: PulseDevice.patience, device: name) {
            thread.abandon()
            throw error
        }
    }

    package func stop() { thread.stop() }

    private static func play(_ stream: borrowing PulseStream, _ format: OutputFormat, _ render: RenderCallback,
                             _ events: @Sendable (DeviceEvent) -> Void, _ goOn: DeviceThread.GoOn) {
        let buffers = BlockBuffers(channelCount: format.channelCount, frameCount: format.quantum)
        events(.started)
        do throws(DeviceError) {
            while goOn() {
                buffers.render(render)
                buffers.interleave()
                try stream.write(buffers)
            }
            stream.drain()
            events(.stopped)
        } catch {
            events(.lost(error))
        }
    }
}
