import OssicleAudioToolbox
import OssicleCoreAudioTypes
import OssicleProperties

/// Where a property is asked for.
struct UnitPlace {
    let interface: UnitInterface
    let handle: AudioUnit
    let scope: AudioUnitScope
    let element: AudioUnitElement

    var unit: AUAudioUnit { interface.unit }

    /// The bus of this place; throws for one that is not there.
    func bus() throws -> AUAudioUnitBus {
        let busses = scope == kAudioUnitScope_Input ? unit.inputBusses : unit.outputBusses
        guard Int(element) < busses.count else { throw StatusError(kAudioUnitErr_InvalidElement) }
        return busses[Int(element)]
    }

    /// The parameter whose number is the element of this place.
    func parameter(_ id: AudioUnitParameterID) throws -> AUParameter {
        guard let parameter = interface.parameterTree?.parameter(withID: id, scope: scope, element: 0) else {
            throw StatusError(kAudioUnitErr_InvalidParameter)
        }
        return parameter
    }

    func requireUninitialized() throws {
        if interface.isInitialized { throw StatusError(kAudioUnitErr_Initialized) }
    }
}

/// One property of the C interface: in which scopes it is, how it is read and how it is written.
struct UnitProperty: @unchecked Sendable {
    /// Which elements a scope has for it; `parameters` are numbers of the scope's parameters.
    enum Elements { case first, busses, parameters, any }

    static let global = [kAudioUnitScope_Global]
    static let sides = [kAudioUnitScope_Input, kAudioUnitScope_Output]
    static let anywhere = Array(kAudioUnitScope_Global...kAudioUnitScope_LayerItem)

    let scopes: [AudioUnitScope]
    var elements = Elements.first
    /// With the data that lie where the answer goes, for questions. `nil` for what can only be written.
    var read: ((UnitPlace, PropertyData) throws -> PropertyValue)?
    /// `nil` for what can only be read.
    var write: ((UnitPlace, PropertyData) throws -> Void)?
    /// Size of what is not to be read for its size alone.
    var size: Int?

    /// Throws unless the place is one of this property's.
    func check(_ place: UnitPlace) throws {
        guard scopes.contains(place.scope) else { throw StatusError(kAudioUnitErr_InvalidScope) }
        switch elements {
        case .first: if place.element != 0 { throw StatusError(kAudioUnitErr_InvalidElement) }
        case .busses: _ = try place.bus()
        case .parameters: _ = try place.parameter(place.element)
        case .any: break
        }
    }

    // MARK: Kinds

    /// A plain value. `isPure` where reading it changes nothing and lends nothing.
    static func value<Value>(
        _ scopes: [AudioUnitScope] = global, _ elements: Elements = .first, isPure: Bool = true,
        read: @escaping (UnitPlace) throws -> Value, write: ((UnitPlace, Value) throws -> Void)? = nil
    ) -> UnitProperty {
        UnitProperty(
            scopes: scopes, elements: elements, read: { place, _ in .of(try read(place)) },
            write: write.map { write in
                { place, data in
                    try write(place, structure(data))
                }
            }, size: isPure ? nil : MemoryLayout<Value>.size)
    }

    /// A truth value, as a `UInt32`.
    static func flag(
        _ scopes: [AudioUnitScope] = global, _ elements: Elements = .first, read: @escaping (UnitPlace) throws -> Bool,
        write: ((UnitPlace, Bool) throws -> Void)? = nil
    ) -> UnitProperty {
        value(
            scopes, elements, read: { UInt32(try read($0) ? 1 : 0) },
            write: write.map { write in { (place, value: UInt32) in try write(place, value != 0) } })
    }

    /// The structure in the client's memory, which may hold functions.
    private static func structure<Value>(_ data: PropertyData) throws -> Value {
        guard let memory = data.bytes.baseAddress, data.bytes.count >= MemoryLayout<Value>.size,
            UInt(bitPattern: memory) % UInt(MemoryLayout<Value>.alignment) == 0
        else { throw StatusError(kAudioUnitErr_InvalidPropertyValue) }
        return memory.assumingMemoryBound(to: Value.self).pointee
    }

