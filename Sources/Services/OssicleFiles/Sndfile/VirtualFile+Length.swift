// How many frames a file holds, to the frame.

import CSndfile
import OssicleCodecs

extension VirtualFile {
    /// The frames of the recording; `nil` when the file does not tell, for which the library gives the largest number.
    var toldLength: Int64? {
        guard header.frames != .max else { return nil }
        switch codec {
        case .imaADPCM, .microsoftADPCM: return adpcmLength
        case .mp1, .mp2, .mp3: return bytes.source.flatMap { MPEGFrames.untaggedLength(of: $0) } ?? header.frames
        default: return container == .aiff && codec != .ima4 ? aiffLength : header.frames
        }
    }

    /// What the library counts less what the last block only fills up: WAVE's `fact` chunk tells. Its number is taken when it lies within the last
    /// block; some writers put others there.
    private var adpcmLength: Int64 {
        guard let fact = chunk("fact"), let format = chunk("fmt "), format.count >= 20 else { return header.frames }
        let told = Int64(Self.number(fact.prefix(container == .wave64 ? 8 : 4), isBigEndian: isRIFX))
        let framesPerBlock = Int64(Self.number(format[18..<20], isBigEndian: isRIFX))
        return told <= header.frames && header.frames - told < framesPerBlock ? told : header.frames
    }

    /// The library takes the byte that makes a chunk's length even for a frame; the common chunk tells how many there are. A writer that was killed
    /// may have left 0 there.
    private var aiffLength: Int64 {
        guard let common = chunk("COMM"), common.count >= 6 else { return header.frames }
        let told = Int64(Self.number(common[2..<6], isBigEndian: true))
        return told > 0 ? min(told, header.frames) : header.frames
    }

    /// Where a header has the number of frames, and how.
    struct LengthPlace {
        var offset: Int64
        var byteCount: Int
        var isBigEndian: Bool
    }

    /// The place in a header being written of a number that the library may get wrong: the fact chunk of ADPCM in WAVE and W64, and AIFF's common
    /// chunk. May be asked after the file is closed.
    var lengthPlace: LengthPlace? {
        func place(behind name: String, _ distance: Int, _ byteCount: Int, isBigEndian: Bool) -> LengthPlace? {
            bytes.head.firstRange(of: Array(name.utf8)).map { LengthPlace(offset: Int64($0.lowerBound + distance), byteCount: byteCount, isBigEndian: isBigEndian) }
        }
        switch container {
        case .wav where codec == .imaADPCM || codec == .microsoftADPCM: return place(behind: "fact", 8, 4, isBigEndian: isRIFX)
        case .wave64 where codec == .imaADPCM || codec == .microsoftADPCM: return place(behind: "fact", 24, 8, isBigEndian: false)
        case .aiff where codec != .ima4: return place(behind: "COMM", 10, 4, isBigEndian: true)
        default: return nil
        }
    }

    static func number(_ bytes: ArraySlice<UInt8>, isBigEndian: Bool) -> UInt32 {
        (isBigEndian ? Array(bytes) : bytes.reversed()).reduce(0) { $0 << 8 | UInt32($1) }
    }
}
