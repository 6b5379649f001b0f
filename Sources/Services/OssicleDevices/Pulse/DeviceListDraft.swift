import CPulse

/// The server's answers, as they come in, for one device list.
struct DeviceListDraft {
    private var defaults: (output: String?, input: String?)
    private var outputs: [DeviceInfo] = []
    private var inputs: [DeviceInfo] = []

    var list: DeviceList {
        DeviceList(outputs: outputs.map { $0.marked(default: $0.id == defaults.output) },
                   inputs: inputs.map { $0.marked(default: $0.id == defaults.input) })
    }

    mutating func note(_ info: pa_server_info) {
        defaults = (info.default_sink_name.map { String(cString: $0) }, info.default_source_name.map { String(cString: $0) })
    }

    mutating func note(_ info: pa_sink_info) {
        guard let id = info.name.map({ String(cString: $0) }) else { return }
        outputs.append(DeviceInfo(id: id, name: info.description.map { String(cString: $0) } ?? id, direction: .output,
                                  sampleRate: Double(info.sample_spec.rate), channelCount: Int(info.sample_spec.channels)))
    }

    mutating func note(_ info: pa_source_info) {
        guard let id = info.name.map({ String(cString: $0) }) else { return }
        inputs.append(DeviceInfo(id: id, name: info.description.map { String(cString: $0) } ?? id, direction: .input,
                                 sampleRate: Double(info.sample_spec.rate), channelCount: Int(info.sample_spec.channels),
                                 isMonitor: info.monitor_of_sink_name != nil))
    }
}

extension DeviceInfo {
    fileprivate func marked(default isDefault: Bool) -> DeviceInfo {
        DeviceInfo(id: id, name: name, direction: direction, sampleRate: sampleRate, channelCount: channelCount, isDefault: isDefault, isMonitor: isMonitor)
    }
}
