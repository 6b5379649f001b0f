import Foundation
import OssicleAudioToolbox
import OssicleNodes
@testable import OssicleAVFAudio

extension OfflineRig {
    /// An engine that runs a source through units to the output.
    static func playing(
        _ source: AVAudioSourceNode, through units: [AVAudioNode], rate: Double = 48000,
        channels: AVAudioChannelCount = 2
    ) throws -> OfflineRig {
        let rig = try OfflineRig(rate: rate, channels: channels)
        var last: AVAudioNode = source
        rig.engine.attach(source)
        for unit in units {
            rig.engine.attach(unit)
            rig.engine.connect(last, to: unit, format: rig.format)
            last = unit
        }
        rig.engine.connect(last, to: rig.engine.mainMixerNode, format: rig.format)
        try rig.engine.start()
        return rig
    }

    static func impulse(_ frame: Int, _ channel: Int) -> Float { frame == 0 ? 1 : 0 }

    static func tone(_ frequency: Double, amplitude: Double = 0.5) -> AVAudioSourceNode {
        source { frame, _ in Float(amplitude * sin(2 * .pi * frequency * Double(frame) / 48000)) }
    }
}

/// Every built-in effect.
func builtInEffects() -> [AudioComponentDescription] {
    UnitCatalogue.units.map(\.component).filter { $0.componentType == kAudioUnitType_Effect }
}

func builtIn(_ subtype: OSType) -> AVAudioUnitEffect {
    AVAudioUnitEffect(audioComponentDescription: AudioComponentDescription(builtIn: kAudioUnitType_Effect, subtype))
}
