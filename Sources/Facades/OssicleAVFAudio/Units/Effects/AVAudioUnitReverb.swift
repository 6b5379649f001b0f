import OssicleAudioToolbox
import OssicleDSP
import OssicleNodes

/// A room.
open class AVAudioUnitReverb: AVAudioUnitEffect {
    /// A medium hall, all wet.
    public init() {
        super.init(effect: AudioComponentDescription(builtIn: kAudioUnitType_Effect, kAudioUnitSubType_Reverb2))
        loadFactoryPreset(.mediumHall)
    }

    /// Takes another room: sets the unit's delay and decay times to the room's. Mix and gain stay.
    open func loadFactoryPreset(_ preset: AVAudioUnitReverbPreset) {
        load(preset: preset.rawValue)
    }

    /// Percent of wet at equal power, 0 … 100; default 100.
    open var wetDryMix: Float {
        get { value(kReverb2Param_DryWetMix) }
        set { setValue(newValue, kReverb2Param_DryWetMix) }
    }
}

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
