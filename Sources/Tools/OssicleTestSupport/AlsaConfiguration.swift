import Foundation

/// A configuration of ALSA's with devices that need no hardware, for the whole process.
///
///     nowhere, coarse            throw sound away, the latter in 16 bits
///     store, stated, tall        write it to files of their names, the last two with maps of six and twelve channels
///     eight, twelve              have that many channels and no others, a map, and files eight.raw and twelve.raw
///     replay                     plays tall.raw
///     lawful, pair, private      refuse
public enum AlsaConfiguration {
    /// Where the files are; nil if it could not be made.
    public static let folder: URL? = {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("ossicle-alsa-\(getpid())")
        let seven = "FL,FR,RL,RR,FC,LFE,SL,SR"
        let text = """
            pcm.nowhere { type null hint { show on description "Nowhere at all" } }
            pcm.coarse { type linear slave { pcm "nowhere" format S16_LE } }
            pcm.front { type null chmap [ "FL,FR,FC,LFE,SL,SR" ] }
            pcm.stated { type file slave.pcm "front" file "\(folder.path)/stated.raw" format "raw" }
            pcm.store { type file slave.pcm "nowhere" file "\(folder.path)/store.raw" format "raw" }
            pcm.heights { type null chmap [ "\(seven),TFL,TFR,TRL,TRR" ] }
            pcm.tall { type file slave.pcm "heights" file "\(folder.path)/tall.raw" format "raw" }
            pcm.replay {
                type file slave.pcm "heights" file "/dev/null" infile "\(folder.path)/tall.raw" format "raw"
            }
            pcm.lawful { type alaw slave { pcm "nowhere" format S16_LE } }
            pcm.pair {
                type multi slaves.a { pcm "nowhere" channels 2 }
                bindings [ { slave a channel 0 } { slave a channel 1 } ]
            }
            pcm.private {
                type file slave.pcm "nowhere" file "/dev/null" infile "\(folder.path)/private/sound.raw" format "raw"
            }
            pcm.ring { type null chmap [ "\(seven)" ] }
            \(fixed("eight", over: "ring", channels: 8, in: folder))
            \(fixed("twelve", over: "heights", channels: 12, in: folder))
            """
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try text.write(to: folder.appendingPathComponent("asound.conf"), atomically: true, encoding: .utf8)
        } catch {
            return nil
        }
        setenv("ALSA_CONFIG_PATH", folder.appendingPathComponent("asound.conf").path, 1)
        return folder
    }()

    /// Of one number of channels, as hardware is that has no other.
    private static func fixed(_ name: String, over map: String, channels: Int, in folder: URL) -> String {
        let bindings = (0..<channels).map { "{ slave a channel \($0) }" }.joined(separator: " ")
        return """
            pcm.\(name)_file { type file slave.pcm "\(map)" file "\(folder.path)/\(name).raw" format "raw" }
            pcm.\(name) { type multi slaves.a { pcm "\(name)_file" channels \(channels) } bindings [ \(bindings) ] }
            """
    }
}
