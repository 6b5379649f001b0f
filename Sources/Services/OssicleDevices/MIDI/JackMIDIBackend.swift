import Synchronization

/// MIDI ports of a JACK server.
package final class JackMIDIBackend: MIDIBackend {
    package let name = "JACK MIDI"
    private let sources = JackMIDISide(.source)
    private let destinations = JackMIDISide(.destination)

    private struct Reports: Sendable {
        var sources: [MIDIPortInfo]?
        var destinations: [MIDIPortInfo]?
        var isOver = false
    }
    private let reports = Mutex(Reports())

    package init() {}

    package var advance: UInt64 { destinations.advance }

    package func start(_ events: @escaping @Sendable (MIDIBackendEvent) -> Void) throws(DeviceError) {
        reports.withLock { $0 = Reports() }
        try sources.start { [weak self] event in self?.pass(event, \.sources, events) }
        do throws(DeviceError) {
            try destinations.start { [weak self] event in self?.pass(event, \.destinations, events) }
        } catch {
            sources.stop()
            throw error
        }
    }

    package func send(_ bytes: [UInt8], at time: UInt64, to port: String) {
        destinations.send(bytes, at: time, to: port)
    }

    package func stop() {
        sources.stop()
        destinations.stop()
    }

    /// Both lists as one, in the order of the reports, and one end of the server.
    private func pass(
        _ event: MIDIBackendEvent, _ side: WritableKeyPath<Reports, [MIDIPortInfo]?>,
        _ events: @Sendable (MIDIBackendEvent) -> Void
    ) {
        if case .received = event { return events(event) }
        reports.withLock { reports in
            switch event {
            case .received: break
            case .lost:
                if !reports.isOver { events(event) }
                reports.isOver = true
            case .ports(let ports):
                reports[keyPath: side] = ports
                guard let sources = reports.sources, let destinations = reports.destinations else { return }
                events(.ports(sources + destinations))
            }
        }
    }
}
