// Blocks that receive MIDI.

/// Receives a list of packets, and what the source was connected with.
public typealias MIDIReadBlock = (UnsafePointer<MIDIPacketList>, UnsafeMutableRawPointer?) -> Void
/// Receives a list of events, and what the source was connected with.
public typealias MIDIReceiveBlock = (UnsafePointer<MIDIEventList>, UnsafeMutableRawPointer?) -> Void
