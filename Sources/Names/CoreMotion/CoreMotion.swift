@_exported import OssicleCoreMotion
