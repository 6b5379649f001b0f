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

    private static let services: [(word: String, name: String, make: @Sendable () -> any MIDIBackend)] = [
        ("alsa", "ALSA sequencer", { AlsaMIDIBackend() }), ("jack", "JACK MIDI", { JackMIDIBackend() }),
    ]
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
                switch state {
                case .missing(let reason): (name, reason)
                case .running(let devices): (name, devices.isLost ? "the service has ended" : nil)
                }
            }
        }
    }

    private func connect(_ choice: String?, _ states: inout [String: State]) {
        let wanted = choice.map { Set($0.lowercased().split(separator: ",").map(String.init)) }
        for (word, name, make) in MachineBackends.services where wanted?.contains(word) ?? true {
            var known: BackendDevices?
            if case .running(let devices)? = states[name] { known = devices }
            if let known, !known.isLost { continue }
            let devices = known ?? BackendDevices(make, at: .shared)
            do {
                try devices.start()
                states[name] = .running(devices)
            } catch {
                // Devices that were there come back with their references when the service does.
                if known == nil { states[name] = .missing(error.reason) }
            }
        }
    }
}
