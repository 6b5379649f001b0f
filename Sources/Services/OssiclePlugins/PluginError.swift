/// Why a plug-in, or the list of them, cannot be had.
package enum PluginError: Error, Hashable, Sendable, CustomStringConvertible {
    /// lilv is not installed.
    case noLibrary
    /// No process could be started for it, in the system's words.
    case noProcess(String)
    /// No bundle describes it.
    case unknown(uri: String)
    /// It needs what is not offered.
    case unsupported(uri: String, reason: String)
    /// It, or its library, refused to be loaded.
    case refused(uri: String, reason: String)
    /// A state or preset that is none of its own.
    case foreignState(uri: String, reason: String)
    /// Its process ended.
    case crashed(uri: String, signal: Int32)
    /// Its process did not answer for so many seconds and was ended.
    case hung(uri: String, activity: String, seconds: Double)
    /// It had not rendered a block when the block was due.
    case late(uri: String)
    /// It rendered what is no number.
    case notFinite(uri: String)
    /// A bundle whose description could not be read.
    case bundle(path: String, reason: String)

    /// Object, value, rule and cure.
    package var parts: (object: String, value: String, rule: String, cure: String) {
        switch self {
        case .noLibrary:
            (
                "LV2 plug-ins", "liblilv-0.so.0 is missing", "Plug-ins are found and loaded by lilv.",
                "Install Debian's package liblilv-0-0."
            )
        case .noProcess(let reason):
            (
                "LV2 plug-ins", reason, "A plug-in gets a process of its own.",
                "Let this program start processes, or load with loadInProcess."
            )
        case .unknown(let uri):
            (
                uri, "in no bundle", "Plug-ins are found in the folders of LV2_PATH.",
                "Install it, or see what `ossicle plugins` lists."
            )
        case .unsupported(let uri, let reason):
            (uri, reason, "A plug-in may require what the host offers.", "Use another plug-in.")
        case .refused(let uri, let reason):
            (
                uri, reason, "A plug-in has to be instantiated before it renders.",
                "Try another sample rate, or set OSSICLE_PLUGIN_LOG=1 to see what it says."
            )
        case .foreignState(let uri, let reason):
            (uri, reason, "A state belongs to the plug-in it was taken from.", "Use a state of this plug-in.")
        case .crashed(let uri, let signal):
            (
                uri, signal == 0 ? "its process ended" : "its process ended with signal \(signal)",
                "A plug-in that ends is silent from then on.", "Allocate render resources again for a fresh instance."
            )
        case .hung(let uri, let activity, let seconds):
            (
                uri, "no answer within \(seconds) s while \(activity)", "A plug-in that hangs is ended, and silent.",
                "Allocate render resources again for a fresh instance."
            )
        case .late(let uri):
            (
                uri, "a block that was not ready in time",
                "A block is due after the time that it lasts; a late one is silent.",
                "Use larger blocks, fewer plug-ins, or render offline."
            )
        case .notFinite(let uri):
            (
                uri, "samples that are no numbers", "Sound is finite; such samples are replaced by silence.",
                "Reset the unit, or use another plug-in."
            )
        case .bundle(let path, let reason):
            (path, reason, "A bundle's Turtle files can be read within 20 s and 512 MB.", "Mend or remove the bundle.")
        }
    }

    package var description: String {
        let parts = parts
        return "\(parts.object): \(parts.value). \(parts.rule) \(parts.cure)"
    }
}
