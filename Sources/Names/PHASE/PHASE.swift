@_exported import OssicleAVFoundation
@_exported import OssiclePHASE
