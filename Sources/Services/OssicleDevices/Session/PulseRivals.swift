import CPulse

/// Whether a session has the sound for itself, as other programs that use Ossicle see it.
package enum SoundHold: Sendable, Hashable {
    /// Active, and not mixing.
    case exclusive
    /// No longer; `mayResume` says whether the programs it interrupted should go on.
    case released(mayResume: Bool)
}

/// The sessions of other programs that use Ossicle, and this program's own as they see it.
///
/// A property of each program's connection says what its session holds, and since when: the latest has the sound. It
/// ends with the connection, so that a program that is killed holds nothing. Belongs to its connection's thread.
final class PulseRivals {
    /// What a session holds, as it is published.
    struct Entry: Hashable {
        let hold: SoundHold
        /// Nanoseconds of `HostClock`.
        let since: UInt64

        init(_ hold: SoundHold, since: UInt64) { (self.hold, self.since) = (hold, since) }

        init?(_ text: String) {
            let words = text.split(separator: " ")
            guard words.count == 2, let since = UInt64(words[1]) else { return nil }
            switch words[0] {
            case "exclusive": self.init(.exclusive, since: since)
            case "released": self.init(.released(mayResume: false), since: since)
            case "resume": self.init(.released(mayResume: true), since: since)
            default: return nil
            }
        }

        var text: String {
            switch hold {
            case .exclusive: "exclusive \(since)"
            case .released(let mayResume): "\(mayResume ? "resume" : "released") \(since)"
            }
        }
    }

    private static let key = "ossicle.session"

    private let connection: PulseConnection
    private let query = PulseQuery()
    private var published: Entry?
    /// When this program's session was last activated.
    private var ownSince: UInt64 = 0
    private var draft: [UInt32: Entry] = [:]
    /// The connection whose session has the sound.
    private var holder: UInt32?

    init(_ connection: PulseConnection) { self.connection = connection }

    /// Something may have changed.
    func doubt() { query.doubt() }

    /// Shows others what this program's session holds.
    func publish(_ entry: Entry?) {
        guard let entry, entry != published, let properties = pa_proplist_new() else { return }
        defer { pa_proplist_free(properties) }
        published = entry
        if entry.hold == .exclusive { ownSince = entry.since }
        pa_proplist_sets(properties, PulseRivals.key, entry.text)
        let operation = pa_context_proplist_update(connection.context, PA_UPDATE_REPLACE, properties, nil, nil)
        if let operation { pa_operation_unref(operation) }
    }

    /// Whether another session took the sound after this program's, or gave it back, once that is known; nil where
    /// nothing has changed. Call after every turn of the connection; never waits.
    func update() -> SurroundingsEvent? {
        guard query.isAnswered(by: request) else { return nil }
        let later = draft.filter { $0.value.hold == .exclusive && $0.value.since > ownSince }
        let latest = later.max { $0.value.since < $1.value.since }
        defer { holder = latest?.key }
        if let latest { return holder == latest.key ? nil : .rival(.exclusive, since: latest.value.since) }
        guard let holder else { return nil }
        let (hold, since) = (draft[holder]?.hold, draft[holder]?.since ?? 0)
        return .rival(.released(mayResume: hold == .released(mayResume: true)), since: since)
    }

    private func request() -> OpaquePointer? {
        draft = [:]
        return pa_context_get_client_info_list(
            connection.context,
            { _, info, _, me in
                guard let info, let me else { return }
                Unmanaged<PulseRivals>.fromOpaque(me).takeUnretainedValue().note(info.pointee)
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    private func note(_ info: pa_client_info) {
        draft[info.index] = info.proplist?.value(PulseRivals.key).flatMap(Entry.init)
    }
}
