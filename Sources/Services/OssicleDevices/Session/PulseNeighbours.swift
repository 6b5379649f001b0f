import CPulse
import Foundation

/// The streams that other programs play, and their volumes. Belongs to its connection's thread.
final class PulseNeighbours {
    private struct Stream {
        let index: UInt32
        let role: StreamRole
        let volume: pa_cvolume
        /// Neither corked nor muted.
        let isSounding: Bool
        let isAdjustable: Bool
    }

    private let connection: PulseConnection
    private let query = PulseQuery()
    private var draft: [Stream] = []
    private var streams: [Stream] = []
    /// The volumes of what is lowered, or was, before and since.
    private var lowered: [UInt32: (before: pa_cvolume, since: pa_cvolume)] = [:]
    /// dB.
    private var lowering = 0

    init(_ connection: PulseConnection) { self.connection = connection }

    /// Something may have changed.
    func doubt() { query.doubt() }

    /// What sounds, once that is known anew; nil otherwise. Call after every turn of the connection; never waits.
    func update() -> [StreamRole]? {
        guard query.isAnswered(by: request) else { return nil }
        streams = draft
        lowered = lowered.filter { entry in streams.contains { $0.index == entry.key } }
        if lowering > 0 { lower(streams.filter { lowered[$0.index] == nil }) }
        return streams.filter(\.isSounding).map(\.role)
    }

    private func request() -> OpaquePointer? {
        draft = []
        return pa_context_get_sink_input_info_list(
            connection.context,
            { _, info, _, me in
                guard let info, let me else { return }
                Unmanaged<PulseNeighbours>.fromOpaque(me).takeUnretainedValue().note(info.pointee)
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    private func note(_ info: pa_sink_input_info) {
        // The program's own streams, and those of modules, have no other program to consider.
        guard let process = info.proplist?.value("application.process.id"), process != "\(getpid())" else { return }
        draft.append(
            Stream(
                index: info.index, role: StreamRole(name: info.proplist?.value("media.role") ?? ""),
                volume: info.volume,
                isSounding: info.corked == 0 && info.mute == 0,
                isAdjustable: info.has_volume != 0 && info.volume_writable != 0))
    }

    /// Lowers all streams, those that come later too, or restores them for 0 dB.
    func setLowered(by decibels: Int) {
        guard decibels != lowering else { return }
        lowering = decibels
        if decibels > 0 { lower(streams) } else { restoreAll() }
    }

    private func lower(_ streams: [Stream]) {
        // libpulse's scale is cubic: 65,536 · 10^(−12/60) for 12 dB.
        let volume = pa_volume_t((65_536 * pow(10, -Double(lowering) / 60)).rounded())
        for stream in streams where stream.isAdjustable {
            var (before, since) = (original(of: stream), pa_cvolume())
            pa_sw_cvolume_multiply_scalar(&since, &before, volume)
            lowered[stream.index] = (before, since)
            set(since, of: stream.index)
        }
    }

    /// What is known of a stream that was restored a moment ago may still be its lowered volume: lowering that once
    /// more would leave the stream low for good.
    private func original(of stream: Stream) -> pa_cvolume {
        guard case (let before, var since)? = lowered[stream.index] else { return stream.volume }
        var now = stream.volume
        return pa_cvolume_equal(&now, &since) != 0 ? before : now
    }

    /// A volume that somebody has moved meanwhile stays.
    private func restoreAll() {
        for stream in streams {
            guard let (before, since) = lowered[stream.index] else { continue }
            var (now, expected) = (stream.volume, since)
            var original = before
            let isUntouched = pa_cvolume_equal(&now, &expected) != 0 || pa_cvolume_equal(&now, &original) != 0
            if isUntouched { set(before, of: stream.index) }
        }
    }

    private func set(_ volume: pa_cvolume, of index: UInt32) {
        var volume = volume
        let operation = pa_context_set_sink_input_volume(connection.context, index, &volume, nil, nil)
        if let operation { pa_operation_unref(operation) }
    }
}

extension StreamRole {
    /// Properties of a new stream with the program's role, to be freed; nil without a role.
    static func makeProperties() -> OpaquePointer? {
        guard let role = current, let properties = pa_proplist_new() else { return nil }
        pa_proplist_sets(properties, "media.role", role.rawValue)
        return properties
    }
}
