import Foundation

/// What clients can set and call, as the sources declare it: "Owner.member", overloads once.
///
/// Reads lines, as `swift format` leaves them: types begin in the first column, their members behind four blanks, those
/// of a nested type behind eight.
enum PublicMembers {
    /// - Parameter folders: below `Sources/Facades`.
    static func mutating(in folders: [String]) throws -> Set<String> {
        let facades = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Sources/Facades")
        var found: Set<String> = []
        for folder in folders {
            let root = facades.appendingPathComponent(folder)
            guard let files = FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil) else {
                continue
            }
            for case let file as URL in files where file.pathExtension == "swift" {
                found.formUnion(members(of: try String(contentsOf: file, encoding: .utf8)))
            }
        }
        return found
    }

    static func members(of source: String) -> Set<String> {
        let lines = source.split(separator: "\n", omittingEmptySubsequences: false)
        var (owner, nested): (String?, String?) = (nil, nil)
        var found: Set<String> = []
        for (index, line) in lines.enumerated() {
            if let type = line.firstMatch(
                of: #/^(?<before>[a-z@()]*( [a-z]+)*?) ?\b(class|struct|enum|protocol|extension) (?<name>[\w.]+)/#),
                !line.hasPrefix(" ")
            {
                let additions = line.firstMatch(of: #/where Self: (\w+)/#)
                let isOpen = line.hasPrefix("extension") || line.contains("public ") || line.contains("open ")
                owner =
                    isOpen
                    ? additions.map { String($0.1) } ?? type.name.split(separator: ".").last.map(String.init) : nil
                nested = nil
            } else if let type = line.firstMatch(of: #/^    (?<before>[a-z ]*)(class|struct|enum) (?<name>\w+).*\{$/#) {
                nested = type.before.contains("public") || type.before.contains("open") ? String(type.name) : ""
            } else if line == "    }" {
                nested = nil
            }
            guard let owner, let member = line.firstMatch(of: Self.member) else { continue }
            let holder = member.indent.count == 4 ? owner : nested ?? ""
            guard !holder.isEmpty,
                member.kind == "func" || isSettable(member.rest, member.indent, lines[(index + 1)...])
            else { continue }
            found.insert("\(holder).\(member.name)")
        }
        return found
    }

    nonisolated(unsafe) private static let member =
        #/^(?<indent>    (?:    )?)(?:@\w+ )*(?:open|public) (?:(?:override|final|nonisolated|weak|mutating) )*(?<kind>var|func) (?<name>\w+)(?<rest>.*)$/#

    private static func isSettable(_ rest: Substring, _ indent: Substring, _ body: ArraySlice<Substring>) -> Bool {
        guard rest.hasSuffix("{") else { return !rest.contains("{") || rest.contains(#/\bset\b/#) }
        return body.prefix { $0 != indent + "}" }.contains {
            $0.contains(#/^\s*(nonmutating )?(set|didSet|willSet)\b/#)
        }
    }
}
