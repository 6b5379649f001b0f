@_exported import OssiclePHASE
