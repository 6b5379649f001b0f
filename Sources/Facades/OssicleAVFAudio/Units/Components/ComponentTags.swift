import OssicleAudioToolbox
import OssicleMessages
import OssicleNodes
import Synchronization

/// The words attached to components: the maker's, and the user's, which are kept in `component-tags.plist` beside the
/// user presets. Any thread.
///
/// A file that cannot be read counts as empty and is written anew with the next change; that, and a change that cannot
/// be written, is recorded.
enum ComponentTags {
    private static let kept = Mutex<(file: URL, tags: [String: [String]])?>(nil)

    /// The user's words, in the user's order.
    static func user(_ description: AudioComponentDescription) -> [String] {
        current { $0[UserData.name(of: description)] ?? [] }
    }

    static func set(_ words: [String], for description: AudioComponentDescription) {
        current { $0[UserData.name(of: description)] = words.isEmpty ? nil : words }
    }

    /// All words users have attached.
    static var all: [String] { current { $0.values.flatMap(\.self) } }

    private static func current<Result>(_ body: (inout [String: [String]]) -> Result) -> Result {
        kept.withLock { kept in
            let file = UserData.folder.appendingPathComponent("component-tags.plist")
            var tags = kept.flatMap { $0.file == file ? $0.tags : nil } ?? read(file)
            let before = tags, result = body(&tags)
            if tags != before { write(tags, to: file) }
            kept = (file, tags)
            return result
        }
    }

    private static func read(_ file: URL) -> [String: [String]] {
        guard let data = try? Data(contentsOf: file) else { return [:] }
        let list = try? PropertyListSerialization.propertyList(from: data, format: nil)
        if let tags = list as? [String: [String]] { return tags }
        ErrorLog().record(
            UnitFault.wrongPreset(
                "AVAudioUnitComponent", file.path, "Tags are a property list with a dictionary of lists of words."))
        return [:]
    }

    private static func write(_ tags: [String: [String]], to file: URL) {
        do {
            let data = try PropertyListSerialization.data(fromPropertyList: tags, format: .xml, options: 0)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try data.write(to: file, options: .atomic)
        } catch {
            ErrorLog().record(AUFault.unwrittenPreset("AVAudioUnitComponent", file.lastPathComponent, error))
        }
    }

    // MARK: The maker's

    /// Words that built-in units bear, in alphabetical order.
    static let standard = [
        "Delay", "Distortion", "Dynamics", "Equalizer", "Filter", "Mixer", "Output", "Pitch", "Player",
        "Reverb", "Spatial", "Time",
    ]

    private static let makers: [OSType: [String]] = [
        kAudioUnitSubType_NBandEQ: ["Equalizer", "Filter"], kAudioUnitSubType_GraphicEQ: ["Equalizer"],
        kAudioUnitSubType_ParametricEQ: ["Equalizer", "Filter"], kAudioUnitSubType_LowPassFilter: ["Filter"],
        kAudioUnitSubType_HighPassFilter: ["Filter"], kAudioUnitSubType_BandPassFilter: ["Filter"],
        kAudioUnitSubType_LowShelfFilter: ["Filter"], kAudioUnitSubType_HighShelfFilter: ["Filter"],
        kAudioUnitSubType_Delay: ["Delay"], kAudioUnitSubType_SampleDelay: ["Delay"],
        kAudioUnitSubType_Distortion: ["Distortion"], kAudioUnitSubType_DynamicsProcessor: ["Dynamics"],
        kAudioUnitSubType_PeakLimiter: ["Dynamics"], kAudioUnitSubType_MultiBandCompressor: ["Dynamics"],
        kAudioUnitSubType_Reverb2: ["Reverb"], kAudioUnitSubType_MatrixReverb: ["Reverb"],
        kAudioUnitSubType_NewTimePitch: ["Pitch", "Time"], kAudioUnitSubType_Varispeed: ["Pitch", "Time"],
        kAudioUnitSubType_MultiChannelMixer: ["Mixer"], kAudioUnitSubType_MatrixMixer: ["Mixer"],
        kAudioUnitSubType_SpatialMixer: ["Mixer", "Spatial"], kAudioUnitSubType_ScheduledSoundPlayer: ["Player"],
        kAudioUnitSubType_AudioFilePlayer: ["Player"],
    ]

    /// The maker's words: of built-in units, and the classes of an LV2 plug-in.
    static func maker(_ description: AudioComponentDescription) -> [String] {
        if let plugin = PluginComponents.plugin(for: description) { return PluginComponents.tags(of: plugin) }
        guard UnitCatalogue.unit(for: description) != nil else { return [] }
        return makers[description.componentSubType]
            ?? (description.componentType == kAudioUnitType_Output ? ["Output"] : [])
    }
}
