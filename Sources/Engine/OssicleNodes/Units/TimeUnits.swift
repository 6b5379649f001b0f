import OssicleDSP
import OssicleRender

/// Units that change speed or pitch.
package enum TimeUnits {
    /// Those of the catalogue, in the order a search finds them.
    static let all: [UnitDescription] = [newPitch, varispeed, timePitch]

    /// Plays faster and higher, or slower and lower. Rate is 2^(cents/1200): the two parameters are one.
    package static let varispeed = UnitDescription(
        "aufc", "vari", name: "AUVarispeed", channels: .sameOutAsIn,
        parameters: [
            .init(0, "playbackRate", "Playback Rate", .rate, from: 0.25, to: 4, default: 1),
            .init(1, "playbackCents", "Playback Cents", .cents, from: -2400, to: 2400, default: 0),
        ],
        exitDriver: { values in
            TimeDriver(fastest: 4, unity: RateConverter.Parameters(rate: 1), ExitReference.rate) {
                RateConverter.Parameters(rate: Double(values[0]))
            }
        })

    /// Changes speed and pitch, each on its own. The published default of the pitch is 1 cent; here it is 0, as the
    /// class has it.
    package static let timePitch = UnitDescription(
        "aufc", "nutp", name: "AUNewTimePitch", channels: .sameOutAsIn, parameters: pitchParameters,
        exitDriver: { values in
            TimeDriver(fastest: 32, unity: TimeStretcher.Parameters(), ExitReference.stretch) {
                TimeStretcher.Parameters(
                    rate: Double(values[0]), cents: Double(values[1]), overlap: Double(values[4]),
                    keepsOnsets: values[7] >= 0.5, isCoherent: values[6] >= 0.5)
            }
        })

    /// Changes pitch only, frame by frame.
    package static let newPitch = UnitDescription(
        "aufx", "nutp", name: "AUNewPitch", channels: .sameOutAsIn, parameters: Array(pitchParameters.dropFirst()),
        driver: { PitchDriver($0) })

    private static let pitchParameters: [UnitParameter] = [
        .init(0, "rate", "Rate", .rate, from: 0.03125, to: 32, default: 1),
        .init(1, "pitch", "Pitch", .cents, from: -2400, to: 2400, default: 0),
        .init(4, "smoothness", "Smoothness", .generic, from: 3, to: 32, default: 8),
        .init(
            6, "enableSpectralCoherence", "Enable Spectral Coherence", .boolean, from: 0, to: 1, default: 1,
            kind: .stepping),
        .init(
            7, "enableTransientPreservation", "Enable Transient Preservation", .boolean, from: 0, to: 1, default: 1,
            kind: .stepping),
    ]
}

/// Renders a time effect: reads its parameters and keeps the exit of its domain. Under the node's lock.
package protocol ExitDriver: AnyObject {
    /// The exit for a rate and a number of channels, and what keeps it alive.
    func makeExit(sampleRate: Double, channels: Int, bypass: Bool) -> (ExitReference, AnyObject)
    /// Sends the parameters to the exit, if there is one.
    func update(bypass: Bool)
    /// The most input frames per output frame.
    var fastest: Double { get }
    /// Seconds.
    func tailTime(sampleRate: Double) -> Double
}

/// Drives one time kernel.
final class TimeDriver<Kernel: TimeKernel & ~Copyable>: ExitDriver {
    let fastest: Double
    private let unity: Kernel.Parameters
    private let refer: (UnsafeMutablePointer<TimeExit<Kernel>>) -> ExitReference
    private let read: () -> Kernel.Parameters
    private var box: ControlledBox<TimeExit<Kernel>>?

    /// - Parameters:
    ///   - unity: in force while bypassed.
    ///   - read: the kernel's parameters as the unit's are now.
    init(
        fastest: Double, unity: Kernel.Parameters,
        _ refer: @escaping (UnsafeMutablePointer<TimeExit<Kernel>>) -> ExitReference,
        read: @escaping () -> Kernel.Parameters
    ) {
        self.fastest = fastest
        self.unity = unity
        self.refer = refer
        self.read = read
    }

    func makeExit(sampleRate: Double, channels: Int, bypass: Bool) -> (ExitReference, AnyObject) {
        let made = ControlledBox(
            TimeExit<Kernel>(sampleRate: sampleRate, channelCount: channels, parameters: bypass ? unity : read()))
        box = made
        return (refer(made.pointer), made)
    }

    func update(bypass: Bool) { box?.control.write(bypass ? unity : read()) }

    func tailTime(sampleRate: Double) -> Double { Kernel.tailTime(read(), sampleRate: sampleRate) }
}
