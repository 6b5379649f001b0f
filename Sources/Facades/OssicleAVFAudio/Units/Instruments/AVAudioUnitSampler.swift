// The sampler.

import OssicleAudioToolbox
import OssicleInstruments
import OssicleNodes

/// Plays instruments made of samples: programs of SoundFont and DLS banks, EXS24 instruments, presets, sound files.
///
/// After `loadSoundBankInstrument` all sixteen channels play the program that was loaded; a program change gives a
/// channel another one of the same bank. What is loaded stays through stops, restarts and other formats of the engine,
/// and is part of the unit's `fullState`. Loading reads the file on the calling thread, and is heard from the next
/// render call on; notes that sound then end. Any thread but the render thread.
open class AVAudioUnitSampler: AVAudioUnitMIDIInstrument {
    /// A sampler without an instrument, which is silent.
    public init() { super.init(audioComponentDescription: InstrumentUnits.sampler.component) }

    private var body: InstrumentBody? { auAudioUnit.body as? InstrumentBody }

    /// Loads a program of a bank: a SoundFont (.sf2, .sf3) or DLS file.
    ///
    /// - Parameters:
    ///   - bankURL: a .sf2, .sf3 or .dls file.
    ///   - program: 0 … 127.
    ///   - bankMSB: 0x79 for melodic sounds, 0x78 for percussion, otherwise the bank's number.
    ///   - bankLSB: the variation, usually 0.
    ///
    /// Throws an error that names the file and what is wrong: not there, no bank, damaged, no such program.
    open func loadSoundBankInstrument(at bankURL: URL, program: UInt8, bankMSB: UInt8, bankLSB: UInt8) throws {
        let bank = SoundBankNumber.bank(high: bankMSB, low: bankLSB)
        let program = ProgramNumber(bank: bank, number: Int(program & 127))
        try load(.bank(path: path(bankURL), program: program))
    }

    /// Loads an instrument: a preset of the sampler (.aupreset), an EXS24 instrument, or one sound file.
    open func loadInstrument(at instrumentURL: URL) throws { try load(.instrument(path: path(instrumentURL))) }

    /// Loads sound files, one zone each: keys and root from the file where it states them. Files that state none lie
    /// next to each other around middle C, in their order.
    open func loadAudioFiles(at audioFiles: [URL]) throws { try load(.audioFiles(paths: audioFiles.map(path))) }

    private func load(_ source: InstrumentBody.Source) throws {
        guard let body else { throw UnitFault.unknown(audioComponentDescription) }
        try body.load(source)
    }

    private func path(_ url: URL) throws -> String {
        guard let path = url.localPath, !path.isEmpty else {
            throw OssicleError.avfaudio(
                kAudio_BadFilePathError, "AVAudioUnitSampler", value: "\(url)", rule: "An instrument is on disk.",
                cure: "Use a file URL.")
        }
        return path
    }

    // MARK: Parameters

    /// −100 left … 100 right. Default 0.
    open var stereoPan: Float {
        get { value(kAUSamplerParam_Pan) * 100 }
        set { setValue(newValue / 100, kAUSamplerParam_Pan) }
    }

    /// dB, −90 … 12. Default 0.
    open var overallGain: Float {
        get { value(kAUSamplerParam_Gain) }
        set { setValue(newValue, kAUSamplerParam_Gain) }
    }

    /// The former name of `overallGain`.
    open var masterGain: Float {
        get { overallGain }
        set { overallGain = newValue }
    }

    /// Cents, −2400 … 2400. Default 0.
    open var globalTuning: Float {
        get { value(kAUSamplerParam_CoarseTuning) * 100 + value(kAUSamplerParam_FineTuning) }
        set {
            let coarse = (min(max(newValue, -2400), 2400) / 100).rounded(.towardZero)
            setValue(coarse, kAUSamplerParam_CoarseTuning)
            setValue(min(max(newValue, -2400), 2400) - coarse * 100, kAUSamplerParam_FineTuning)
        }
    }
}

/// How two bytes name a bank.
enum SoundBankNumber {
    /// Bank 128 is percussion.
    static func bank(high: UInt8, low: UInt8) -> Int {
        switch Int(high) {
        case kAUSampler_DefaultPercussionBankMSB: 128
        case kAUSampler_DefaultMelodicBankMSB: Int(low)
        case 0: Int(low)
        default: Int(high)
        }
    }
}

extension OssicleError {
    convenience init(_ fault: InstrumentError) {
        self.init(
            domain: avfaudioErrorDomain, code: Int(fault.status), object: "Instrument \"\(fault.object)\"",
            value: fault.found, rule: fault.rule, cure: fault.cure)
    }
}
