import OssicleDSP
import OssicleRender

/// The exit of a domain whose listener runs at another rate, or plays it at another speed.
enum RateExit {
    /// - Parameter speed: how fast the sound is played, pitch with it.
    static func parameters(from inner: Double, to outer: Double, speed: Double) -> RateConverter.Parameters {
        speed == 1 ? RateConverter.Parameters(from: inner, to: outer) : RateConverter.Parameters(gliding: inner * speed, to: outer)
    }

    /// Makes what any step of a gliding speed needs, so that the call that sets it need not.
    static func prepareGlides(from inner: Double, to outer: Double) {
        SincTable.makeVarispeed(ratios: 0.5 * inner / outer...2 * inner / outer)
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

extension EngineMachine {
    /// Makes the filters for a source whose speed begins to differ from 1; some hundred milliseconds the first time, so not under the lock.
    func prepareGlides(of source: AVAudioNode) {
        let rates = locked {
            mixerWires(from: source).filter { $0.1.playsSourcesAtTheirSpeed }.map { wire, mixer in
                (inner: wire.format.sampleRate, outer: model.format(of: BusKey(mixer, .output, 0), node: mixer).sampleRate)
            }
        }
        for (inner, outer) in rates where inner >= 1 && outer >= 1 { RateExit.prepareGlides(from: inner, to: outer) }
    }
}
