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
    /// 35 m³, a decay by 60 dB in 0.35 s at 1 kHz.
    case smallRoom = 0
    /// 111 m³, 0.54 s at 1 kHz.
    case mediumRoom = 1
    /// 300 m³, 0.83 s at 1 kHz.
    case largeRoom = 2
    /// 3,500 m³, 1.4 s at 1 kHz.
    case mediumHall = 3
    /// 13,000 m³, 2.1 s at 1 kHz.
    case largeHall = 4
    /// A plate of steel: no room around it and no early part, 2.0 s at 1 kHz.
    case plate = 5
    /// A hard chamber of 79 m³, 1.3 s at 1 kHz.
    case mediumChamber = 6
    /// A hard chamber of 260 m³, 2.0 s at 1 kHz.
    case largeChamber = 7
    /// 60,000 m³, 5.2 s at 1 kHz.
    case cathedral = 8
    /// 518 m³, 1.1 s at 1 kHz.
    case largeRoom2 = 9
    /// 5,200 m³, 1.6 s at 1 kHz.
    case mediumHall2 = 10
    /// 7,000 m³, 1.8 s at 1 kHz.
    case mediumHall3 = 11
    /// 18,500 m³, 2.4 s at 1 kHz.
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
