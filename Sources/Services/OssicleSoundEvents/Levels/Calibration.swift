import OssicleCore

/// What the level of a generator means, and the gain it comes to.
package struct Calibration: Hashable, Sendable {
    package enum Mode: UInt8, Hashable, Sendable {
        /// The level is a linear gain, 0…1.
        case none
        /// The level is in dB relative to what the asset's normalisation gives, −200…12.
        case relativeSPL
        /// The level is the wanted sound pressure level in dB, 0…120.
        case absoluteSPL

        /// Unpublished for PHASE itself; the ranges its Unity plug-in offers.
        package var levels: ClosedRange<Double> {
            switch self {
            case .none: 0...1
            case .relativeSPL: -200...12
            case .absoluteSPL: 0...120
            }
        }

        /// The level that leaves a sound as it is, for one that is not a number.
        package var neutralLevel: Double {
            switch self {
            case .none: 1
            case .relativeSPL: 0
            case .absoluteSPL: Calibration.referenceLevel
            }
        }
    }

    /// dB SPL that a device is taken to make from −23 LUFS, unless it is known better.
    package static let referenceLevel = 70.0

    package let mode: Mode
    package let level: Double

    /// `level` is clamped to the mode's range; NaN becomes the mode's neutral level.
    package init(_ mode: Mode = .none, level: Double = 1) {
        self.mode = mode
        let range = mode.levels
        self.level = level.isNaN ? mode.neutralLevel : min(max(level, range.lowerBound), range.upperBound)
    }

    /// Linear gain; exactly 1 at 0 dB relative.
    /// - Parameter referenceLevel: dB SPL the device makes from −23 LUFS.
    package func gain(referenceLevel: Double = Calibration.referenceLevel) -> Double {
        switch mode {
        case .none: level
        case .relativeSPL: Decibels.amplitude(level)
        case .absoluteSPL: Decibels.amplitude(level - referenceLevel)
        }
    }
}
