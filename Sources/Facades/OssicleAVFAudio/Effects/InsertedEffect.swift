import OssicleAudioToolbox
import OssicleCoreAudioTypes
import OssicleNodes
import OssicleRender

/// Insert effects in a row, which have a unit for themselves.
package protocol UnitChain: AnyObject, Sendable {
    /// Keeps an error that one of the units could not throw.
    func record(_ error: any Error)
}

/// A built-in effect at work outside of an `AVAudioEngine`: a link in a chain of insert effects.
///
/// While it is one, no engine and no other chain can have the unit.
package final class InsertedEffect {
    package let unit: AVAudioUnit
    private let driver: any UnitDriver
    private weak var chain: (any UnitChain)?

    /// Takes the unit for `chain`, which keeps it until `release()`. Throws for what is no built-in effect, or is in
    /// use elsewhere.
    package init(_ unit: AVAudioUnit, chain: any UnitChain) throws {
        guard unit is AVAudioUnitEffect else {
            throw Self.fault(
                unit, "a unit that is no effect", "An insert effect gives as many frames out as it takes in.",
                "Use an AVAudioUnitEffect; time effects and generators need an AVAudioEngine.")
        }
        guard let driver = unit.driver, !(driver is HostedDriver) else {
            throw Self.fault(
                unit, "a component that is not built in", "Only built-in effects can be inserted.",
                "Host units of your own in an AVAudioEngine and feed its sound to a stream node.")
        }
        guard unit.home.join(chain) else {
            throw Self.fault(
                unit, unit.home.machine == nil ? "in another chain of insert effects" : "attached to an AVAudioEngine",
                "A node belongs to one engine or one chain at a time.", "Take it out there first, or make another one.")
        }
        (self.unit, self.driver, self.chain) = (unit, driver, chain)
    }

    private static func fault(_ unit: AVAudioUnit, _ value: String, _ rule: String, _ cure: String) -> OssicleError {
        .avfaudio(kAudio_ParamError, unit.title, value: value, rule: rule, cure: cure)
    }

    /// Gives the unit free. A chain that is just going away counts as none.
    package func release() {
        if unit.home.leave(chain) { forget() }
    }

    package var name: String { unit.title }

    /// The renderer for a rate and a number of channels, and what keeps it alive: the one there is, if it fits.
    package func renderer(sampleRate: Double, channels: Int) -> (RendererReference, AnyObject) {
        unit.lock.withLock {
            unit.unit?.adapt(unit.parameterTree, to: sampleRate)
            return driver.renderer(sampleRate: sampleRate, channels: channels, bypass: unit.isBypassed)
        }
    }

    /// The next renderer is a fresh one; one that a plan holds rings on without the unit's parameters.
    package func forget() { unit.lock.withLock { driver.forget() } }

    /// Seconds it goes on sounding after its input has fallen silent, its latency included; 0 while bypassed.
    package func tailTime(sampleRate: Double) -> Double {
        unit.isBypassed
            ? 0
            : unit.lock.withLock {
                driver.tailTime(sampleRate: sampleRate) + Double(driver.latency(sampleRate: sampleRate)) / sampleRate
            }
    }
}
