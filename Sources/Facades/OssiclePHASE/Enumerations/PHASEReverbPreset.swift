/// The room that all late reverberation of an engine sounds in. The raw values are Apple's four-character codes.
public enum PHASEReverbPreset: Int, Sendable {
    /// No reverberation. The default.
    case none = 0x724e6f6e
    case smallRoom = 0x7253526d
    case mediumRoom = 0x724d526d
    case largeRoom = 0x724c5231
    case largeRoom2 = 0x724c5232
    case mediumChamber = 0x724d4368
    case largeChamber = 0x724c4368
    case mediumHall = 0x724d4831
    case mediumHall2 = 0x724d4832
    case mediumHall3 = 0x724d4833
    case largeHall = 0x724c4831
    case largeHall2 = 0x724c4832
    case cathedral = 0x72437468
}
