import OssicleDSP

/// Rooms for a reverb. Apple publishes no numbers; sizes and decay times are Ossicle's, typical of each class of room.
public enum AVAudioUnitReverbPreset: Int, CaseIterable, Sendable {
    case smallRoom = 0
    case mediumRoom = 1
    case largeRoom = 2
    case mediumHall = 3
    case largeHall = 4
    case plate = 5
    case mediumChamber = 6
    case largeChamber = 7
    case cathedral = 8
    case largeRoom2 = 9
    case mediumHall2 = 10
    case mediumHall3 = 11
    case largeHall2 = 12

    var room: ReverbPreset {
        switch self {
        case .smallRoom: .smallRoom
        case .mediumRoom: .mediumRoom
        case .largeRoom: .largeRoom
        case .mediumHall: .mediumHall
        case .largeHall: .largeHall
        case .plate: .plate
        case .mediumChamber: .mediumChamber
        case .largeChamber: .largeChamber
        case .cathedral: .cathedral
        case .largeRoom2: .largeRoom2
        case .mediumHall2: .mediumHall2
        case .mediumHall3: .mediumHall3
        case .largeHall2: .largeHall2
        }
    }
}
