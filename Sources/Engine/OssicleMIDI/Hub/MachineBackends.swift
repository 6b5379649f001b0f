import OssicleDevices
import Synchronization

/// The MIDI services of this machine at the shared hub: the ALSA sequencer and JACK.
package final class MachineBackends: Sendable {
    /// At the shared hub.
    package static let shared = MachineBackends()

    private enum State: Sendable {
        case running(BackendDevices)
        case missing(String)
    }

    private let states = Mutex<[String: State]>([:])

    /// Looks for the services that do not run, which takes a second at most; `restart` of the hub does it again.
    ///
    /// - Parameter choice: words of `OSSICLE_MIDI`: `alsa`, `jack`, or `none`; nil for all there are.
    package func start(choice: String?) {
        let isFirst = states.withLock { states in
            connect(choice, &states)
            return states.updateValue(.missing(""), forKey: "") == nil
        }
        if isFirst { MIDIHub.shared.onRestart { [weak self] in self?.start(choice: choice) } }
    }

    /// Each service with what is wrong with it; nil where it runs. Sorted by name.
    package var status: [(name: String, trouble: String?)] {
        states.withLock { states in
            states.filter { $0.key != "" }.sorted { $0.key < $1.key }.map { name, state in
                if case .missing(let reason) = state { (name, reason) } else { (name, nil) }
            }
        }
    }

    private func connect(_ choice: String?, _ states: inout [String: State]) {
        let wanted = choice.map { Set($0.lowercased().split(separator: ",").map(String.init)) }
        for (word, backend) in [("alsa", AlsaMIDIBackend() as any MIDIBackend), ("jack", JackMIDIBackend())] {
            guard wanted?.contains(word) ?? true else { continue }
            if case .running? = states[backend.name] { continue }
            let devices = BackendDevices(backend, at: .shared)
            do {
                try devices.start()
                states[backend.name] = .running(devices)
            } catch {
                states[backend.name] = .missing(error.reason)
            }
        }
    }
}
