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

/// Generic output (`genr`): pull rendering, no device.
public let kAudioUnitSubType_GenericOutput: OSType = 0x67656E72
/// Voice processing IO (`vpio`): echo cancelling duplex.
public let kAudioUnitSubType_VoiceProcessingIO: OSType = 0x7670696F
/// HAL output (`ahal`): default way to a device.
public let kAudioUnitSubType_HALOutput: OSType = 0x6168616C
/// Default output (`def `): user default output.
public let kAudioUnitSubType_DefaultOutput: OSType = 0x64656620
/// System output (`sys `): alerts.
public let kAudioUnitSubType_SystemOutput: OSType = 0x73797320
/// Remote IO (`rioc`): way to the device.
public let kAudioUnitSubType_RemoteIO: OSType = 0x72696F63
/// DLS synth (`dls `): GM synth.
public let kAudioUnitSubType_DLSSynth: OSType = 0x646C7320
/// Sampler (`samp`): behind AVAudioUnitSampler.
public let kAudioUnitSubType_Sampler: OSType = 0x73616D70
/// MIDI synth (`msyn`): multitimbral bank synth.
public let kAudioUnitSubType_MIDISynth: OSType = 0x6D73796E
/// AU converter (`conv`).
public let kAudioUnitSubType_AUConverter: OSType = 0x636F6E76
/// Varispeed (`vari`): behind AVAudioUnitVarispeed.
public let kAudioUnitSubType_Varispeed: OSType = 0x76617269
/// Deferred renderer (`defr`).
public let kAudioUnitSubType_DeferredRenderer: OSType = 0x64656672
/// Splitter (`splt`).
public let kAudioUnitSubType_Splitter: OSType = 0x73706C74
/// Multi splitter (`mspl`).
public let kAudioUnitSubType_MultiSplitter: OSType = 0x6D73706C
/// Merger (`merg`).
public let kAudioUnitSubType_Merger: OSType = 0x6D657267
/// New time pitch (`nutp`): behind AVAudioUnitTimePitch.
public let kAudioUnitSubType_NewTimePitch: OSType = 0x6E757470
/// AU iPod time other (`ipto`).
public let kAudioUnitSubType_AUiPodTimeOther: OSType = 0x6970746F
/// Round trip AAC (`raac`).
public let kAudioUnitSubType_RoundTripAAC: OSType = 0x72616163
/// Time pitch (`tmpt`).
public let kAudioUnitSubType_TimePitch: OSType = 0x746D7074
/// AU iPod time (`iptm`).
public let kAudioUnitSubType_AUiPodTime: OSType = 0x6970746D
/// Peak limiter (`lmtr`).
public let kAudioUnitSubType_PeakLimiter: OSType = 0x6C6D7472
/// Dynamics processor (`dcmp`).
public let kAudioUnitSubType_DynamicsProcessor: OSType = 0x64636D70
/// Low pass filter (`lpas`).
public let kAudioUnitSubType_LowPassFilter: OSType = 0x6C706173
/// High pass filter (`hpas`).
public let kAudioUnitSubType_HighPassFilter: OSType = 0x68706173
/// Band pass filter (`bpas`).
public let kAudioUnitSubType_BandPassFilter: OSType = 0x62706173
/// High shelf filter (`hshf`).
public let kAudioUnitSubType_HighShelfFilter: OSType = 0x68736866
/// Low shelf filter (`lshf`).
public let kAudioUnitSubType_LowShelfFilter: OSType = 0x6C736866
/// Parametric EQ (`pmeq`).
public let kAudioUnitSubType_ParametricEQ: OSType = 0x706D6571
/// Distortion (`dist`): behind AVAudioUnitDistortion.
public let kAudioUnitSubType_Distortion: OSType = 0x64697374
/// Delay (`dely`): behind AVAudioUnitDelay.
public let kAudioUnitSubType_Delay: OSType = 0x64656C79
/// Sample delay (`sdly`).
public let kAudioUnitSubType_SampleDelay: OSType = 0x73646C79
/// N-band EQ (`nbeq`): behind AVAudioUnitEQ.
public let kAudioUnitSubType_NBandEQ: OSType = 0x6E626571
/// Reverb 2 (`rvb2`): behind AVAudioUnitReverb.
public let kAudioUnitSubType_Reverb2: OSType = 0x72766232
/// AU sound isolation (`vois`): voice isolation.
public let kAudioUnitSubType_AUSoundIsolation: OSType = 0x766F6973
/// Graphic EQ (`greq`).
public let kAudioUnitSubType_GraphicEQ: OSType = 0x67726571
/// Multi band compressor (`mcmp`).
public let kAudioUnitSubType_MultiBandCompressor: OSType = 0x6D636D70
/// Matrix reverb (`mrev`).
public let kAudioUnitSubType_MatrixReverb: OSType = 0x6D726576
/// Pitch (`tmpt`).
public let kAudioUnitSubType_Pitch: OSType = 0x746D7074
/// AU filter (`filt`).
public let kAudioUnitSubType_AUFilter: OSType = 0x66696C74
/// Net send (`nsnd`).
public let kAudioUnitSubType_NetSend: OSType = 0x6E736E64
/// Roger beep (`rogr`).
public let kAudioUnitSubType_RogerBeep: OSType = 0x726F6772
/// AU iPod EQ (`ipeq`).
public let kAudioUnitSubType_AUiPodEQ: OSType = 0x69706571
/// Multi channel mixer (`mcmx`): behind AVAudioMixerNode.
public let kAudioUnitSubType_MultiChannelMixer: OSType = 0x6D636D78
/// Matrix mixer (`mxmx`).
public let kAudioUnitSubType_MatrixMixer: OSType = 0x6D786D78
/// Spatial mixer (`3dem`): behind AVAudioEnvironmentNode.
public let kAudioUnitSubType_SpatialMixer: OSType = 0x3364656D
/// Stereo mixer (`smxr`).
public let kAudioUnitSubType_StereoMixer: OSType = 0x736D7872
/// 3D mixer (`3dmx`).
public let kAudioUnitSubType_3DMixer: OSType = 0x33646D78
/// AU3D mixer embedded (`3dem`).
public let kAudioUnitSubType_AU3DMixerEmbedded: OSType = 0x3364656D
/// Spherical head panner (`sphr`).
public let kAudioUnitSubType_SphericalHeadPanner: OSType = 0x73706872
/// Vector panner (`vbas`).
public let kAudioUnitSubType_VectorPanner: OSType = 0x76626173
/// Sound field panner (`ambi`).
public let kAudioUnitSubType_SoundFieldPanner: OSType = 0x616D6269
/// HRTF panner (`hrtf`).
public let kAudioUnitSubType_HRTFPanner: OSType = 0x68727466
/// Net receive (`nrcv`).
public let kAudioUnitSubType_NetReceive: OSType = 0x6E726376
/// Scheduled sound player (`sspl`): slices of memory, behind AVAudioPlayerNode.
public let kAudioUnitSubType_ScheduledSoundPlayer: OSType = 0x7373706C
/// Audio file player (`afpl`): file regions.
public let kAudioUnitSubType_AudioFilePlayer: OSType = 0x6166706C
/// AU audio mix (`amix`).
public let kAudioUnitSubType_AUAudioMix: OSType = 0x616D6978
