import Foundation
import Testing
@testable import OssicleAVFAudio

@Suite("Session: categories, modes, options and policies")
struct SessionCategoryTests {
    typealias Session = AVAudioSession

    private static let modes: [(mode: Session.Mode, categories: Set<Session.Category>)] = [
        (.default, Set(SessionRules.categories)), (.voiceChat, [.playAndRecord]), (.gameChat, [.playAndRecord]),
        (.videoRecording, [.record, .playAndRecord]), (.measurement, [.record, .playAndRecord, .playback]),
        (.moviePlayback, [.playback]), (.videoChat, [.playAndRecord]),
        (.spokenAudio, [.ambient, .soloAmbient, .playback, .playAndRecord, .multiRoute]),
        (.voicePrompt, [.ambient, .soloAmbient, .playback, .playAndRecord, .multiRoute]),
        (.shortFormVideo, [.playback]),
    ]

    private static let options: [(option: Session.CategoryOptions, categories: Set<Session.Category>)] = [
        (.mixWithOthers, [.ambient, .playback, .playAndRecord, .multiRoute]),
        (.duckOthers, [.ambient, .playback, .playAndRecord, .multiRoute]),
        (.interruptSpokenAudioAndMixWithOthers, [.playback, .playAndRecord, .multiRoute]),
        (.allowBluetoothHFP, [.record, .playAndRecord]), (.defaultToSpeaker, [.playAndRecord]),
        (.allowBluetoothA2DP, [.ambient, .soloAmbient, .playback, .playAndRecord]),
        (.allowAirPlay, [.ambient, .soloAmbient, .playback, .playAndRecord]),
        (.overrideMutedMicrophoneInterruption, [.record, .playAndRecord, .multiRoute]),
        (.farFieldInput, [.record, .playAndRecord]), (.bluetoothHighQualityRecording, [.record, .playAndRecord]),
    ]

    @Test("Every mode is taken by its categories, and refused by the others without a change")
    func modes() throws {
        let session = SessionStage().session
        for category in SessionRules.categories {
            for (mode, categories) in Self.modes {
                try session.setCategory(.soloAmbient, mode: .default)
                let code = sessionCode { try session.setCategory(category, mode: mode) }
                if categories.contains(category) {
                    #expect(code == nil && session.category == category && session.mode == mode)
                    #expect(session.availableModes.contains(mode))
                } else {
                    #expect(code == .badParam, "\(category.rawValue) with \(mode.rawValue)")
                    #expect(session.category == .soloAmbient && session.mode == .default)
                }
            }
        }
    }

    @Test("Every option is taken by its categories, and refused by the others without a change")
    func options() throws {
        let session = SessionStage().session
        for category in SessionRules.categories {
            for (option, categories) in Self.options {
                try session.setCategory(.soloAmbient)
                let code = sessionCode { try session.setCategory(category, options: option) }
                if categories.contains(category) {
                    #expect(code == nil && session.categoryOptions.isSuperset(of: option))
                } else {
                    #expect(code == .badParam, "\(category.rawValue) with \(option)")
                    #expect(session.category == .soloAmbient && session.categoryOptions.isEmpty)
                }
            }
        }
    }

    @Test("Two routes at once need a headset; full bandwidth needs the default mode")
    func narrowOptions() throws {
        let session = SessionStage().session
        #expect(sessionCode { try session.setCategory(.multiRoute, mode: .dualRoute) } == .badParam)
        try session.setCategory(.multiRoute, mode: .dualRoute, options: [.allowBluetoothHFP, .farFieldInput])
        #expect(session.mode == .dualRoute)
        #expect(sessionCode { try session.setMode(.default) } == .badParam, "the headset goes with two routes")
        let quality = Session.CategoryOptions.bluetoothHighQualityRecording
        #expect(sessionCode { try session.setCategory(.record, mode: .measurement, options: quality) } == .badParam)
        for bits: UInt in [0x10, 0x100, 1 << 40] {
            #expect(sessionCode { try session.setCategory(.playback, options: .init(rawValue: bits)) } == .badParam)
        }
    }

