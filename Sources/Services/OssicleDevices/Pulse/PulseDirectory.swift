import CPulse

/// What a server knows of its devices, asked for again whenever the server says that something changed. Belongs to its
/// connection's thread.
final class PulseDirectory: DeviceDirectory {
    private let connection: PulseConnection
    private var isStale = true
    private var operations: [OpaquePointer] = []
    private var draft = DeviceListDraft()
    /// Known with the first list.
    private(set) var isPipeWire = false

    /// Listens from now on.
    init(_ connection: PulseConnection, to facilities: pa_subscription_mask_t) {
        self.connection = connection
        pa_context_set_subscribe_callback(
            connection.context, { _, _, _, me in PulseDirectory.at(me)?.isStale = true }, me)
        if let operation = pa_context_subscribe(connection.context, facilities, nil, nil) {
            pa_operation_unref(operation)
        }
    }

    deinit {
        pa_context_set_subscribe_callback(connection.context, nil, nil)
        for operation in operations {
            pa_operation_cancel(operation)
            pa_operation_unref(operation)
        }
    }

    /// Something may have changed of which the server will not tell.
    func doubt() { isStale = true }

    /// The new list once it is there, nil as long as nothing changed. Call after every turn of the connection; never
    /// waits.
    func update() -> DeviceList? {
        guard !operations.isEmpty else {
            if isStale { ask() }
            return nil
        }
        guard operations.allSatisfy({ pa_operation_get_state($0) != PA_OPERATION_RUNNING }) else { return nil }
        operations.forEach(pa_operation_unref)
        operations = []
        return draft.list
    }

    func next() throws(DeviceError) -> DeviceList? {
        try connection.turn()
        return update()
    }

    /// The first list, while the device opens.
    func first() throws(DeviceError) -> DeviceList {
        var list: DeviceList?
        try connection.wait {
            list = update()
            return list != nil
        }
        return list ?? DeviceList()
    }

    private func ask() {
        isStale = false
        draft = DeviceListDraft()
        let context = connection.context
        let requests = [
            pa_context_get_server_info(
                context,
                { _, info, me in
                    if let info { PulseDirectory.at(me)?.note(info.pointee) }
                }, me),
            pa_context_get_sink_info_list(
                context,
                { _, info, _, me in
                    if let info { PulseDirectory.at(me)?.draft.note(info.pointee) }
                }, me),
            pa_context_get_source_info_list(
                context,
                { _, info, _, me in
                    if let info { PulseDirectory.at(me)?.draft.note(info.pointee) }
                }, me),
        ]
        operations = requests.compactMap { $0 }
    }

    private func note(_ info: pa_server_info) {
        isPipeWire = info.server_name.map { String(cString: $0).contains("PipeWire") } ?? false
        draft.note(info)
    }

    /// As libpulse hands it to callbacks, which end before this object does: see `deinit`.
    private var me: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    private static func at(_ pointer: UnsafeMutableRawPointer?) -> PulseDirectory? {
        pointer.map { Unmanaged<PulseDirectory>.fromOpaque($0).takeUnretainedValue() }
    }
}

extension PulseDirectory {
    /// Outputs, inputs and defaults.
    static func ofAll(_ connection: PulseConnection) -> PulseDirectory {
        let facilities =
            PA_SUBSCRIPTION_MASK_SINK.rawValue | PA_SUBSCRIPTION_MASK_SOURCE.rawValue
            | PA_SUBSCRIPTION_MASK_SERVER.rawValue
        return PulseDirectory(connection, to: pa_subscription_mask_t(rawValue: facilities))
    }

    /// Asks once, over a connection of its own.
    static func list(device: String, server: String) throws(DeviceError) -> DeviceList {
        try ServerReply.wait(label: "ossicle.pulse.list", within: PulseConnection.patience, device: device) {
            () throws(DeviceError) in
            let connection = try PulseConnection(device: device, server: server, client: "Ossicle")
            return try PulseDirectory(connection, to: PA_SUBSCRIPTION_MASK_NULL).first()
        }
    }
}

/// The server's answers, as they come in, for one device list.
struct DeviceListDraft {
    private var defaults: (output: String?, input: String?)
    private var outputs: [DeviceInfo] = []
    private var inputs: [DeviceInfo] = []

    var list: DeviceList {
        DeviceList(
            outputs: outputs.map { $0.marked(default: $0.id == defaults.output) },
            inputs: inputs.map { $0.marked(default: $0.id == defaults.input) })
    }

    mutating func note(_ info: pa_server_info) {
        defaults = (
            info.default_sink_name.map { String(cString: $0) }, info.default_source_name.map { String(cString: $0) }
        )
    }

    mutating func note(_ info: pa_sink_info) {
        guard let id = info.name.map({ String(cString: $0) }) else { return }
        var volume = info.volume
        outputs.append(
            DeviceInfo(
                id: id, name: info.description.map { String(cString: $0) } ?? id, direction: .output,
                sampleRate: Double(info.sample_spec.rate), channelCount: Int(info.sample_spec.channels),
                channelLabels: ChannelMap.labels(of: info.channel_map), latency: Double(info.latency) * 1e-6,
                volume: Double(pa_cvolume_max(&volume)) / 65_536, transducer: Transducer(info)))
    }

    mutating func note(_ info: pa_source_info) {
        guard let id = info.name.map({ String(cString: $0) }) else { return }
        inputs.append(
            DeviceInfo(
                id: id, name: info.description.map { String(cString: $0) } ?? id, direction: .input,
                sampleRate: Double(info.sample_spec.rate), channelCount: Int(info.sample_spec.channels),
                isMonitor: info.monitor_of_sink_name != nil, channelLabels: ChannelMap.labels(of: info.channel_map),
                latency: Double(info.latency) * 1e-6))
    }
}
