import OssicleAudioToolbox
import OssicleDSP
import OssicleRender

/// What makes a time effect sound: reads its parameters and keeps the exit of its domain. Under the node's lock.
protocol ExitDriver: AnyObject {
    /// The exit for a rate and a number of channels, and what keeps it alive.
    func makeExit(sampleRate: Double, channels: Int, bypass: Bool) -> (ExitReference, AnyObject)
    /// Takes the parameters to the exit, if there is one.
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
    init(fastest: Double, unity: Kernel.Parameters, _ refer: @escaping (UnsafeMutablePointer<TimeExit<Kernel>>) -> ExitReference,
         read: @escaping () -> Kernel.Parameters) {
        (self.fastest, self.unity, self.refer, self.read) = (fastest, unity, refer, read)
    }

    func makeExit(sampleRate: Double, channels: Int, bypass: Bool) -> (ExitReference, AnyObject) {
        let made = ControlledBox(TimeExit<Kernel>(sampleRate: sampleRate, channelCount: channels, parameters: bypass ? unity : read()))
        box = made
        return (refer(made.pointer), made)
    }

    func update(bypass: Bool) {
        box?.control.write(bypass ? unity : read())
    }

    func tailTime(sampleRate: Double) -> Double { Kernel.tailTime(read(), sampleRate: sampleRate) }
}

enum ExitDrivers {
    /// The driver of a built-in time effect; `nil` for units that are none.
    static func make(for unit: UnitDescription, _ tree: AUParameterTree) -> (any ExitDriver)? {
        let value = ParameterReader(tree: tree)
        switch unit.component.componentSubType {
        case kAudioUnitSubType_Varispeed:
            return TimeDriver(fastest: 4, unity: RateConverter.Parameters(rate: 1), ExitReference.rate) {
                RateConverter.Parameters(rate: Double(value[kVarispeedParam_PlaybackRate]))
            }
        case kAudioUnitSubType_NewTimePitch:
            return TimeDriver(fastest: 32, unity: TimeStretcher.Parameters(), ExitReference.stretch) {
                TimeStretcher.Parameters(rate: Double(value[kNewTimePitchParam_Rate]), cents: Double(value[kNewTimePitchParam_Pitch]),
                                         overlap: Double(value[kNewTimePitchParam_Smoothness]))
            }
        default: return nil
        }
    }
}
