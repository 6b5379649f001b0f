import Foundation
import OssicleSoundEvents

/// One frequency of a cardioid directivity: |1 − pattern + pattern·cos θ|^sharpness, θ from straight ahead.
open class PHASECardioidDirectivityModelSubbandParameters: NSObject {
    /// Hz. Default 1000; clamped to 20…20000.
    @Clamped(20...20_000) open var frequency = 1000
    /// 0 all round, 0.5 cardioid, 1 dipole. Default 0; clamped to 0…1.
    @Clamped(0...1) open var pattern = 0
    /// Larger is narrower. Default 1; clamped to 1 and up.
    @Clamped(1...(.greatestFiniteMagnitude)) open var sharpness = 1

    public override init() { super.init() }

    var blueprint: MixerBlueprint.CardioidBand {
        MixerBlueprint.CardioidBand(frequency: frequency, pattern: pattern, sharpness: sharpness)
    }
}
