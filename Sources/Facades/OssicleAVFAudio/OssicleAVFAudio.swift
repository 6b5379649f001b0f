@_exported import Foundation
@_exported import OssicleAudioToolbox
@_exported import OssicleCoreAudioTypes
