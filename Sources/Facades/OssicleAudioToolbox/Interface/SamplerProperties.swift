// Properties of the sampler and of synthesisers that play banks.

import OssicleCoreAudioTypes

/// Loads a program of a bank as `AUSamplerBankPresetData`. An older spelling of `LoadInstrument`.
public let kAUSamplerProperty_LoadPresetFromBank: AudioUnitPropertyID = 4100
/// Loads sound files: an array of URLs.
public let kAUSamplerProperty_LoadAudioFiles: AudioUnitPropertyID = 4101
/// Loads an instrument: `AUSamplerInstrumentData`.
public let kAUSamplerProperty_LoadInstrument: AudioUnitPropertyID = 4102
/// While it is 1 program changes only load; for synthesisers of banks, which have everything loaded. UInt32.
public let kAUMIDISynthProperty_EnablePreload: AudioUnitPropertyID = 4119

/// A program of a DLS bank.
public let kInstrumentType_DLSPreset: Int = 1
/// A program of a SoundFont.
public let kInstrumentType_SF2Preset: Int = 1
/// A preset of the sampler.
public let kInstrumentType_AUPreset: Int = 2
/// A sound file.
public let kInstrumentType_Audiofile: Int = 3
/// An EXS24 instrument.
public let kInstrumentType_EXS24: Int = 4

/// What `kAUSamplerProperty_LoadInstrument` loads.
public struct AUSamplerInstrumentData {
    /// The file; not released.
    public var fileURL: Unmanaged<CFURL>
    /// One of `kInstrumentType_…`.
    public var instrumentType: UInt8
    /// Bank and program, of banks only.
    public var bankMSB: UInt8
    /// Low byte of the bank.
    public var bankLSB: UInt8
    /// The program.
    public var presetID: UInt8

    /// All members.
    public init(
        fileURL: Unmanaged<CFURL>, instrumentType: UInt8, bankMSB: UInt8, bankLSB: UInt8, presetID: UInt8
    ) {
        self.fileURL = fileURL
        self.instrumentType = instrumentType
        self.bankMSB = bankMSB
        self.bankLSB = bankLSB
        self.presetID = presetID
    }
}

/// What `kAUSamplerProperty_LoadPresetFromBank` loads.
public struct AUSamplerBankPresetData {
    /// The bank's file; not released.
    public var bankURL: Unmanaged<CFURL>
    /// High byte of the bank.
    public var bankMSB: UInt8
    /// Low byte of the bank.
    public var bankLSB: UInt8
    /// The program.
    public var presetID: UInt8
    /// Nothing.
    public var reserved: UInt8

    /// All members.
    public init(bankURL: Unmanaged<CFURL>, bankMSB: UInt8, bankLSB: UInt8, presetID: UInt8, reserved: UInt8) {
        self.bankURL = bankURL
        self.bankMSB = bankMSB
        self.bankLSB = bankLSB
        self.presetID = presetID
        self.reserved = reserved
    }
}
