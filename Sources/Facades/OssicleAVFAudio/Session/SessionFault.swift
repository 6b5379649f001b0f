import OssicleCoreAudioTypes

/// What can be wrong with a call of a session.
enum SessionFault {
    private static func error(
        _ code: AVAudioSession.ErrorCode, _ value: String, _ rule: String, _ cure: String
    ) -> OssicleError {
        OssicleError(
            domain: NSOSStatusErrorDomain, code: code.rawValue, object: "AVAudioSession", value: value, rule: rule,
            cure: cure)
    }

    static func name(_ category: AVAudioSession.Category) -> String {
        "." + short(category.rawValue, without: "AVAudioSessionCategory")
    }

    static func name(_ mode: AVAudioSession.Mode) -> String {
        "." + short(mode.rawValue, without: "AVAudioSessionMode")
    }

    /// A name of the C interface as Swift spells it.
    private static func short(_ text: String, without prefix: String) -> String {
        let rest = text.hasPrefix(prefix) ? String(text.dropFirst(prefix.count)) : text
        return rest.prefix(1).lowercased() + rest.dropFirst()
    }

    private static func list(_ names: [String]) -> String {
        names.isEmpty ? "none" : names.joined(separator: ", ")
    }

    // MARK: Combinations

    static func unknown(_ category: AVAudioSession.Category) -> OssicleError {
        error(
            .badParam, "category \"\(category.rawValue)\"", "A session has one of the categories that are declared.",
            "Use one of \(list(SessionRules.categories.map(name))).")
    }

    static func mode(_ mode: AVAudioSession.Mode, in category: AVAudioSession.Category) -> OssicleError {
        error(
            .badParam, "mode \(name(mode)) in category \(name(category))",
            "This category has the modes \(list(SessionRules.modes(of: category).map(name))).",
            "Use one of them, or another category.")
    }

    static func option(_ option: String, in category: AVAudioSession.Category, for others: String) -> OssicleError {
        error(
            .badParam, "option .\(option) in category \(name(category))", "This option is for \(others).",
            "Leave it out, or use such a category or mode.")
    }

    static func optionBits(_ bits: UInt) -> OssicleError {
        error(
            .badParam, "options with the bits 0x\(String(bits, radix: 16))", "There are no such options.",
            "Use those of AVAudioSession.CategoryOptions.")
    }

    static let dualRoute = error(
        .badParam, "mode .dualRoute without .allowBluetoothHFP", "One of the two routes is a headset.",
        "Add the option .allowBluetoothHFP.")

    static func policy(
        _ policy: AVAudioSession.RouteSharingPolicy, _ category: AVAudioSession.Category, _ mode: AVAudioSession.Mode
    ) -> OssicleError {
        error(
            .badParam, "policy .\(policy) with category \(name(category)) and mode \(name(mode))",
            "A long form goes with .playback, the modes .default, .moviePlayback and .spokenAudio, and no options; "
                + ".independent is the system's.", "Use the policy .default, or such a category and mode.")
    }

    static func needs(
        _ category: AVAudioSession.Category, for deed: String, not found: AVAudioSession.Category
    )
        -> OssicleError
    {
        error(
            .incompatibleCategory, "\(deed) in category \(name(found))", "This is for \(name(category)).",
            "Set that category first.")
    }

    // MARK: Activation

    static let servicesLost = error(
        .mediaServicesFailed, "setActive(true) without a sound server", "A session becomes active with a server.",
        "Wait for mediaServicesWereResetNotification.")

    static let called = error(
        .insufficientPriority, "setActive(true) during a telephone call", "A call has the sound for itself.",
        "Wait for the end of the interruption.")

    static let recordingDenied = error(
        .cannotStartRecording, "setActive(true) without permission to record",
        "The environment variable OSSICLE_DENY_RECORD_PERMISSION is 1.",
        "Unset it, or use a category that does not record.")

    // MARK: Values

    static func value(_ what: String, _ value: Double, unit: String) -> OssicleError {
        error(
            .badParam, "\(what) of \(value) \(unit)", "It is a finite number, and not negative; 0 is no preference.",
            "Give such a number.")
    }

    static func channels(_ count: Int, of maximum: Int, _ direction: String) -> OssicleError {
        error(
            .badParam, "\(count) \(direction) channels",
            "The \(direction) of this route has 1 to \(maximum) channels; 0 is no preference.",
            "Ask \(direction == "input" ? "maximumInputNumberOfChannels" : "maximumOutputNumberOfChannels") first.")
    }

    static let gainNotSettable = error(
        .resourceNotAvailable, "an input gain", "The input of this route has no gain to set.",
        "Ask isInputGainSettable first.")

    static func noInput(_ port: String, of available: [AVAudioSessionPortDescription]) -> OssicleError {
        error(
            .badParam, "input \"\(port)\"",
            "The inputs of this category and machine are: \(list(available.map(\.portName))).",
            "Choose one of availableInputs, or nil.")
    }

    static func noDataSource(
        _ source: String, at port: String, of available: [AVAudioSessionDataSourceDescription]
    ) -> OssicleError {
        error(
            .badParam, "data source \"\(source)\"",
            "The data sources of \(port) are: \(list(available.map(\.dataSourceName))).", "Choose one of them, or nil.")
    }

    static func noPolarPattern(
        _ pattern: AVAudioSession.PolarPattern, at source: String, of available: [AVAudioSession.PolarPattern]
    ) -> OssicleError {
        error(
            .badParam, "polar pattern \"\(pattern.rawValue)\"",
            "The patterns of \(source) are: \(list(available.map(\.rawValue))).", "Choose one of them, or nil.")
    }

    static func refusedMute(_ muted: Bool) -> OssicleError {
        OssicleError(
            domain: NSOSStatusErrorDomain, code: AVAudioSession.ErrorCode.unspecified.rawValue,
            object: "AVAudioApplication", value: "setInputMuted(\(muted))",
            rule: "The program's handler has refused it.",
            cure: "Return true from the handler of setInputMuteStateChangeHandler.")
    }
}
