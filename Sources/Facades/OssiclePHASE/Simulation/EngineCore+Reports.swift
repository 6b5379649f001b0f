/// What one may see of the inside.
extension EngineCore {
    var directPathReports: [PHASEDirectPathReport] { paths.reports }

    func takeMeters() -> PHASEMeters { locked { output?.main.takeMeters() ?? .nothing } }
}
