import CAlsa
import Foundation

/// What ALSA knows of devices.
enum AlsaDirectory {
    /// The pcm a program means that names none.
    static let defaultName = "default"
    /// Whether there is hardware at all.
    static var hasCards: Bool {
        var card: Int32 = -1
        return ossicle_load_alsa() && snd_card_next(&card) >= 0 && card >= 0
    }

    /// Hardware and what the configuration describes; empty without the library. Devices in use are listed without
    /// channels.
    static func list() -> DeviceList {
        guard ossicle_load_alsa() else { return DeviceList() }
        let hints = hints()
        return DeviceList(outputs: devices(.output, hints), inputs: devices(.input, hints))
    }

    /// A line of ALSA's own list.
    private struct Hint {
        let name: String
        let description: String
        /// Nil for both.
        let direction: DeviceInfo.Direction?
    }

    private static func devices(_ direction: DeviceInfo.Direction, _ hints: [Hint]) -> [DeviceInfo] {
        let hasCards = hasCards
        return hints.filter { ($0.direction ?? direction) == direction && isOffered($0.name) }.map { hint in
            let shape = shape(of: hint.name, direction)
            return DeviceInfo(
                id: DeviceBackend.alsa.id(of: hint.name), name: hint.description, direction: direction,
                sampleRate: shape.sampleRate, channelCount: shape.channelCount,
                isDefault: hasCards && hint.name == defaultName, backend: .alsa)
        }
    }

    /// Plug-ins that lead to the same hardware are left out; they can be named all the same.
    private static func isOffered(_ name: String) -> Bool {
        let kind = name.prefix { $0 != ":" }
        return !pluginKinds.contains(String(kind)) && !kind.hasPrefix("surround")
    }
    private static let pluginKinds: Set<String> = [
        "null", "plughw", "sysdefault", "front", "iec958", "hdmi", "dmix", "dsnoop", "dshare", "usbstream",
        "samplerate", "speexrate", "speex", "upmix", "vdownmix", "lavrate", "jack", "oss", "pulse", "pipewire", "a52",
    ]

    private static func hints() -> [Hint] {
        var list: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
        guard snd_device_name_hint(-1, "pcm", &list) >= 0, let list else { return [] }
        defer { snd_device_name_free_hint(list) }
        var found: [Hint] = []
        var next = list
        while let hint = next.pointee {
            next += 1
            guard let name = text(hint, "NAME") else { continue }
            let direction: DeviceInfo.Direction? =
                switch text(hint, "IOID") {
                case "Output": .output
                case "Input": .input
                default: nil
                }
            let words = text(hint, "DESC") ?? name
            found.append(
                Hint(
                    name: name, description: words.split(separator: "\n").joined(separator: ", "),
                    direction: direction))
        }
        return found
    }

    private static func text(_ hint: UnsafeMutableRawPointer, _ key: String) -> String? {
        guard let text = snd_device_name_get_hint(hint, key) else { return nil }
        defer { free(text) }
        return String(cString: text)
    }

    /// Rate and channels a device would be opened with; 0 channels where it cannot be opened now.
    private static func shape(
        of name: String, _ direction: DeviceInfo.Direction
    ) -> (sampleRate: Double, channelCount: Int) {
        let standard = DeviceFormat.standard
        guard let handle = try? AlsaStream.open(name, direction, device: name) else {
            return (standard.sampleRate, 0)
        }
        defer { snd_pcm_close(handle) }
        var memory: OpaquePointer?
        guard snd_pcm_hw_params_malloc(&memory) >= 0, let hardware = memory else { return (standard.sampleRate, 0) }
        defer { snd_pcm_hw_params_free(hardware) }
        var (channels, rate) = (UInt32(0), UInt32(standard.sampleRate))
        guard snd_pcm_hw_params_any(handle, hardware) >= 0,
            snd_pcm_hw_params_get_channels_max(hardware, &channels) >= 0,
            snd_pcm_hw_params_set_rate_near(handle, hardware, &rate, nil) >= 0
        else { return (standard.sampleRate, 0) }
        // Plug-ins that convert take any number.
        return (Double(rate), channels <= 32 ? Int(channels) : standard.channelCount)
    }
}
