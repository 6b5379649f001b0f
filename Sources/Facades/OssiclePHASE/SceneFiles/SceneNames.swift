import OssicleAVFAudio
import OssicleCoreAudioTypes
import OssicleScenes

// What the words of a scene file are in PHASE.

extension PHASEReverbPreset {
    init(_ reverb: SceneReverb) {
        self =
            switch reverb {
            case .none: .none
            case .smallRoom: .smallRoom
            case .mediumRoom: .mediumRoom
            case .largeRoom: .largeRoom
            case .largeRoom2: .largeRoom2
            case .mediumChamber: .mediumChamber
            case .largeChamber: .largeChamber
            case .mediumHall: .mediumHall
            case .mediumHall2: .mediumHall2
            case .mediumHall3: .mediumHall3
            case .largeHall: .largeHall
            case .largeHall2: .largeHall2
            case .cathedral: .cathedral
            }
    }
}

extension PHASEReverbZone.Reverb {
    init(_ reverb: SceneZone.Reverb) {
        self = SceneReverb(rawValue: reverb.rawValue).map { .preset(PHASEReverbPreset($0)) } ?? .computed
    }
}

extension PHASECurveType {
    init(_ curve: SceneCurveType) {
        self =
            switch curve {
            case .linear: .linear
            case .squared: .squared
            case .inverseSquared: .inverseSquared
            case .cubed: .cubed
            case .inverseCubed: .inverseCubed
            case .sine: .sine
            case .inverseSine: .inverseSine
            case .sigmoid: .sigmoid
            case .inverseSigmoid: .inverseSigmoid
            case .holdStartValue: .holdStartValue
            case .jumpToEndValue: .jumpToEndValue
            }
    }
}

extension PHASECullOption {
    init(_ culling: SceneSampler.Culling) {
        self =
            switch culling {
            case .terminate: .terminate
            case .sleepWakeAtZero: .sleepWakeAtZero
            case .sleepWakeAtRandomOffset: .sleepWakeAtRandomOffset
            case .sleepWakeAtRealtimeOffset: .sleepWakeAtRealtimeOffset
            case .doNotCull: .doNotCull
            }
    }
}

extension PHASECalibrationMode {
    init(_ calibration: SceneSampler.Calibration) {
        self =
            switch calibration {
            case .none: .none
            case .relativeSPL: .relativeSpl
            case .absoluteSPL: .absoluteSpl
            }
    }
}

extension AVAudioChannelLayout {
    convenience init(_ layout: SceneLayout) throws {
        let tag: AudioChannelLayoutTag =
            switch layout {
            case .mono: kAudioChannelLayoutTag_Mono
            case .stereo: kAudioChannelLayoutTag_Stereo
            case .quadraphonic: kAudioChannelLayoutTag_Quadraphonic
            case .surround5: kAudioChannelLayoutTag_MPEG_5_0_A
            case .surround51: kAudioChannelLayoutTag_MPEG_5_1_A
            case .surround71: kAudioChannelLayoutTag_MPEG_7_1_C
            case .surround514: kAudioChannelLayoutTag_Atmos_5_1_4
            case .surround714: kAudioChannelLayoutTag_Atmos_7_1_4
            case .ambisonic(let field): field.tag
            }
        guard let made = AVAudioChannelLayout(layoutTag: tag) else {
            throw PHASEAssetError(
                .badParameters, object: "A layout of the scene", value: "it is “\(layout.rawValue)”",
                rule: "A layout is one that the engine knows.", cure: "Choose another.")
        }
        self.init(layout: made.layout)
    }
}
