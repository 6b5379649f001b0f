import Foundation
import OssicleResponses

/// Where a map goes: checked before the work begins, and each file in its place only when it is whole.
struct MapFiles {
    private let picture: String
    private let csv, json: String?
    private let overwrites: Bool

    init(picture: String, csv: String?, json: String?, overwrites: Bool) throws {
        (self.picture, self.csv, self.json, self.overwrites) = (picture, csv, json, overwrites)
        for (path, ending, option) in [(picture, "svg", "--output"), (csv, "csv", "--csv"), (json, "json", "--json")] {
            guard let path else { continue }
            _ = try OutputFile(path)
            guard (path as NSString).pathExtension.lowercased() == ending else {
                throw ToolError("\(path) is not .\(ending): give \(option) a name with that ending.")
            }
            guard overwrites || !FileSystem.exists(path) else {
                throw ToolError("\(path) exists: give --overwrite to replace it.")
            }
        }
    }

    /// Writes all, and returns the picture's digest.
    func write(_ map: AcousticMap) throws -> String {
        if let csv { try put(map.csv, at: csv) }
        if let json { try put(try JSONText.document(map) + "\n", at: json) }
        return try put(MapPicture(map: map).svg, at: picture)
    }

    @discardableResult
    private func put(_ text: String, at path: String) throws -> String {
        try UnfinishedFile.put(path, overwriting: overwrites) {
            try Data(text.utf8).write(to: URL(fileURLWithPath: $0))
        }
    }
}
