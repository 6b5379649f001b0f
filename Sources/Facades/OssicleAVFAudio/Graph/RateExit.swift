import OssicleDSP
import OssicleRender

/// The exit of a domain whose listener runs at another rate, or plays it at another speed.
enum RateExit {
    /// - Parameter speed: how fast the sound is played, pitch with it.
    static func parameters(from inner: Double, to outer: Double, speed: Double) -> RateConverter.Parameters {
        RateConverter.Parameters(from: inner * speed, to: outer)
    }

    static func make(from inner: Double, to outer: Double, channels: Int, speed: Double) -> (ExitReference, AnyObject) {
        let box = ControlledBox(TimeExit<RateConverter>(sampleRate: inner, channelCount: channels, parameters: parameters(from: inner, to: outer, speed: speed)))
        return (.rate(box.pointer), box)
    }
}

extension Passage {
    /// Lets a listener hear a source at another speed.
    func setSpeed(_ speed: Double, from inner: Double, to outer: Double) {
        guard let box = exit?.owner as? ControlledBox<TimeExit<RateConverter>> else { return }
        box.control.write(RateExit.parameters(from: inner, to: outer, speed: speed))
    }
}
