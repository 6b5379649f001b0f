// A track of a sequencer.

import OssicleAudioToolbox
import OssicleMIDI
import OssicleMessages
import OssicleNodes

/// Events in order of beats, and how they are played. Made by its sequencer. Any thread but the render thread.
///
/// What cannot be done is recorded with the engine of the sequencer, or with the sequencer where it has none, and
/// leaves the track as it was.
open class AVMusicTrack: NSObject {
    let track: MIDITrack
    private weak var sequencer: AVAudioSequencer?
    private let log: ErrorLog
    private let recorder: TrackRecorder

    init(_ track: MIDITrack, of sequencer: AVAudioSequencer) {
        (self.track, self.sequencer, log) = (track, sequencer, sequencer.errors)
        recorder = TrackRecorder(track)
    }

    private func recording(_ body: () throws -> Void) {
        do { try body() } catch let fault as SequenceError { log.record(OssicleError(fault)) } catch {
            log.record(error)
        }
    }

    private func refuse(_ value: String, _ rule: String, cure: String) {
        log.record(OssicleError.avfaudio(kAudio_ParamError, "AVMusicTrack", value: value, rule: rule, cure: cure))
    }

    // MARK: Recording

    func recordMessage(_ message: [UInt8], at hostTime: UInt64?) {
        guard let sequencer else { return }
        let beat = hostTime.flatMap { sequencer.isPlaying ? sequencer.beats(forHostTime: $0, error: nil) : nil }
        recording { try recorder.record(message, at: (beat ?? sequencer.currentPositionInBeats) - offsetTime) }
    }

    func finishMessages() {
        guard let sequencer else { return }
        recording { try recorder.finish(at: sequencer.currentPositionInBeats - offsetTime) }
    }

    // MARK: Destination

    /// The unit that plays the track, attached to the sequencer's engine; not to be set while it plays. Instruments and
    /// music effects of the client's take every event at its frame; built-in units take parameters, between render
    /// calls. Default `nil`: the instrument that was attached first.
    open var destinationAudioUnit: AVAudioUnit? {
        get {
            guard let nodes = sequencer?.engine?.attachedNodes else { return nil }
            let destination = track.settings.destination
            guard destination != .standard else { return nil }
            return nodes.lazy.compactMap { $0 as? AVAudioUnit }.first { $0.trackDestination == destination }
        }
        set {
            guard sequencer?.isPlaying != true else {
                return refuse(
                    "a destination while it plays", "A track keeps its destination while its sequencer plays.",
                    cure: "Call stop() first.")
            }
            guard let newValue else { return track.set(\.destination, .standard) }
            guard let engine = sequencer?.engine, newValue.engine === engine else {
                return refuse(
                    "\(newValue.title), which is not attached to the sequencer's engine",
                    "A track is played by a unit of the sequencer's engine.", cure: "Attach it first.")
            }
            track.set(\.destination, newValue.trackDestination)
        }
    }

    /// The MIDI endpoint that plays the track; 0 for none. It takes the place of a unit.
    open var destinationMIDIEndpoint: MIDIEndpointRef {
        get { if case .endpoint(let endpoint) = track.settings.destination { endpoint } else { 0 } }
        set { track.set(\.destination, newValue == 0 ? .standard : .endpoint(newValue)) }
    }

    // MARK: Loops

    /// The beats that are repeated. Default: the whole track.
    open var loopRange: AVBeatRange {
        get {
            switch track.settings.region {
            case .whole: AVBeatRange(start: 0, length: track.length)
            case .range(let start, let length): AVBeatRange(start: start, length: length)
            case .tail(let tail): AVBeatRange(start: max(track.length - tail, 0), length: tail)
            }
        }
        set {
            guard newValue.start >= 0, newValue.start <= MIDITrack.beats.upperBound, newValue.length > 0 else {
                return refuse(
                    "loopRange from \(newValue.start), \(newValue.length) long",
                    "A loop begins at beat 0 or later and has a length.",
                    cure: "Use AVMakeBeatRange(0, 4), for example.")
            }
            let length = min(newValue.length, max(track.length - newValue.start, 0))
            track.set(
                \.region, .range(start: newValue.start, length: newValue.length < 0x1p40 ? newValue.length : length))
        }
    }

    /// Whether `loopRange` is repeated. Default false.
    open var isLoopingEnabled: Bool {
        get { track.settings.isLooping }
        set { track.set(\.isLooping, newValue) }
    }

    /// How often the loop is played altogether: 1 or more, or `AVMusicTrackLoopCount.forever`, the default.
    open var numberOfLoops: Int {
        get { track.settings.loopCount == 0 ? AVMusicTrackLoopCount.forever.rawValue : track.settings.loopCount }
        set {
            guard newValue >= 1 || newValue == AVMusicTrackLoopCount.forever.rawValue else {
                return refuse(
                    "numberOfLoops \(newValue)", "A loop is played 1 or more times, or -1 for ever.",
                    cure: "Use such a number.")
            }
            track.set(\.loopCount, max(newValue, 0))
        }
    }

    // MARK: Time and level

    /// Beats by which the track begins later than the sequence. Default 0.
    open var offsetTime: AVMusicTimeStamp {
        get { track.settings.offset }
        set {
            guard MIDITrack.beats.contains(newValue) else {
                return refuse("offsetTime \(newValue)", "An offset is a number of beats.", cure: "Use such a number.")
            }
            track.set(\.offset, newValue)
        }
    }

