// Numbers of the voice isolation, which is not built in.

/// Wet/dry mix: 0...100 %, default 100.
public let kAUSoundIsolationParam_WetDryMixPercent: AudioUnitParameterID = 0
/// Sound to isolate: 1...1, default 1.
public let kAUSoundIsolationParam_SoundToIsolate: AudioUnitParameterID = 1
