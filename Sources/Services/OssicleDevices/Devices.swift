import OssicleMessages
import Synchronization

/// Opens devices of every backend.
package enum Devices {
    /// The output that is meant.
    /// - Parameter words: as in `DeviceChoice`; nil for what the environment chooses, else for the default of the first
    ///   backend that has one: PulseAudio or PipeWire, a JACK server that runs, hardware where no server does.
    package static func output(
        _ words: String? = nil, _ wishes: FormatWishes = FormatWishes()
    ) throws(DeviceError) -> any OutputDevice { PortOutput(try open(.output, words, wishes)) }

    /// The input that is meant, as `output`.
    package static func input(
        _ words: String? = nil, _ wishes: FormatWishes = FormatWishes()
    ) throws(DeviceError) -> any InputDevice { PortInput(try open(.input, words, wishes)) }

    fileprivate static func open(
        _ direction: DeviceInfo.Direction, _ words: String?, _ wishes: FormatWishes
    ) throws(DeviceError) -> any DevicePort {
        if let choice = words.flatMap(DeviceChoice.init) ?? DeviceChoice.ofEnvironment(direction) {
            return try choice.target(direction).open(direction, wishes)
        }
        do throws(DeviceError) {
            return try DeviceTarget.pulse().open(direction, wishes)
        } catch  where error.meansNoDevice {
            if let port = try ifThere(.jack(), direction, wishes) { return port }
            if case .noServer = error, AlsaDirectory.hasCards, let port = try ifThere(.alsa(), direction, wishes) {
                return port
            }
            throw error
        }
    }

    /// Nil where there is no device; other failures are passed on.
    private static func ifThere(
        _ target: DeviceTarget, _ direction: DeviceInfo.Direction, _ wishes: FormatWishes
    ) throws(DeviceError) -> (any DevicePort)? {
        do throws(DeviceError) {
            return try target.open(direction, wishes)
        } catch  where error.meansNoDevice {
            return nil
        }
    }
}

/// The output a program means when it names none.
package enum DefaultDevice {
    /// What to do where there is no sound server, or none with a device.
    package enum Fallback: Sendable {
        /// Throw.
        case error
        /// Keep time in silence; for outputs standard error says so, once in a process.
        case silence
    }

    /// The output that the program prefers, else the default (`Devices.output`), or what `fallback` says where there is
    /// none.
    /// - Parameters:
    ///   - sampleRate: Hz; nil for what `DevicePreferences` ask, else the device's own, 48 kHz in silence.
    ///   - channelCount: nil for the device's own, 2 in silence. - channelLabels: as in `FormatWishes`.
    package static func open(
        sampleRate: Double? = nil, channelCount: Int? = nil, channelLabels: [UInt32]? = nil, fallback: Fallback = .error
    ) throws(DeviceError) -> any OutputDevice {
        if let substitutes = DeviceSubstitutes.current { return substitutes.output }
        let wishes = FormatWishes(sampleRate: sampleRate, channelCount: channelCount, channelLabels: channelLabels)
        return PortOutput(try open(.output, wishes, fallback))
    }

    fileprivate static func open(
        _ direction: DeviceInfo.Direction, _ wishes: FormatWishes, _ fallback: Fallback
    ) throws(DeviceError) -> any DevicePort {
        let preferences = DevicePreferences.current
        var attempt = preferences.firstAttempt(direction, wishes)
        while true {
            do throws(DeviceError) {
                return try Devices.open(direction, attempt.words, attempt.wishes)
            } catch {
                if let next = preferences.attempt(after: attempt, error, wishes) {
                    attempt = next
                } else if error.meansNoDevice && fallback == .silence {
                    if direction == .output { SilenceNotice.shared.give(error) }
                    var wishes = wishes
                    wishes.sampleRate = wishes.sampleRate ?? preferences.possibleRate
                    return try DeviceTarget.silence.open(direction, wishes)
                } else {
                    throw error
                }
            }
        }
    }
}

/// The input a program means when it names none.
package enum DefaultInput {
    /// As `DefaultDevice.open`.
    package static func open(
        sampleRate: Double? = nil, channelCount: Int? = nil, fallback: DefaultDevice.Fallback = .error
    ) throws(DeviceError) -> any InputDevice {
        if let substitutes = DeviceSubstitutes.current { return try substitutes.openInput() }
        let wishes = FormatWishes(sampleRate: sampleRate, channelCount: channelCount)
        return PortInput(try DefaultDevice.open(.input, wishes, fallback))
    }
}

/// Says once that sound goes nowhere, in one line: a program that plays to a silent clock looks as if it worked.
final class SilenceNotice: Sendable {
    /// For the whole process, however many engines it has.
    static let shared = SilenceNotice { StandardError.write($0) }

    private let isGiven = Atomic(false)
    private let write: @Sendable (String) -> Void

    init(_ write: @escaping @Sendable (String) -> Void) { self.write = write }

    func give(_ error: DeviceError) {
        guard !isGiven.exchange(true, ordering: .relaxed) else { return }
        write("Ossicle: no output device, a silent clock keeps time (\(error.reason)).\n")
    }
}
