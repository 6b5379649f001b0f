extension DeviceList {
    /// What changed since an older list: what came and what went, then the defaults.
    func changes(since old: DeviceList) -> [RouteChange] {
        let directions: [DeviceInfo.Direction] = [.output, .input]
        let arrivals = directions.flatMap { direction in DeviceList.names(in: self[direction], butNotIn: old[direction]).map(RouteChange.added) }
        let departures = directions.flatMap { direction in DeviceList.names(in: old[direction], butNotIn: self[direction]).map(RouteChange.removed) }
        return arrivals + departures + directions.compactMap { defaultChange($0, since: old) }
    }

    /// Which device became the default of a direction; nil if it stayed. Between the end of a default and the naming of the next the
    /// server has none: that is no change yet as long as there are devices.
    func defaultChange(_ direction: DeviceInfo.Direction, since old: DeviceList) -> RouteChange? {
        let id = self.default(direction)?.id
        guard id != old.default(direction)?.id, id != nil || self[direction].isEmpty else { return nil }
        switch direction {
        case .output: return .defaultOutput(id)
        case .input: return .defaultInput(id)
        }
    }

    private static func names(in some: [DeviceInfo], butNotIn others: [DeviceInfo]) -> [String] {
        let known = Set(others.map(\.id))
        return some.map(\.id).filter { !known.contains($0) }
    }
}
