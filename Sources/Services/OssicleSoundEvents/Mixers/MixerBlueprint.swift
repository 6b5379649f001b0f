import OssicleCore

/// A mixer as it was defined: where the generators of a sound event send their signal.
///
/// Parameter indices point into the parameters of the tree the blueprint belongs to.
package struct MixerBlueprint: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
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
    package struct ChannelBed: Hashable, Sendable {
        package let layoutTag: UInt32
        /// Channel labels in order; as many as there are channels.
        package let labels: [UInt32]

        package init(layoutTag: UInt32, labels: [UInt32]) {
            (self.layoutTag, self.labels) = (layoutTag, labels)
        }
    }

    /// A level from 0 to 1 that a meta-parameter may scale.
    package struct LevelWithParameter: Hashable, Sendable {
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
