@_exported import OssicleCoreAudioTypes
@_exported import OssicleCoreMIDI
