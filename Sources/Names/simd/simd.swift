@_exported import OssicleSIMD
