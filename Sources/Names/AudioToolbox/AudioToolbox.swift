@_exported import OssicleAudioToolbox
