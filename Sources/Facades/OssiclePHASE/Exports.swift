// `import PHASE` alone brings all that PHASE's own signatures need.
@_exported import Foundation
@_exported import OssicleAVFAudio
@_exported import OssicleModelIO
@_exported import OssicleSIMD