    /// Whether the track is silent. Default false.
    open var isMuted: Bool {
        get { track.settings.isMuted }
        set { track.set(\.isMuted, newValue) }
    }

    /// Whether this track and others with it on are the only ones that are heard. Default false.
    open var isSoloed: Bool {
        get { track.settings.isSoloed }
        set { track.set(\.isSoloed, newValue) }
    }

    /// Beats: to the end of the last event, or what was set if that is more.
    open var lengthInBeats: AVMusicTimeStamp {
        get { track.length }
        set {
            guard newValue >= 0, MIDITrack.beats.contains(newValue) else {
                return refuse("lengthInBeats \(newValue)", "A length is 0 or more.", cure: "Use such a number.")
            }
            track.set(\.setLength, newValue)
        }
    }

    /// The length in seconds, by the tempo track.
    open var lengthInSeconds: TimeInterval {
        get { sequencer?.seconds(forBeats: track.length) ?? 0 }
        set { if let beats = sequencer?.beats(forSeconds: newValue) { lengthInBeats = beats } }
    }

    /// Ticks of a beat in a file; of the tempo track. Default 480.
    open var timeResolution: Int { Int(sequencer?.sequence.division.resolution ?? 480) }

    /// Whether the track holds parameters only, which glide from value to value. Default false; refused while there are
    /// other events.
    open var usesAutomatedParameters: Bool {
        get { track.settings.isAutomation }
        set {
            let hasOthers = track.events.contains { if case .parameter = $0.kind { false } else { true } }
            guard !newValue || !hasOthers else {
                return refuse(
                    "usesAutomatedParameters with other events", "Such a track holds parameter events only.",
                    cure: "Clear the others first.")
            }
            track.set(\.isAutomation, newValue)
        }
    }

    // MARK: Events

    /// Adds a copy of an event. Refused for a beat that is no number, and for an event that the track cannot have:
    /// tempi and time signatures are the tempo track's, and that has no others.
    open func addEvent(_ event: AVMusicEvent, at beat: AVMusicTimeStamp) {
        guard let kind = event.kind else {
            return refuse(
                "\(type(of: event))", "A track holds the events that AVFAudio has.", cure: "Use one of these.")
        }
        recording { try track.add(TrackEvent(beat: beat, kind)) }
    }

    /// Moves the events of a range by some beats.
    open func moveEvents(in range: AVBeatRange, by beatAmount: AVMusicTimeStamp) {
        recording { try track.moveEvents(in: try beats(range), by: beatAmount) }
    }

    /// Takes the events of a range out, and leaves a gap.
    open func clearEvents(in range: AVBeatRange) { recording { track.clearEvents(in: try beats(range)) } }

    /// Takes a range out, and closes the gap.
    open func cutEvents(in range: AVBeatRange) { recording { track.cutEvents(in: try beats(range)) } }

    /// Copies a range of another track to a beat here; what is there from that beat on makes room.
    open func copyEvents(
        in range: AVBeatRange, from sourceTrack: AVMusicTrack, insertAt insertStartBeat: AVMusicTimeStamp
    ) {
        recording {
            try track.copyEvents(in: try beats(range), from: sourceTrack.track, to: insertStartBeat, isInserted: true)
        }
    }

    /// Copies a range of another track to a beat here, among the events that are there.
    open func copyAndMergeEvents(
        in range: AVBeatRange, from sourceTrack: AVMusicTrack, mergeAt mergeStartBeat: AVMusicTimeStamp
    ) {
        recording {
            try track.copyEvents(in: try beats(range), from: sourceTrack.track, to: mergeStartBeat, isInserted: false)
        }
    }

    /// Gives the events of a range to `block`, as they were at the beginning. A changed beat or event is taken over,
    /// and an event is removed where the block sets the flag.
    open func enumerateEvents(in range: AVBeatRange, using block: AVMusicEventEnumerationBlock) {
        recording {
            let range = try beats(range)
            for event in track.events where range.contains(event.beat) {
                let shown = AVMusicEvent.make(event.kind), before = shown.kind
                var beat = event.beat, isRemoved = ObjCBool(false)
                block(shown, &beat, &isRemoved)
                if isRemoved.boolValue {
                    _ = track.remove(event.order, at: event.beat)
                    continue
                }
                if let kind = shown.kind, kind != before, !Self.isPreset(kind) {
                    _ = try track.replace(event.order, at: event.beat, with: kind)
                }
                if beat != event.beat { _ = try track.move(event.order, at: event.beat, to: beat) }
            }
        }
    }

    /// Presets are compared by identity, and each view of one has another.
    private static func isPreset(_ kind: TrackEvent.Kind) -> Bool { if case .preset = kind { true } else { false } }

    private func beats(_ range: AVBeatRange) throws -> Range<Double> {
        guard range.start.isFinite, range.length >= 0 else {
            throw OssicleError.avfaudio(
                kAudio_ParamError, "AVMusicTrack", value: "beats from \(range.start), \(range.length) long",
                rule: "A range begins at a beat and has 0 or more.", cure: "Use AVMakeBeatRange.")
        }
        return range.start..<max(min(range.start + range.length, MIDITrack.beats.upperBound.nextUp), range.start)
    }
}
