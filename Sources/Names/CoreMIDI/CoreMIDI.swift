@_exported import OssicleCoreMIDI
