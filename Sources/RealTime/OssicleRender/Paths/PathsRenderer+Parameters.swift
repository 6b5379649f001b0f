import OssicleCore
import OssicleDSP

extension PathsRenderer {
    /// What happens to the sound of a path before it arrives.
    package struct Way: BitwiseCopyable, Sendable {
        /// Frames from the source to the head, 0…`longestTravel`; beyond, held there. Not finite counts as 0.
        package var delay: Double
        package var equalizer: BandEqualizerDesign
        /// Changes whenever the design does.
        package var equalizerVersion: UInt32
        /// Changes when the slot holds another path than before: the two are cross-faded.
        package var generation: UInt32

        package init(delay: Double, equalizer: BandEqualizerDesign = .transparent, equalizerVersion: UInt32 = 0, generation: UInt32 = 0) {
            (self.delay, self.equalizer, self.equalizerVersion, self.generation) = (delay, equalizer, equalizerVersion, generation)
        }
    }

    /// A path that is heard from exactly where it comes from: around an edge, or a strong reflection.
    package struct Sharp: BitwiseCopyable, Sendable {
        package var way: Way
        /// Towards where it comes from, in the head's axes (x right, y up, z back), any length.
        package var direction: SIMD3<Float>
        /// Amplitude, distance included; 0 for an empty slot.
        package var gain: Float

        package init(_ way: Way, direction: SIMD3<Float>, gain: Float) {
            (self.way, self.direction, self.gain) = (way, direction, gain)
        }

        package static var silent: Sharp { Sharp(Way(delay: 0, equalizer: .silent), direction: SIMD3(0, 0, -1), gain: 0) }
    }

    /// A path that is heard from between the corners of the cube around the head.
    package struct Soft: BitwiseCopyable, Sendable {
        package var way: Way
        /// Amplitude towards each corner, distance included (`CubePanner.gains` times the path's own); 0 for an empty slot.
        package var corners: SIMD8<Float>

        package init(_ way: Way, corners: SIMD8<Float>) {
            (self.way, self.corners) = (way, corners)
        }

        package static var silent: Soft { Soft(Way(delay: 0, equalizer: .silent), corners: .zero) }
    }

    /// All slots of one source: 11 KB, which whoever writes them copies once and the audio thread reads in place.
    package struct Parameters: BitwiseCopyable, Sendable {
        package var sharp: InlineArray<4, Sharp>
        package var soft: InlineArray<20, Soft>
        /// What is no new path glides for this long: delays (which is their Doppler), directions, gains and bands. Held
        /// between a quantum and half a second.
        package var rampFrames: Int

        /// Empty slots.
        package init(rampFrames: Int) {
            (sharp, soft) = (InlineArray(repeating: .silent), InlineArray(repeating: .silent))
            self.rampFrames = rampFrames
        }
    }
}
