/// The output a program means when it names none.
package enum DefaultDevice {
    /// What to do where there is no sound server, or none with a device.
    package enum Fallback: Sendable {
        /// Say so.
        case error
        /// Keep time in silence; standard error says so, once in a process.
        case silence
    }

    /// The default output of the desktop's sound server, or what `fallback` says where there is none.
    /// - Parameters: sampleRate: Hz; nil for the device's own, 48 kHz in silence. - channelCount: nil for the device's own, 2 in silence.
    package static func open(sampleRate: Double? = nil, channelCount: Int? = nil, fallback: Fallback = .error) throws -> any OutputDevice {
        do {
            return try PulseDevice(sampleRate: sampleRate, channelCount: channelCount)
        } catch let error as DeviceError where error.meansNoDevice && fallback == .silence {
            SilenceNotice.shared.give(error)
            return try NullDevice(sampleRate: sampleRate ?? StreamFormat.standard.sampleRate, channelCount: channelCount ?? StreamFormat.standard.channelCount)
        }
    }
}

/// The input a program means when it names none.
package enum DefaultInput {
    /// The default input of the desktop's sound server, or what `fallback` says where there is none.
    /// - Parameters: sampleRate: Hz; nil for the device's own, 48 kHz in silence. - channelCount: nil for the device's own, 2 in silence.
    package static func open(sampleRate: Double? = nil, channelCount: Int? = nil, fallback: DefaultDevice.Fallback = .error) throws -> any InputDevice {
        do {
            return try PulseInput(sampleRate: sampleRate, channelCount: channelCount)
        } catch let error as DeviceError where error.meansNoDevice && fallback == .silence {
            return try NullInput(sampleRate: sampleRate ?? StreamFormat.standard.sampleRate, channelCount: channelCount ?? StreamFormat.standard.channelCount)
        }
    }
}