    /// One of an enumeration's cases, as its number.
    static func choice<Choice: RawRepresentable<UInt32>>(
        _ scopes: [AudioUnitScope] = global, _ elements: Elements = .first,
        read: @escaping (UnitPlace) throws -> Choice,
        write: @escaping (UnitPlace, Choice) throws -> Void
    ) -> UnitProperty {
        value(
            scopes, elements, read: { try read($0).rawValue },
            write: { place, number in
                guard let choice = Choice(rawValue: number) else {
                    throw StatusError(kAudioUnitErr_InvalidPropertyValue)
                }
                try write(place, choice)
            })
    }

    /// Several plain values.
    static func list<Value>(
        _ scopes: [AudioUnitScope] = global, _ elements: Elements = .first,
        read: @escaping (UnitPlace) throws -> [Value],
        write: ((UnitPlace, [Value]) throws -> Void)? = nil
    ) -> UnitProperty {
        UnitProperty(
            scopes: scopes, elements: elements, read: { place, _ in .list(try read(place)) },
            write: write.map { write in { try write($0, $1.list()) } })
    }

    /// What can only be written.
    static func order<Value>(
        _ scopes: [AudioUnitScope], _ elements: Elements = .first, write: @escaping (UnitPlace, Value) throws -> Void
    ) -> UnitProperty {
        UnitProperty(
            scopes: scopes, elements: elements,
            write: { place, data in
                try write(place, structure(data))
            }, size: MemoryLayout<Value>.size)
    }

    /// A question in the client's memory, which the answer replaces.
    static func question<Value>(_ answer: @escaping (UnitPlace, Value) throws -> Value) -> UnitProperty {
        UnitProperty(
            scopes: anywhere, elements: .any, read: { place, data in .of(try answer(place, structure(data))) },
            size: MemoryLayout<Value>.size)
    }

    /// An object: the reader releases it, the writer keeps it.
    static func object<Object: NSObject>(
        _ type: Object.Type, _ scopes: [AudioUnitScope] = global, _ elements: Elements = .first,
        read: @escaping (UnitPlace) throws -> Object, write: ((UnitPlace, Object) throws -> Void)? = nil
    ) -> UnitProperty {
        UnitProperty(
            scopes: scopes, elements: elements, read: { place, _ in .object(try read(place)) },
            write: write.map { write in
                { place, data in
                    guard let address = try data.value(UnsafeRawPointer?.self),
                        let object = Unmanaged<NSObject>.fromOpaque(address).takeUnretainedValue() as? Object
                    else { throw StatusError(kAudioUnitErr_InvalidPropertyValue) }
                    try write(place, object)
                }
            })
    }
}

/// All properties, by number.
enum UnitProperties {
    static let all: [AudioUnitPropertyID: UnitProperty] = [
        GeneralProperties.table, MIDIProperties.table, BusProperties.table, ParameterProperties.table,
        PresetProperties.table, MixerProperties.table, SpatialProperties.table, PlayerProperties.table,
        OutputProperties.table, SamplerProperties.table, VoiceProperties.table,
    ].reduce(into: [:]) { $0.merge($1) { first, _ in first } }

    static func find(_ id: AudioUnitPropertyID) throws -> UnitProperty {
        guard let property = all[id] else { throw StatusError(kAudioUnitErr_InvalidProperty) }
        return property
    }
}

/// Runs `body`; its error becomes the result.
func unitStatus(_ body: () throws -> Void) -> OSStatus {
    do {
        try body()
        return noErr
    } catch let error as StatusError {
        return error.status
    } catch {
        return OSStatus(truncatingIfNeeded: (error as? OssicleError)?.code ?? Int(kAudio_ParamError))
    }
}
