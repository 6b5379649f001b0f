// The events of tracks.

import OssicleAudioToolbox
import OssicleMIDI

/// An event of a track. Tracks copy what they are given: a change of an event that was added changes nothing.
open class AVMusicEvent: NSObject {
    /// What the event is in a track; `nil` for a class of the client's own.
    var kind: TrackEvent.Kind? { nil }

    /// An event of no kind, which no track takes.
    public override init() {}

    /// The class that stands for a kind.
    static func make(_ kind: TrackEvent.Kind) -> AVMusicEvent {
        switch kind {
        case .note(let note):
            return AVMIDINoteEvent(
                channel: UInt32(note.channel), key: UInt32(note.key), velocity: UInt32(note.velocity),
                duration: note.duration, releaseVelocity: note.releaseVelocity)
        case .channel(let status, let data1, let data2): return AVMIDIChannelEvent.make(status, data1, data2)
        case .raw(let bytes): return AVMIDISysexEvent(data: Data(bytes))
        case .meta(let type, let bytes):
            guard let type = AVMIDIMetaEvent.EventType(rawValue: Int(type)) else { return OtherMusicEvent(kind) }
            return AVMIDIMetaEvent(type: type, data: Data(bytes))
        case .tempo(let tempo): return AVExtendedTempoEvent(tempo: tempo)
        case .extendedNote(let note):
            return AVExtendedNoteOnEvent(
                midiNote: note.pitch, velocity: note.velocity, instrumentID: note.instrument, groupID: note.group,
                duration: note.duration)
        case .user(let bytes): return AVMusicUserEvent(data: Data(bytes))
        case .parameter(let parameter):
            return AVParameterEvent(
                parameterID: parameter.id, scope: parameter.scope, element: parameter.element, value: parameter.value)
        case .preset(let scope, let element, let preset):
            return AVAUPresetEvent(
                scope: scope, element: element,
                dictionary: preset.object as? NSDictionary as? [AnyHashable: Any] ?? [:])
        }
    }
}

/// An event that no class stands for, such as a meta event of another type.
final class OtherMusicEvent: AVMusicEvent {
    private let own: TrackEvent.Kind
    override var kind: TrackEvent.Kind? { own }

    init(_ kind: TrackEvent.Kind) { own = kind }
}

/// Bytes for the sequencer's user callback.
open class AVMusicUserEvent: AVMusicEvent {
    let data: Data
    override var kind: TrackEvent.Kind? { .user(Array(data)) }

    /// An event with these bytes.
    public init(data: Data) { self.data = data }

    /// Number of bytes.
    open var sizeInBytes: UInt32 { UInt32(clamping: data.count) }
}

/// A value of a parameter of the track's unit. In a track with `usesAutomatedParameters` it moves in a straight line to
/// the next one.
open class AVParameterEvent: AVMusicEvent {
    /// Which parameter.
    open var parameterID: UInt32
    /// Its scope.
    open var scope: UInt32
    /// Its element.
    open var element: UInt32
    /// The value.
    open var value: Float
    override var kind: TrackEvent.Kind? {
        .parameter(TrackEvent.Parameter(id: parameterID, scope: scope, element: element, value: value))
    }

    /// A value with every field given.
    public init(parameterID: UInt32, scope: UInt32, element: UInt32, value: Float) {
        self.parameterID = parameterID
        self.scope = scope
        self.element = element
        self.value = value
    }
}

/// A state for the track's unit, as `fullState` gives it.
open class AVAUPresetEvent: AVMusicEvent {
    /// Its scope.
    open var scope: UInt32
    /// Its element.
    open var element: UInt32
    /// The state.
    open private(set) var presetDictionary: [AnyHashable: Any]
    override var kind: TrackEvent.Kind? {
        let dictionary = NSMutableDictionary()
        for (key, value) in presetDictionary {
            if let key = key.base as? String { dictionary[key as NSString] = value }
        }
        return .preset(scope: scope, element: element, PresetReference(dictionary))
    }

    /// A state for a scope and element.
    public init(scope: UInt32, element: UInt32, dictionary presetDictionary: [AnyHashable: Any]) {
        (self.scope, self.element, self.presetDictionary) = (scope, element, presetDictionary)
    }
}

/// A tempo, of the tempo track.
open class AVExtendedTempoEvent: AVMusicEvent {
    /// Beats per minute, above 0.
    open var tempo: Double
    override var kind: TrackEvent.Kind? { .tempo(tempo) }

    /// A tempo in beats per minute.
    public init(tempo: Double) { self.tempo = tempo }
}
