// What a file says about itself, item by item.

import Foundation
import OssicleFiles

/// One statement of a file about its content. Immutable; any thread.
open class AVMetadataItem: NSObject, @unchecked Sendable {
    /// Which statement, across all kinds of files.
    public let identifier: AVMetadataIdentifier?
    /// Which statement, for those that every kind of file knows.
    public let commonKey: AVMetadataKey?
    /// The text.
    public let stringValue: String?

    init(_ identifier: AVMetadataIdentifier, _ key: AVMetadataKey, _ text: String) {
        self.identifier = identifier
        commonKey = key
        stringValue = text
        super.init()
    }

    /// The value; a text.
    open var value: (any NSCopying & NSObjectProtocol)? { stringValue.map { NSString(string: $0) } }

    /// The value as a number; `nil` when it is none.
    open var numberValue: NSNumber? { stringValue.flatMap { Double($0) }.map { NSNumber(value: $0) } }

    /// The text; it is in memory already.
    public func load<Value>(_ property: AVAsyncProperty<AVMetadataItem, Value>) async throws -> Value {
        property.value(self)
    }

    /// Those of `items` that say `identifier`.
    @discardableResult
    open class func metadataItems(
        from items: [AVMetadataItem], filteredByIdentifier identifier: AVMetadataIdentifier
    ) -> [AVMetadataItem] {
        items.filter { $0.identifier == identifier }
    }

    /// Identifier and text.
    open override var description: String { "<AVMetadataItem: \(identifier?.rawValue ?? "?") = \(stringValue ?? "")>" }

    static func items(_ metadata: AudioMetadata) -> [AVMetadataItem] {
        let statements: [(AVMetadataIdentifier, AVMetadataKey, String?)] = [
            (.commonIdentifierTitle, .commonKeyTitle, metadata.title),
            (.commonIdentifierArtist, .commonKeyArtist, metadata.artist),
            (.commonIdentifierAlbumName, .commonKeyAlbumName, metadata.album),
            (.commonIdentifierDescription, .commonKeyDescription, metadata.comment),
            (.commonIdentifierCreationDate, .commonKeyCreationDate, metadata.date),
            (.commonIdentifierType, .commonKeyType, metadata.genre),
            (.commonIdentifierCopyrights, .commonKeyCopyrights, metadata.copyright),
            (.commonIdentifierSoftware, .commonKeySoftware, metadata.encodingApplication),
        ]
        return statements.compactMap { identifier, key, text in text.map { AVMetadataItem(identifier, key, $0) } }
    }
}

/// Names a statement across all kinds of files.
public struct AVMetadataIdentifier: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The title.
    public static let commonIdentifierTitle = AVMetadataIdentifier(rawValue: "common/title")
    /// Who performs it.
    public static let commonIdentifierArtist = AVMetadataIdentifier(rawValue: "common/artist")
    /// The album.
    public static let commonIdentifierAlbumName = AVMetadataIdentifier(rawValue: "common/albumName")
    /// A description or comment.
    public static let commonIdentifierDescription = AVMetadataIdentifier(rawValue: "common/description")
    /// When it was made, as the file says it.
    public static let commonIdentifierCreationDate = AVMetadataIdentifier(rawValue: "common/creationDate")
    /// What kind it is: the genre.
    public static let commonIdentifierType = AVMetadataIdentifier(rawValue: "common/type")
    /// Who has the rights.
    public static let commonIdentifierCopyrights = AVMetadataIdentifier(rawValue: "common/copyrights")
    /// The program that wrote it.
    public static let commonIdentifierSoftware = AVMetadataIdentifier(rawValue: "common/software")
}

/// Names a statement that every kind of file knows.
public struct AVMetadataKey: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The title.
    public static let commonKeyTitle = AVMetadataKey(rawValue: "title")
    /// Who performs it.
    public static let commonKeyArtist = AVMetadataKey(rawValue: "artist")
    /// The album.
    public static let commonKeyAlbumName = AVMetadataKey(rawValue: "albumName")
    /// A description or comment.
    public static let commonKeyDescription = AVMetadataKey(rawValue: "description")
    /// When it was made, as the file says it.
    public static let commonKeyCreationDate = AVMetadataKey(rawValue: "creationDate")
    /// What kind it is: the genre.
    public static let commonKeyType = AVMetadataKey(rawValue: "type")
    /// Who has the rights.
    public static let commonKeyCopyrights = AVMetadataKey(rawValue: "copyrights")
    /// The program that wrote it.
    public static let commonKeySoftware = AVMetadataKey(rawValue: "software")
}
