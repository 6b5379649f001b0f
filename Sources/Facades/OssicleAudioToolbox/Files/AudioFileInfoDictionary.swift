// The keys of a file's dictionary of facts, and the dictionary.

import OssicleFiles

/// Name of the album.
public let kAFInfoDictionary_Album: String = "album"
/// Length.
public let kAFInfoDictionary_ApproximateDurationInSeconds: String = "approximate duration in seconds"
/// Who performs.
public let kAFInfoDictionary_Artist: String = "artist"
/// The roles of the channels.
public let kAFInfoDictionary_ChannelLayout: String = "channel layout"
/// Remarks.
public let kAFInfoDictionary_Comments: String = "comments"
/// Who composed.
public let kAFInfoDictionary_Composer: String = "composer"
/// Whose work it is.
public let kAFInfoDictionary_Copyright: String = "copyright"
/// The program that wrote the file.
public let kAFInfoDictionary_EncodingApplication: String = "encoding application"
/// Kind of content.
public let kAFInfoDictionary_Genre: String = "genre"
/// International standard recording code.
public let kAFInfoDictionary_ISRC: String = "ISRC"
/// Musical key.
public let kAFInfoDictionary_KeySignature: String = "key signature"
/// Who wrote the words.
public let kAFInfoDictionary_Lyricist: String = "lyricist"
/// Bits per second.
public let kAFInfoDictionary_NominalBitRate: String = "nominal bit rate"
/// When it was recorded.
public let kAFInfoDictionary_RecordedDate: String = "recorded date"
/// Bits of a sample before it was coded.
public let kAFInfoDictionary_SourceBitDepth: String = "source bit depth"
/// The encoder.
public let kAFInfoDictionary_SourceEncoder: String = "source encoder"
/// Second title.
public let kAFInfoDictionary_SubTitle: String = "subtitle"
/// Beats per minute.
public let kAFInfoDictionary_Tempo: String = "tempo"
/// Beats of a bar.
public let kAFInfoDictionary_TimeSignature: String = "time signature"
/// Name.
public let kAFInfoDictionary_Title: String = "title"
/// Number on the album.
public let kAFInfoDictionary_TrackNumber: String = "track number"
/// Year.
public let kAFInfoDictionary_Year: String = "year"

extension AudioMetadata {
    /// What each key stands for here.
    private static var places: [(key: String, place: WritableKeyPath<AudioMetadata, String?>)] {
        [
            (kAFInfoDictionary_Title, \.title), (kAFInfoDictionary_Artist, \.artist),
            (kAFInfoDictionary_Album, \.album),
            (kAFInfoDictionary_Comments, \.comment), (kAFInfoDictionary_Year, \.date),
            (kAFInfoDictionary_Genre, \.genre),
            (kAFInfoDictionary_TrackNumber, \.trackNumber), (kAFInfoDictionary_Copyright, \.copyright),
            (kAFInfoDictionary_EncodingApplication, \.encodingApplication),
        ]
    }

    /// The facts as a dictionary of strings; `duration` in seconds is left out where it is not known.
    func dictionary(duration: Double?) -> NSDictionary {
        let dictionary = NSMutableDictionary()
        for (key, place) in Self.places {
            if let value = self[keyPath: place] {
                dictionary.setObject(NSString(string: value), forKey: NSString(string: key))
            }
        }
        if let duration, duration.isFinite {
            let seconds = NSString(string: "\((duration * 1000).rounded() / 1000)")
            dictionary.setObject(seconds, forKey: NSString(string: kAFInfoDictionary_ApproximateDurationInSeconds))
        }
        return dictionary
    }

    /// The facts in a dictionary; keys that have no place here are left out.
    init(_ dictionary: NSDictionary) {
        self.init()
        for (key, place) in Self.places {
            switch dictionary.object(forKey: NSString(string: key)) {
            case let text as String: self[keyPath: place] = text
            case let number as NSNumber: self[keyPath: place] = number.stringValue
            default: break
            }
        }
    }
}
