#pragma once
#include <stdint.h>

// The packets of Core MIDI as they lie in memory. Swift has no packing to four bytes, so the structures are C's: their fields are stored
// ones, at the offsets that code written for Core MIDI computes with.

/// Which MIDI protocol a stream speaks.
typedef enum __attribute__((enum_extensibility(open))) MIDIProtocolID : int32_t {
    /// MIDI 1.0 messages.
    kMIDIProtocol_1_0 __attribute__((swift_name("_1_0"))) = 1,
    /// MIDI 2.0 messages.
    kMIDIProtocol_2_0 __attribute__((swift_name("_2_0"))) = 2
} MIDIProtocolID;

#pragma pack(push, 4)

/// MIDI 1.0 messages with one time: whole messages, or a part of one system exclusive message; no running status. Longer contents run on in
/// memory. Packets lie one behind the other in a `MIDIPacketList`, each at a multiple of four bytes.
typedef struct MIDIPacket {
    /// Host time at which the messages apply; 0 means now.
    uint64_t timeStamp;
    /// Number of valid bytes, which may exceed 256 in a list that has the room.
    uint16_t length;
    /// The bytes.
    uint8_t data[256];
} MIDIPacket;

/// The head of a list of packets. Further packets follow the first in memory; reach them by `MIDIPacketNext(_:)`.
typedef struct MIDIPacketList {
    /// Number of packets.
    uint32_t numPackets;
    /// The first packet.
    MIDIPacket packet[1];
} MIDIPacketList;

/// MIDI messages with one time, as words of the Universal MIDI Packet format. Packets lie one behind the other in a `MIDIEventList`.
typedef struct MIDIEventPacket {
    /// Host time at which the messages apply; 0 means now.
    uint64_t timeStamp;
    /// Number of valid words, at most 64.
    uint32_t wordCount;
    /// The words: whole messages.
    uint32_t words[64];
} MIDIEventPacket;

/// The head of a list of packets. Further packets follow the first in memory; reach them by `MIDIEventPacketNext(_:)`.
typedef struct MIDIEventList {
    /// The protocol of the messages.
    MIDIProtocolID protocol;
    /// Number of packets.
    uint32_t numPackets;
    /// The first packet.
    MIDIEventPacket packet[1];
} MIDIEventList;

#pragma pack(pop)
