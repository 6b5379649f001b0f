@_exported import OssicleAVFAudio
@_exported import OssicleAVFoundation
@_exported import OssicleAudioToolbox
