// From a path to an instrument.

import OssicleFiles
import OssicleRender

/// Which programs of a bank to read.
package enum ProgramChoice: Sendable {
    case all
    /// One, and an error where it is not there.
    case only(bank: Int, number: Int)
    /// Those that are there.
    case some(Set<ProgramNumber>)

    func includes(_ bank: Int, _ number: Int) -> Bool {
        switch self {
        case .all: true
        case .only(let wanted, let program): wanted == bank && program == number
        case .some(let numbers): numbers.contains(ProgramNumber(bank: bank, number: number))
        }
    }
}

/// A program of a bank: bank 128 is percussion.
package struct ProgramNumber: Hashable, Sendable {
    package let bank: Int
    package let number: Int

    package init(bank: Int, number: Int) { (self.bank, self.number) = (bank, number) }
}

/// Reads instruments. Any control thread. What is wrong with a part is a warning; an error is thrown where nothing can
/// be played. Memory is that of the samples that are wanted, and a small multiple of the lists in the file.
package enum InstrumentFile {
    /// Reads a bank of sounds: SoundFont 2 and 3, DLS 1 and 2.
    package static func bank(
        path: String, _ choice: ProgramChoice = .all
    ) throws(InstrumentError) -> Instrument {
        let source: FileBytes
        do { source = try FileBytes(path: path) } catch { throw InstrumentError(error) }
        return try bank(source, choice)
    }

    /// Reads a bank of sounds from bytes.
    package static func bank(
        _ source: any ByteSource, _ choice: ProgramChoice = .all
    ) throws(InstrumentError) -> Instrument {
        let file = RIFFFile(source: source, name: source.name, byteCount: Int(clamping: source.byteCount))
        guard let whole = try file.chunks(in: 0..<file.byteCount).first, whole.name == "RIFF" else {
            throw unrecognized(source.name, "no header \"RIFF\"")
        }
        let instrument: Instrument
        switch whole.list {
        case "sfbk": instrument = try SoundFont(file, whole).instrument(choice.includes)
        case "DLS ": instrument = try DownloadableSounds(file, whole).instrument(choice.includes)
        default: throw unrecognized(source.name, "a RIFF file of kind \"\(whole.list ?? "")\"")
        }
        guard instrument.isEmpty else { return instrument }
        if case .only(let bank, let number) = choice {
            throw InstrumentError(
                .noProgram, object: source.name, found: "no program \(number) in bank \(bank)",
                rule: "A program is chosen by a number and a bank that the file has.",
                cure: "Choose one of the file's.")
        }
        throw InstrumentError(
            .damaged, object: source.name,
            found: "nothing that can be played" + (instrument.warnings.first.map { ": " + $0 } ?? ""),
            rule: "A bank has programs with zones that play samples.", cure: "Get the file again.")
    }

    static func unrecognized(_ name: String, _ found: String) -> InstrumentError {
        InstrumentError(
            .unrecognized, object: name, found: found,
            rule: "A bank of sounds is a SoundFont (.sf2, .sf3) or DLS file.",
            cure: "Name such a file, or load a single sound with loadInstrument(at:).")
    }
}
