extension PHASEObject: OssicleAdditions {}

extension OssicleAdditions where Self: PHASEObject {
    /// What reports and error messages call this object (an addition of Ossicle). Default: its kind and number, as “Source 3”.
    public var name: String {
        get { core.requested { core.names[number] } ?? "\(kind) \(number)" }
        set { core.requested { core.names[number] = newValue } }
    }

    var reportName: String { "“\(name)”" }
}
