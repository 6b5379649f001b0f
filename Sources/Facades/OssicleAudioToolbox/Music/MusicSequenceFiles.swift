// Sequences from and to MIDI files, in the C interface's spelling.

import OssicleMIDI
import OssicleProperties

/// Reads a standard MIDI file in place of what the sequence holds. `kAudioToolboxErr_InvalidSequenceType` for what is
/// no such file, −43 where there is none.
@discardableResult
public func MusicSequenceFileLoad(
    _ inSequence: MusicSequence, _ inFileRef: CFURL, _ inFileTypeHint: MusicSequenceFileTypeID,
    _ inFlags: MusicSequenceLoadFlags
) -> OSStatus {
    withSequence(inSequence) { sequence throws(StatusError) in
        let path = try filePath(inFileRef)
        let file = try StatusError.midiFile { () throws(MIDIFileError) in try MIDIFile(path: path) }
        try load(file, into: sequence, inFileTypeHint, inFlags)
    }
}

/// As `MusicSequenceFileLoad`, from memory.
@discardableResult
public func MusicSequenceFileLoadData(
    _ inSequence: MusicSequence, _ inData: CFData, _ inFileTypeHint: MusicSequenceFileTypeID,
    _ inFlags: MusicSequenceLoadFlags
) -> OSStatus {
    withSequence(inSequence) { sequence throws(StatusError) in
        let bytes = Array(inData as Data)
        let file = try StatusError.midiFile { () throws(MIDIFileError) in try MIDIFile(reading: bytes, named: "data") }
        try load(file, into: sequence, inFileTypeHint, inFlags)
    }
}

private func load(
    _ file: MIDIFile, into sequence: MIDISequence, _ hint: MusicSequenceFileTypeID, _ flags: MusicSequenceLoadFlags
) throws(StatusError) {
    guard hint != .iMelodyType else { throw StatusError(kAudioToolboxErr_InvalidSequenceType) }
    let gone = sequence.tracks
    sequence.replaceContents(
        by: MIDISequence(file, channelsToTracks: flags.contains(.smf_ChannelsToTracks)))
    for track in gone { SequenceHandles.forget(track) }
}

/// Writes a standard MIDI file of format 1. A file that is there needs `.eraseFile`, else the result is −54.
/// - Parameters:
///   - inSequence: what is written.
///   - inFileRef: address of the file.
///   - inFileType: `.midiType`; no other can be written.
///   - inFlags: `.eraseFile` replaces a file that is there.
///   - inResolution: ticks of a quarter note, or what `MusicSequenceSetSMPTEResolution` gives; 0 for the sequence's
///     own.
@discardableResult
public func MusicSequenceFileCreate(
    _ inSequence: MusicSequence, _ inFileRef: CFURL, _ inFileType: MusicSequenceFileTypeID,
    _ inFlags: MusicSequenceFileFlags, _ inResolution: Int16
) -> OSStatus {
    withSequence(inSequence) { sequence throws(StatusError) in
        let path = try filePath(inFileRef), file = try written(sequence, inFileType, inResolution)
        try StatusError.midiFile { () throws(MIDIFileError) in
            try file.write(to: path, replacing: inFlags.contains(.eraseFile))
        }
    }
}

/// As `MusicSequenceFileCreate`, to memory, which the caller releases.
@discardableResult
public func MusicSequenceFileCreateData(
    _ inSequence: MusicSequence, _ inFileType: MusicSequenceFileTypeID, _ inFlags: MusicSequenceFileFlags,
    _ inResolution: Int16, _ outData: UnsafeMutablePointer<Unmanaged<CFData>?>
) -> OSStatus {
    outData.pointee = nil
    return withSequence(inSequence) { sequence throws(StatusError) in
        let file = try written(sequence, inFileType, inResolution)
        outData.pointee = Unmanaged.passRetained(Data(file.bytes) as NSData)
    }
}

private func written(
    _ sequence: MIDISequence, _ type: MusicSequenceFileTypeID, _ resolution: Int16
) throws(StatusError) -> MIDIFile {
    guard type != .iMelodyType else { throw StatusError(kAudioToolboxErr_InvalidSequenceType) }
    return sequence.file(division: MIDIFile.Division(resolution: resolution))
}
