import OssicleCore

/// A mixer as it was defined: where the generators of a sound event send their signal.
///
/// Parameter indices point into the parameters of the tree the blueprint belongs to.
package struct MixerBlueprint: Codable, Hashable, Sendable {
    package enum Kind: Codable, Hashable, Sendable {
        case spatial(Spatial)
        /// A bed that stays put in the world. `orientation` is the bed's own axes in the world.
        case ambient(ChannelBed, orientation: Pose)
        /// Straight to the output's layout.
        case channel(ChannelBed)
    }

    package let identifier: String
    /// Linear, 0…1.
    package let gain: Double
    package let gainParameter: Int?
    package let kind: Kind

    package init(identifier: String, gain: Double = 1, gainParameter: Int? = nil, kind: Kind) {
        (self.identifier, self.gain, self.gainParameter, self.kind) = (identifier, gain, gainParameter, kind)
    }

    /// The gain now: the definition's, times the meta-parameter's where there is one, 0…1.
    package func gain(_ parameters: ParameterValues) -> Double {
        LevelWithParameter(level: gain, parameter: gainParameter).value(parameters)
    }

    /// Channels and where they belong, in Core Audio's numbers.
    package struct ChannelBed: Codable, Hashable, Sendable {
        package let layoutTag: UInt32
        /// Channel labels in order; as many as there are channels.
        package let labels: [UInt32]

        package init(layoutTag: UInt32, labels: [UInt32]) {
            (self.layoutTag, self.labels) = (layoutTag, labels)
        }
    }

    /// A level from 0 to 1 that a meta-parameter may scale.
    package struct LevelWithParameter: Codable, Hashable, Sendable {
        package let level: Double
        package let parameter: Int?

        package init(level: Double, parameter: Int? = nil) {
            (self.level, self.parameter) = (level, parameter)
        }

        package func value(_ parameters: ParameterValues) -> Double {
            min(max(level * (parameter.flatMap(parameters.number) ?? 1), 0), 1)
        }
    }
}

extension MixerBlueprint {
    /// What a spatial mixer does on the way from source to listener. A send that is nil is not rendered at all.
    package struct Spatial: Codable, Hashable, Sendable {
        package var direct: LevelWithParameter?
        package var earlyReflections: LevelWithParameter?
        package var lateReverb: LevelWithParameter?
        package var distance: Distance?
        package var sourceDirectivity: Directivity?
        package var listenerDirectivity: Directivity?

        package init(
            direct: LevelWithParameter? = nil, earlyReflections: LevelWithParameter? = nil,
            lateReverb: LevelWithParameter? = nil, distance: Distance? = nil,
            sourceDirectivity: Directivity? = nil, listenerDirectivity: Directivity? = nil
        ) {
            (self.direct, self.earlyReflections, self.lateReverb) = (direct, earlyReflections, lateReverb)
            (self.distance, self.sourceDirectivity, self.listenerDirectivity) = (
                distance, sourceDirectivity, listenerDirectivity
            )
        }
    }

    /// How the level falls with distance, in the client's units of length.
    package struct Distance: Codable, Hashable, Sendable {
        package enum Law: Codable, Hashable, Sendable {
            case constant
            /// Rolloff 1 is 6 dB per doubling of the distance.
            case geometric(rolloff: Double)
            case envelope(Envelope)
        }

        package let law: Law
        /// Beyond it nothing is heard; nil is never culled.
        package let cullDistance: Double?

        package init(law: Law, cullDistance: Double?) {
            (self.law, self.cullDistance) = (law, cullDistance)
        }
    }

    /// Level by angle, given at several frequencies.
    package enum Directivity: Codable, Hashable, Sendable {
        case cardioid([CardioidBand])
        case cone([ConeBand])
    }

    /// |1 − pattern + pattern·cos θ|^sharpness at `frequency` Hz.
    package struct CardioidBand: Codable, Hashable, Sendable {
        package let frequency: Double
        package let pattern: Double
        package let sharpness: Double

        package init(frequency: Double, pattern: Double, sharpness: Double) {
            (self.frequency, self.pattern, self.sharpness) = (frequency, pattern, sharpness)
        }
    }

    /// Full inside `innerAngle`, `outerGain` outside `outerAngle` (full apertures, degrees), at `frequency` Hz.
    package struct ConeBand: Codable, Hashable, Sendable {
        package let frequency: Double
        package let innerAngle: Double
        package let outerAngle: Double
        package let outerGain: Double

        package init(frequency: Double, innerAngle: Double, outerAngle: Double, outerGain: Double) {
            (self.frequency, self.innerAngle, self.outerAngle, self.outerGain) = (
                frequency, innerAngle, outerAngle, outerGain
            )
        }
    }
}
