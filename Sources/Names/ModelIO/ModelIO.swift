@_exported import OssicleModelIO
