import OssicleProperties

/// The handles under which C interfaces know sequences and tracks. Here, because the facade that has the interface and the
/// one whose engine plays a sequence both need the object behind a handle.
package enum SequenceHandles {
    package static let sequences = HandleTable<MIDISequence>()
    package static let tracks = HandleTable<MIDITrack>()

    /// Ends a sequence's handle and those of its tracks; `false` for a handle that is not there.
    package static func remove(_ handle: OpaquePointer) -> Bool {
        guard let sequence = sequences.remove(handle) else { return false }
        for track in sequence.tracks + [sequence.tempoTrack] { forget(track) }
        return true
    }

    /// Ends the handle of a track that was taken out.
    package static func forget(_ track: MIDITrack) {
        if let handle = tracks.handle(of: track) { tracks.remove(handle) }
    }

    /// The sequence of a track that has a handle.
    package static func sequence(of track: MIDITrack) -> OpaquePointer? {
        sequences.first { $0.owns(track) }.flatMap { sequences.handle(of: $0) }
    }
}
