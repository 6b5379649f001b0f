// What every command writes with: text, tables and pictures, and the words of measurements.
@_exported import OssicleAnalysis
@_exported import OssicleReports
