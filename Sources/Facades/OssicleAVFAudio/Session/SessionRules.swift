/// Which categories, modes, options and policies go together.
enum SessionRules {
    typealias Category = AVAudioSession.Category
    typealias Mode = AVAudioSession.Mode
    typealias Options = AVAudioSession.CategoryOptions

    static let categories: [Category] = [.ambient, .soloAmbient, .playback, .record, .playAndRecord, .multiRoute]
    private static let playing: [Category] = [.ambient, .soloAmbient, .playback, .playAndRecord, .multiRoute]
    private static let recording: [Category] = [.record, .playAndRecord, .multiRoute]

    static func plays(_ category: Category) -> Bool { playing.contains(category) }
    static func records(_ category: Category) -> Bool { recording.contains(category) }

    private static let modeTable: [(mode: Mode, categories: [Category])] = [
        (.default, categories),
        (.voiceChat, [.playAndRecord]),
        (.gameChat, [.playAndRecord]),
        (.videoRecording, [.record, .playAndRecord]),
        (.measurement, [.record, .playAndRecord, .playback]),
        (.moviePlayback, [.playback]),
        (.videoChat, [.playAndRecord]),
        (.spokenAudio, playing),
        (.voicePrompt, playing),
        (.shortFormVideo, [.playback]),
        (.dualRoute, [.multiRoute]),
    ]

    static func modes(of category: Category) -> [Mode] {
        modeTable.filter { $0.categories.contains(category) }.map(\.mode)
    }

    /// An option, the categories it may be set in, and those whose default it is.
    private struct OptionRule {
        let option: Options
        let name: String
        let categories: [Category]
        var implied: [Category] = []
        /// The only mode it goes with in some of the categories.
        var mode: (Mode, in: [Category])?
    }

    private static let optionTable: [OptionRule] = [
        OptionRule(
            option: .interruptSpokenAudioAndMixWithOthers, name: "interruptSpokenAudioAndMixWithOthers",
            categories: [.playback, .playAndRecord, .multiRoute]),
        OptionRule(
            option: .mixWithOthers, name: "mixWithOthers", categories: [.playback, .playAndRecord, .multiRoute],
            implied: [.ambient]),
        OptionRule(
            option: .duckOthers, name: "duckOthers", categories: [.ambient, .playback, .playAndRecord, .multiRoute]),
        OptionRule(
            option: .allowBluetoothHFP, name: "allowBluetoothHFP", categories: recording,
            mode: (.dualRoute, in: [.multiRoute])),
        OptionRule(option: .defaultToSpeaker, name: "defaultToSpeaker", categories: [.playAndRecord]),
        OptionRule(
            option: .allowBluetoothA2DP, name: "allowBluetoothA2DP", categories: [.playAndRecord],
            implied: [.ambient, .soloAmbient, .playback]),
        OptionRule(
            option: .allowAirPlay, name: "allowAirPlay", categories: [.playAndRecord],
            implied: [.ambient, .soloAmbient, .playback]),
        OptionRule(
            option: .overrideMutedMicrophoneInterruption, name: "overrideMutedMicrophoneInterruption",
            categories: recording),
        OptionRule(
            option: .farFieldInput, name: "farFieldInput", categories: recording, mode: (.dualRoute, in: [.multiRoute])),
        OptionRule(
            option: .bluetoothHighQualityRecording, name: "bluetoothHighQualityRecording",
            categories: [.record, .playAndRecord], mode: (.default, in: [.record, .playAndRecord])),
    ]

    /// Throws `badParam` for what does not go together.
    static func check(
        _ category: Category, _ mode: Mode, policy: AVAudioSession.RouteSharingPolicy, options: Options
    ) throws {
        guard categories.contains(category) else { throw SessionFault.unknown(category) }
        guard modes(of: category).contains(mode) else { throw SessionFault.mode(mode, in: category) }
        try check(options, in: category, mode)
        if mode == .dualRoute, !options.contains(.allowBluetoothHFP) { throw SessionFault.dualRoute }
        guard policy == .default || isLongForm(policy, category, mode, options) else {
            throw SessionFault.policy(policy, category, mode)
        }
    }

    private static func check(_ options: Options, in category: Category, _ mode: Mode) throws {
        let known = optionTable.reduce(into: Options()) { $0.formUnion($1.option) }
        let unknown = options.subtracting(known)
        guard unknown.isEmpty else { throw SessionFault.optionBits(unknown.rawValue) }
        for rule in optionTable where options.contains(rule.option) {
            let allowed = rule.categories + rule.implied
            guard allowed.contains(category) else {
                let names = rule.categories.map(SessionFault.name).joined(separator: ", ")
                throw SessionFault.option(rule.name, in: category, for: names)
            }
            if let (only, narrowed) = rule.mode, narrowed.contains(category), mode != only {
                throw SessionFault.option(rule.name, in: category, for: "the mode \(SessionFault.name(only)) there")
            }
        }
        // The bit of interrupting speech, without that of mixing, is no option.
        if options.rawValue & 0x11 == 0x10 { throw SessionFault.optionBits(0x10) }
    }

    private static func isLongForm(
        _ policy: AVAudioSession.RouteSharingPolicy, _ category: Category, _ mode: Mode, _ options: Options
    ) -> Bool {
        guard policy == .longFormAudio || policy == .longFormVideo else { return false }
        return category == .playback && [.default, .moviePlayback, .spokenAudio].contains(mode) && options.isEmpty
    }

    /// The options as a session keeps them: ducking implies mixing.
    static func completed(_ options: Options) -> Options {
        options.contains(.duckOthers) ? options.union(.mixWithOthers) : options
    }
}
