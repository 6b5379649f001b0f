import OssicleAudioToolbox
import OssicleCoreAudioTypes

/// What a unit is told and keeps.
struct UnitSettings {
    var maximumFrames: AUAudioFrameCount = 512
    var preset: AUAudioUnitPreset?
    var isBypassed = false
    var quality = 127
    var isOffline = false
    var channelMap: [NSNumber]?
    var contextName: String?
    var musicalContext: AUHostMusicalContextBlock?
    var transportState: AUHostTransportStateBlock?
    var midiOutput: AUMIDIOutputEventBlock?
    var midiOutputList: AUMIDIEventListBlock?
    var midiOutputBufferSize = 0
    var hostProtocol = MIDIProtocolID._1_0
    var outputProvider: AURenderPullInputBlock?
    var inputHandler: AUInputHandler?
    var isInputEnabled = false
    var isOutputEnabled = true
}
