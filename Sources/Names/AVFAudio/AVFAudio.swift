@_exported import OssicleAVFAudio
