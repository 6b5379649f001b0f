import OssicleAudioToolbox
import OssicleCoreAudioTypes
import OssicleInstruments
import OssicleNodes
import OssicleProperties

/// Properties of the sampler and of synthesisers that play banks.
enum SamplerProperties {
    static var table: [AudioUnitPropertyID: UnitProperty] {
        [
            kAUSamplerProperty_LoadInstrument: UnitProperty(
                scopes: UnitProperty.global, write: loadInstrument, size: MemoryLayout<AUSamplerInstrumentData>.size),
            kAUSamplerProperty_LoadPresetFromBank: UnitProperty(
                scopes: UnitProperty.global, write: loadPreset, size: MemoryLayout<AUSamplerBankPresetData>.size),
            kAUSamplerProperty_LoadAudioFiles: UnitProperty(
                scopes: UnitProperty.global, write: loadAudioFiles, size: MemoryLayout<UnsafeRawPointer>.size),
            kMusicDeviceProperty_SoundBankURL: .object(NSURL.self, read: bank, write: setBank),
            kMusicDeviceProperty_InstrumentCount: .value(read: {
                UInt32(clamping: try body($0).instrument?.programNames.count ?? 0)
            }),
            kMusicDeviceProperty_InstrumentNumber: .value(
                UnitProperty.global, .any, read: { UInt32(try programs($0, $0.element).number) }),
            kMusicDeviceProperty_InstrumentName: .object(
                NSString.self, UnitProperty.global, .any, read: { NSString(string: try name($0)) }),
            kAUMIDISynthProperty_EnablePreload: .order(UnitProperty.global, write: preload),
        ]
    }

    private static func body(_ place: UnitPlace) throws -> InstrumentBody {
        guard let body = place.unit.body as? InstrumentBody else { throw StatusError(kAudioUnitErr_InvalidProperty) }
        return body
    }

    private static func isSampler(_ place: UnitPlace) -> Bool {
        place.unit.componentDescription.componentSubType == InstrumentUnits.sampler.subtype
    }

    private static func sampler(_ place: UnitPlace) throws -> InstrumentBody {
        guard isSampler(place) else { throw StatusError(kAudioUnitErr_InvalidProperty) }
        return try body(place)
    }

    @discardableResult
    private static func synthesiser(_ place: UnitPlace) throws -> InstrumentBody {
        if isSampler(place) { throw StatusError(kAudioUnitErr_InvalidProperty) }
        return try body(place)
    }

    /// Everything is loaded with the bank.
    private static func preload(_ place: UnitPlace, _ isOn: UInt32) throws { try synthesiser(place) }

    private static func path(_ url: NSURL) throws -> String {
        guard let path = (url as URL).localPath, !path.isEmpty else { throw StatusError(kAudio_BadFilePathError) }
        return path
    }

    /// The path of the URL at the beginning of a structure, and the four bytes behind it.
    private static func contents(_ data: PropertyData) throws -> (path: String, bytes: [UInt8]) {
        let offset = MemoryLayout<UnsafeRawPointer>.size
        guard data.bytes.count >= offset + 4, let address = try data.value(UnsafeRawPointer?.self),
            let url = Unmanaged<NSObject>.fromOpaque(address).takeUnretainedValue() as? NSURL
        else { throw StatusError(kAudioUnitErr_InvalidPropertyValue) }
        return (try path(url), Array(data.bytes[offset..<offset + 4]))
    }

    /// Kind, two bytes of the bank, program.
    private static func loadInstrument(_ place: UnitPlace, _ data: PropertyData) throws {
        let sampler = try sampler(place), (path, bytes) = try contents(data)
        switch Int(bytes[0]) {
        case kInstrumentType_SF2Preset: try load(place, path, bytes[3], bytes[1], bytes[2])
        case kInstrumentType_AUPreset, kInstrumentType_Audiofile, kInstrumentType_EXS24:
            try sampler.load(.instrument(path: path))
        default: throw StatusError(kAudioUnitErr_InvalidPropertyValue)
        }
    }

    /// Two bytes of the bank, program.
    private static func loadPreset(_ place: UnitPlace, _ data: PropertyData) throws {
        _ = try sampler(place)
        let (path, bytes) = try contents(data)
        try load(place, path, bytes[2], bytes[0], bytes[1])
    }

    private static func load(_ place: UnitPlace, _ path: String, _ program: UInt8, _ high: UInt8, _ low: UInt8) throws {
        let number = ProgramNumber(bank: SoundBankNumber.bank(high: high, low: low), number: Int(program & 127))
        try sampler(place).load(.bank(path: path, program: number))
    }

    private static func loadAudioFiles(_ place: UnitPlace, _ data: PropertyData) throws {
        let sampler = try sampler(place)
        guard let address = try data.value(UnsafeRawPointer?.self),
            let array = Unmanaged<NSObject>.fromOpaque(address).takeUnretainedValue() as? NSArray
        else { throw StatusError(kAudioUnitErr_InvalidPropertyValue) }
        let paths = try array.map { element in
            guard let url = element as? NSURL ?? (element as? URL).map({ $0 as NSURL }) else {
                throw StatusError(kAudioUnitErr_InvalidPropertyValue)
            }
            return try path(url)
        }
        try sampler.load(.audioFiles(paths: paths))
    }

    private static func bank(_ place: UnitPlace) throws -> NSURL {
        guard case .bank(let path, _) = try body(place).source else {
            throw StatusError(kAudioUnitErr_PropertyNotInUse)
        }
        return NSURL(fileURLWithPath: path)
    }

    private static func setBank(_ place: UnitPlace, _ url: NSURL) throws {
        try synthesiser(place).load(.bank(path: path(url), program: nil))
    }

    private static func programs(_ place: UnitPlace, _ index: AudioUnitElement) throws -> (number: Int, name: String) {
        guard let instrument = try body(place).instrument, Int(index) < instrument.programNames.count else {
            throw StatusError(kAudioUnitErr_InvalidElement)
        }
        let program = instrument.table.programList[Int(index)]
        return (Int(program.bank) << 8 | Int(program.number), instrument.programNames[Int(index)])
    }

    private static func name(_ place: UnitPlace) throws -> String { try programs(place, place.element).name }
}
