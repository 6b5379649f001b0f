import OssicleCoreAudioTypes

/// The bits that a lossless codec keeps, which stand in the flags of its format.
package enum SourceDepth {
    private static let depths: [(bits: Int, flag: AudioFormatFlags)] = [
        (16, kAppleLosslessFormatFlag_16BitSourceData), (20, kAppleLosslessFormatFlag_20BitSourceData),
        (24, kAppleLosslessFormatFlag_24BitSourceData), (32, kAppleLosslessFormatFlag_32BitSourceData),
    ]

    /// The flag for the least depth that keeps `bits`; 0 for formats without.
    package static func flag(_ format: AudioFormatID, keeping bits: Int) -> AudioFormatFlags {
        guard isLossless(format) else { return 0 }
        return depths.first { $0.bits >= bits }?.flag ?? kAppleLosslessFormatFlag_32BitSourceData
    }

    /// The flag for `bits`; 0 where there is none.
    static func flag(_ bits: Int) -> AudioFormatFlags { depths.first { $0.bits == bits }?.flag ?? 0 }

    /// The bits of a format that tells them.
    package static func bits(_ asbd: AudioStreamBasicDescription) -> Int? {
        isLossless(asbd.mFormatID) ? depths.first { $0.flag == asbd.mFormatFlags }?.bits : nil
    }

    private static func isLossless(_ format: AudioFormatID) -> Bool { [kAudioFormatFLAC, kAudioFormatAppleLossless].contains(format) }
}
