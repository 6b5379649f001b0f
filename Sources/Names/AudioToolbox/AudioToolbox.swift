@_exported import OssicleAVFAudio
@_exported import OssicleAudioToolbox