    @Test("Long forms go with playback, three modes and no options; independence is the system's")
    func policies() throws {
        let session = SessionStage().session
        for policy in [Session.RouteSharingPolicy.longFormAudio, .longFormVideo] {
            for mode in [Session.Mode.default, .moviePlayback, .spokenAudio] {
                try session.setCategory(.playback, mode: mode, policy: policy)
                #expect(session.routeSharingPolicy == policy)
            }
            #expect(
                sessionCode { try session.setCategory(.playback, mode: .measurement, policy: policy) } == .badParam)
            #expect(sessionCode { try session.setCategory(.ambient, mode: .default, policy: policy) } == .badParam)
            #expect(
                sessionCode {
                    try session.setCategory(.playback, mode: .default, policy: policy, options: .mixWithOthers)
                } == .badParam)
        }
        #expect(
            sessionCode { try session.setCategory(.playback, mode: .default, policy: .independent) } == .badParam)
        try session.setCategory(.playback)
        #expect(session.routeSharingPolicy == .default)
    }

    @Test("Options do not outlive their category, the mode does where it can, and ducking implies mixing")
    func stickiness() throws {
        let session = SessionStage().session
        try session.setCategory(.playback, mode: .spokenAudio, options: .duckOthers)
        #expect(session.categoryOptions == [.duckOthers, .mixWithOthers])
        try session.setCategory(.playAndRecord)
        #expect(session.categoryOptions.isEmpty && session.mode == .spokenAudio)
        try session.setMode(.voiceChat)
        try session.setCategory(.playback)
        #expect(session.mode == .default)
    }

    @Test("An unknown category or mode is refused by an error that names object, value, rule and cure")
    func errors() throws {
        let session = SessionStage().session
        #expect(sessionCode { try session.setCategory(.init(rawValue: "Opera")) } == .badParam)
        #expect(sessionCode { try session.setMode(.init(rawValue: "Aria")) } == .badParam)
        let error = #expect(throws: OssicleError.self) { try session.setCategory(.playback, mode: .voiceChat) }
        #expect(error?.object == "AVAudioSession")
        #expect(error?.value == "mode .voiceChat in category .playback")
        #expect(error?.rule.contains(".moviePlayback") == true && error?.cure.isEmpty == false)
    }

    @Test("Without an input the categories that record are not available, though they can be set")
    func available() throws {
        #expect(SessionStage().session.availableCategories == SessionRules.categories)
        let deaf = SessionStage(devices: .init()).session
        #expect(deaf.availableCategories == [.ambient, .soloAmbient, .playback])
        try deaf.setCategory(.playAndRecord)
        #expect(deaf.availableInputs == [] && !deaf.isInputAvailable)
    }

    @Test("Constants have the numbers and names of Apple's C interface")
    func constants() {
        #expect(Session.Category.playAndRecord.rawValue == "AVAudioSessionCategoryPlayAndRecord")
        #expect(Session.Mode.default.rawValue == "AVAudioSessionModeDefault")
        #expect(Session.CategoryOptions.interruptSpokenAudioAndMixWithOthers.contains(.mixWithOthers))
        #expect(Session.ErrorCode.isBusy.rawValue == 560_030_580 && Session.ErrorCode.badParam.rawValue == -50)
        #expect(Session.ErrorCode.incompatibleCategory.rawValue == 560_161_140)
        #expect(Session.ErrorCode.insufficientPriority.rawValue == 561_017_449)
        #expect(Session.ErrorCode.sessionNotActive.rawValue == 1_768_841_571)
        #expect(Session.ErrorCode.mediaServicesFailed.rawValue == 1_836_282_486)
        #expect(Session.ErrorCode.cannotStartRecording.rawValue == 561_145_187)
        #expect(Session.interruptionNotification.rawValue == "AVAudioSessionInterruptionNotification")
    }
}
