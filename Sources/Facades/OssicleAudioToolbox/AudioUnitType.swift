// Types of audio components: what a unit does in a graph.

import OssicleCoreAudioTypes

/// Output (`auou`): device or generic output.
public let kAudioUnitType_Output: OSType = 0x61756F75
/// Music device (`aumu`): instrument, MIDI in, audio out.
public let kAudioUnitType_MusicDevice: OSType = 0x61756D75
/// Music effect (`aumf`): effect with MIDI.
public let kAudioUnitType_MusicEffect: OSType = 0x61756D66
/// Format converter (`aufc`): rate/layout/time conversion.
public let kAudioUnitType_FormatConverter: OSType = 0x61756663
/// Effect (`aufx`): audio in, audio out.
public let kAudioUnitType_Effect: OSType = 0x61756678
/// Mixer (`aumx`): n to 1.
public let kAudioUnitType_Mixer: OSType = 0x61756D78
/// Panner (`aupn`).
public let kAudioUnitType_Panner: OSType = 0x6175706E
/// Generator (`augn`): no input.
public let kAudioUnitType_Generator: OSType = 0x6175676E
/// Offline effect (`auol`): not real time.
public let kAudioUnitType_OfflineEffect: OSType = 0x61756F6C
/// MIDI processor (`aumi`): MIDI to MIDI.
public let kAudioUnitType_MIDIProcessor: OSType = 0x61756D69
/// Speech synthesizer (`ausp`).
public let kAudioUnitType_SpeechSynthesizer: OSType = 0x61757370
/// Remote effect (`aurx`).
public let kAudioUnitType_RemoteEffect: OSType = 0x61757278
/// Remote generator (`aurg`).
public let kAudioUnitType_RemoteGenerator: OSType = 0x61757267
/// Remote instrument (`auri`).
public let kAudioUnitType_RemoteInstrument: OSType = 0x61757269
/// Remote music effect (`aurm`).
public let kAudioUnitType_RemoteMusicEffect: OSType = 0x6175726D
/// Apple (`appl`).
public let kAudioUnitManufacturer_Apple: OSType = 0x6170706C
