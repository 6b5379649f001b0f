import OssicleAudioToolbox
import OssicleCoreAudioTypes
import OssicleNodes
import OssiclePlayback
import OssicleRender

/// A built-in effect at work outside of an `AVAudioEngine`: a link of a chain of insert effects. While it is one, no
/// engine and no other chain can have the unit.
extension AVAudioUnit: InsertableUnit {
    package func join(_ chain: InsertChain) throws {
        guard self is AVAudioUnitEffect else {
            throw refusal(
                "a unit that is no effect", "An insert effect gives as many frames out as it takes in.",
                cure: "Use an AVAudioUnitEffect; time effects and generators need an AVAudioEngine.")
        }
        guard driver != nil, !(driver is HostedDriver) else {
            throw refusal(
                "a component that is not built in", "Only built-in effects can be inserted.",
                cure: "Host units of your own in an AVAudioEngine and feed its sound to a stream node.")
        }
        guard home.join(chain) else {
            throw refusal(
                home.machine == nil ? "in another chain of insert effects" : "attached to an AVAudioEngine",
                "A node belongs to one engine or one chain at a time.",
                cure: "Take it out there first, or make another one.")
        }
    }

    private func refusal(_ value: String, _ rule: String, cure: String) -> OssicleError {
        .avfaudio(kAudio_ParamError, title, value: value, rule: rule, cure: cure)
    }

    package func leave(_ chain: InsertChain?) {
        if home.leave(chain) { forgetRenderer() }
    }

    package func insertedRenderer(sampleRate: Double, channels: Int) -> (RendererReference, AnyObject) {
        lock.withLock {
            unit?.adapt(parameterTree, to: sampleRate)
            return driver?.renderer(sampleRate: sampleRate, channels: channels, bypass: isBypassed)
                ?? passage(outputFormat(forBus: 0))
        }
    }

    package var insertState: [UnitChange] {
        let writable = parameterTree.allParameters.filter { $0.flags.contains(.flag_IsWritable) }
        let response = lock.withLock { (driver as? any ResponseDriver)?.response }
        return (lastPreset.map { [.preset($0)] } ?? []) + (response.map { [.response($0.record)] } ?? [])
            + writable.map { .parameter($0.address, $0.value) } + [.bypass(isBypassed)]
    }

    package func applyInsertState(_ changes: [UnitChange]) {
        var values: [(AUParameterAddress, Float)] = []
        for change in changes {
            switch change {
            case .preset(let number): load(preset: number)
            case .response(let record): replaceResponse(with: record.flatMap { try? ImpulseResponse($0) })
            case .parameter(let address, let value): if value.isFinite { values.append((address, value)) }
            case .bypass(let isOn): (self as? AVAudioUnitEffect)?.bypass = isOn
            }
        }
        setTogether(values)
    }

    package func forgetRenderer() { lock.withLock { driver?.forget() } }

    package func insertedTail(sampleRate: Double) -> Double {
        if isBypassed { return 0 }
        return lock.withLock {
            guard let driver else { return 0 }
            return driver.tailTime(sampleRate: sampleRate) + Double(driver.latency(sampleRate: sampleRate)) / sampleRate
        }
    }
}
