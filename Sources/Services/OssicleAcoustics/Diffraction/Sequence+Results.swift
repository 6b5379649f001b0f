extension Sequence {
    /// The first results that are not nil, each element asked once and none beyond: the prefix of a lazy collection asks some twice.
    func results<Result>(atMost count: Int, _ result: (Element) -> Result?) -> [Result] {
        var results: [Result] = []
        for element in self {
            guard results.count < count else { break }
            if let result = result(element) { results.append(result) }
        }
        return results
    }
}
