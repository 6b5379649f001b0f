// Between Core Audio's file types, file extensions and containers.

import OssicleCodecs
import OssicleCoreAudioTypes
import OssicleFiles

extension AudioContainer {
    /// The container of a file type; `nil` for one not known here.
    package init?(type: AudioFileTypeID) {
        guard let container = Self.types.first(where: { $0.type == type })?.container else { return nil }
        self = container
    }

    /// The container files with this extension have; `nil` for one not known here.
    package init?(pathExtension: String) {
        let ending = pathExtension.lowercased()
        guard let container = Self.extensions.first(where: { $0.endings.contains(ending) })?.container else { return nil }
        self = container
    }

    /// The type that files with this extension have: AIFF-C has one of its own beside AIFF's.
    package static func fileType(pathExtension: String) -> AudioFileTypeID? {
        pathExtension.lowercased() == "aifc" ? kAudioFileAIFCType : AudioContainer(pathExtension: pathExtension)?.fileType
    }

    /// Core Audio's file type; 0 where it has none.
    package var fileType: AudioFileTypeID { Self.types.first { $0.container == self }?.type ?? 0 }

    static let types: [(type: AudioFileTypeID, container: AudioContainer)] = [
        (kAudioFileWAVEType, .wav), (kAudioFileRF64Type, .rf64), (kAudioFileBW64Type, .rf64), (kAudioFileWave64Type, .wave64),
        (kAudioFileAIFFType, .aiff), (kAudioFileAIFCType, .aiff), (kAudioFileCAFType, .caf), (kAudioFileFLACType, .flac),
        (kAudioFileMP3Type, .mpeg), (kAudioFileMP2Type, .mpeg), (kAudioFileMP1Type, .mpeg), (kAudioFileNextType, .au),
        (kAudioFileM4AType, .mpeg4), (kAudioFileMPEG4Type, .mpeg4), (kAudioFileM4BType, .mpeg4),
        (kAudioFile3GPType, .mpeg4), (kAudioFile3GP2Type, .mpeg4), (kAudioFileAAC_ADTSType, .adts),
    ]

    static let extensions: [(endings: [String], container: AudioContainer)] = [
        (["wav", "wave"], .wav), (["rf64", "bw64"], .rf64), (["w64"], .wave64), (["aif", "aiff", "aifc"], .aiff), (["caf"], .caf), (["flac"], .flac),
        (["mp3", "mp2", "mp1"], .mpeg), (["ogg", "oga", "opus"], .ogg), (["au", "snd"], .au), (["m4a", "m4b", "mp4", "m4r", "3gp", "3g2"], .mpeg4),
        (["aac", "adts"], .adts),
    ]
}
