import CPulse

extension Transducer {
    /// By the socket that a sink uses, else by the form of its device, both as the server knows them.
    init(_ info: pa_sink_info) {
        let port = info.active_port.map { Transducer.ofPorts[$0.pointee.type] ?? .unknown } ?? .unknown
        let form = pa_proplist_gets(info.proplist, "device.form_factor").map { String(cString: $0) }
        self = port == .unknown ? form.flatMap { Transducer.ofForms[$0] } ?? .unknown : port
    }

    /// An analogue socket of which no more is known has none.
    private static let ofPorts: [UInt32: Transducer] = Dictionary(
        uniqueKeysWithValues: [
            (PA_DEVICE_PORT_TYPE_HEADPHONES, headphones), (PA_DEVICE_PORT_TYPE_HEADSET, headphones),
            (PA_DEVICE_PORT_TYPE_HANDSET, headphones), (PA_DEVICE_PORT_TYPE_EARPIECE, headphones),
            (PA_DEVICE_PORT_TYPE_SPEAKER, builtInSpeakers), (PA_DEVICE_PORT_TYPE_LINE, externalSpeakers),
            (PA_DEVICE_PORT_TYPE_AUX, externalSpeakers), (PA_DEVICE_PORT_TYPE_SPDIF, externalSpeakers),
            (PA_DEVICE_PORT_TYPE_HDMI, externalSpeakers), (PA_DEVICE_PORT_TYPE_TV, externalSpeakers),
            (PA_DEVICE_PORT_TYPE_CAR, externalSpeakers), (PA_DEVICE_PORT_TYPE_HIFI, externalSpeakers),
        ].map { (UInt32($0.0.rawValue), $0.1) })

    private static let ofForms: [String: Transducer] = [
        "headphone": headphones, "headset": headphones, "handset": headphones, "internal": builtInSpeakers,
        "speaker": externalSpeakers, "tv": externalSpeakers, "hifi": externalSpeakers, "car": externalSpeakers,
        "portable": externalSpeakers,
    ]
}
