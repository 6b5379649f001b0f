import OssicleDSP
import OssicleRender

/// A built-in unit: name, parameters, presets, and what renders it.
///
/// `@unchecked`: the functions capture nothing that changes.
package struct UnitDescription: @unchecked Sendable {
    /// Numbers of channels that go together.
    package struct Channels: Sendable, Equatable {
        /// Channels in; −1 any, 0 none.
        package let inputs: Int
        /// Channels out; −1 any (the same as in, where that is −1 too), −2 any.
        package let outputs: Int

        static let sameOutAsIn = Self(inputs: -1, outputs: -1)
        static let any = Self(inputs: -1, outputs: -2)
        static let onlyOut = Self(inputs: 0, outputs: -1)
    }

    /// A preset: the parameters it sets, by their numbers.
    package struct Preset: Sendable {
        package let name: String
        package let values: [(id: UInt32, value: Float)]

        /// - Parameter identifier: such as `largeHall2`, which is named `Large Hall 2`.
        init(_ identifier: String, _ values: [(id: UInt32, value: Float)]) {
            name = Self.words(identifier)
            self.values = values
        }

        private static func words(_ identifier: String) -> String {
            var text = ""
            for character in identifier {
                if character.isUppercase || character.isNumber && text.last?.isNumber == false { text += " " }
                text += text.isEmpty ? character.uppercased() : String(character)
            }
            return text
        }
    }

    /// Four-character codes of the component.
    package let type: UInt32
    package let subtype: UInt32
    /// The name that Apple's unit of this kind has, such as "AUDelay".
    package let name: String
    package let channels: Channels
    /// In the order that hosts list them.
    package let parameters: [UnitParameter]
    package let presets: [Preset]
    /// Makes the driver of an effect.
    package let makeDriver: ((UnitValues) -> any UnitDriver)?
    /// Makes the driver of a time effect.
    package let makeExitDriver: ((UnitValues) -> any ExitDriver)?

    init(
        _ type: String, _ subtype: String, name: String, channels: Channels, parameters: [UnitParameter] = [],
        presets: [Preset] = [], driver: ((UnitValues) -> any UnitDriver)? = nil,
        exitDriver: ((UnitValues) -> any ExitDriver)? = nil
    ) {
        self.type = Self.code(type)
        self.subtype = Self.code(subtype)
        self.name = name
        self.channels = channels
        self.parameters = parameters
        self.presets = presets
        makeDriver = driver
        makeExitDriver = exitDriver
    }

    private static func code(_ text: String) -> UInt32 { text.utf8.reduce(0) { $0 << 8 | UInt32($1) } }

    /// An effect of one kernel.
    static func effect<Kernel: EffectKernel & ~Copyable>(
        _ subtype: String, _ name: String, _ fields: [EffectField<Kernel.Parameters>], initial: Kernel.Parameters,
        presets: [Preset] = [],
        renderer: @escaping (UnsafeMutablePointer<EffectRenderer<Kernel>>) -> RendererReference
    ) -> UnitDescription {
        UnitDescription(
            "aufx", subtype, name: name, channels: .sameOutAsIn, parameters: fields.map(\.parameter), presets: presets,
            driver: { values in KernelDriver(renderer) { values.apply(fields, to: initial) } })
    }
}

/// The units that come with Ossicle.
package enum UnitCatalogue {
    /// In the order a search finds them.
    package static let units: [UnitDescription] =
        FilterUnits.all + DelayUnits.all + ReverbUnits.all + DynamicsUnits.all + TimeUnits.all + MixerUnits.all
        + InstrumentUnits.all
}
