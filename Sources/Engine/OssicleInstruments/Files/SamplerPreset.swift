import Foundation
import OssicleCore
import OssicleFiles
import OssicleRender

/// A preset of Apple's sampler (.aupreset): a property list with the instrument's layers of zones, and the paths of its
/// samples. Of layers their zones, gain, first envelope, low pass and trigger mode are read, as far as Apple's notes
/// and public presets show them; other filters, and connections beyond the usual ones, are left out.
struct SamplerPreset {
    private let layers: [[String: Any]]
    private let references: [String: String]
    private let name: String
    private let path: String
    private static let mostBytes = 32 << 20

    /// `nil` for a file that is no property list.
    init?(_ file: RIFFFile, _ path: String) throws(InstrumentError) {
        guard file.byteCount <= Self.mostBytes else { return nil }
        let head = try file.bytes(0..<64)
        guard head.starts(with: Array("bplist".utf8)) || head.contains(UInt8(ascii: "<")) && !head.contains(0) else {
            return nil
        }
        let data = Data(try file.bytes(0..<file.byteCount))
        guard
            let list = try? PropertyListSerialization.propertyList(from: data, options: [], format: nil)
                as? [String: Any]
        else { return nil }
        guard let read = SamplerPreset(list, path) else {
            throw file.fault(
                .unsupported, "a property list without layers of zones",
                "A preset of the sampler has them under \"Instrument\".", cure: "Save the preset in the sampler.")
        }
        self = read
    }

    /// A preset's property list; `nil` where it has no layers.
    init?(_ list: [String: Any], _ path: String) {
        guard let instrument = list["Instrument"] as? [String: Any],
            let layers = instrument["Layers"] as? [[String: Any]]
        else { return nil }
        self.layers = layers
        references = (list["file-references"] as? [String: Any])?.compactMapValues { $0 as? String } ?? [:]
        name = list["name"] as? String ?? instrument["name"] as? String ?? InstrumentFile.name(of: path)
        self.path = path
    }

    func instrument() throws(InstrumentError) -> Instrument {
        var draft = InstrumentDraft(), files = SampleFiles(path)
        draft.programs = [.init(bank: 0, number: 0, name: name)]
        for layer in layers {
            if let kind = filter(of: layer).flatMap({ Self.number($0["type"]) }), kind != Self.lowPass {
                draft.warn("a filter of kind \(kind)")
            }
            for entry in layer["Zones"] as? [[String: Any]] ?? [] where !draft.isFull {
                guard Self.number(entry["enabled"]) != 0, let waveform = Self.number(entry["waveform"]) else {
                    continue
                }
                guard let named = references["Sample:\(Int(clamping: waveform))"] else {
                    draft.warn("a zone of sample \(waveform), which has no path")
                    continue
                }
                for zone in files.zones(zone(entry, of: layer), named) {
                    draft.add(zone, modulators: ZoneModulator.plain)
                }
            }
        }
        return try files.finish(draft, named: name)
    }

    private func zone(_ entry: [String: Any], of layer: [String: Any]) -> InstrumentZone {
        func key(_ name: String, _ otherwise: Double) -> UInt8 {
            UInt8(min(max(Self.number(entry[name]) ?? otherwise, 0), 127))
        }
        var zone = InstrumentZone()
        zone.rootPitch = Float(key("root key", 60)) * 100
        (zone.lowKey, zone.highKey) = (key("min key", 0), key("max key", 127))
        (zone.lowVelocity, zone.highVelocity) = (key("min velocity", 0), key("max velocity", 127))
        zone.scaleTuning = Self.number(entry["pitch tracking"]) == 0 ? 0 : 100
        func generator(_ index: Int, _ name: String, _ scale: Double) {
            if let value = Self.number(entry[name]) { zone.generators[index] += Float(value * scale) }
        }
        generator(ZoneGenerator.coarseTune, "pitch coarse", 1)
        generator(ZoneGenerator.fineTune, "pitch fine", 1)
        generator(ZoneGenerator.pan, "pan", 500)
        generator(ZoneGenerator.attenuation, "gain", -10)
        if let gain = Self.number((layer["Amplifier"] as? [String: Any])?["gain"]) {
            zone.generators[ZoneGenerator.attenuation] -= Float(gain * 10)
        }
        let places = (Self.number(entry["loop start"]), Self.number(entry["loop end"]))
        if Self.number(entry["loop enabled"]) ?? 0 != 0, let start = places.0, let end = places.1 {
            zone.loop = .endless
            (zone.loopStart, zone.loopEnd) = (Self.frame(start), Self.frame(end))
        }
        if let start = Self.number(entry["sample start"]) { zone.start = Self.frame(start) }
        if let end = Self.number(entry["sample end"]), end > 0 { zone.end = Self.frame(end) }
        zone.isOneShot = Self.number(layer["trigger mode"]) == 11
        setEnvelope(layer, in: &zone)
        setFilter(layer, in: &zone)
        return zone
    }

    /// The filter's kind where a preset names none, and the only one that is known from public presets: a low pass.
    private static let lowPass = 40.0

    /// The layer's filter, where it is on.
    private func filter(of layer: [String: Any]) -> [String: Any]? {
        guard let filter = layer["Filters"] as? [String: Any], Self.number(filter["enabled"]) ?? 0 != 0 else {
            return nil
        }
        return filter
    }

    /// Cutoff in Hz, resonance in dB: as SoundFont's filter, in cents above 8.18 Hz and in tenths of a dB.
    private func setFilter(_ layer: [String: Any], in zone: inout InstrumentZone) {
        guard let filter = filter(of: layer), Self.number(filter["type"]) ?? Self.lowPass == Self.lowPass,
            let cutoff = Self.number(filter["cutoff"]), cutoff > 0
        else { return }
        zone.generators[ZoneGenerator.filterCutoff] = Float(
            6900 + 1200 * DeterministicMath.log2(min(max(cutoff, 1), 1e5) / 440))
        zone.generators[ZoneGenerator.filterQ] = Float(10 * max(Self.number(filter["resonance"]) ?? 0, 0))
    }

    /// Stages 0 … 5: delay, attack, hold, decay, sustain, release; times in seconds.
    private func setEnvelope(_ layer: [String: Any], in zone: inout InstrumentZone) {
        guard let stages = (layer["Envelopes"] as? [[String: Any]])?.first?["Stages"] as? [[String: Any]] else {
            return
        }
        let times = [
            0: ZoneGenerator.volumeDelay, 1: ZoneGenerator.volumeAttack, 2: ZoneGenerator.volumeHold,
            3: ZoneGenerator.volumeDecay,
            5: ZoneGenerator.volumeRelease,
        ]
        for stage in stages {
            guard let number = Self.number(stage["stage"]) else { continue }
            if number == 4, let level = Self.number(stage["level"]), level > 0 {
                zone.generators[ZoneGenerator.volumeSustain] = Float(-200 * DeterministicMath.log10(min(level, 1)))
            } else if let generator = times[Int(clamping: number)], let time = Self.number(stage["time"]), time > 0.001
            {
                zone.generators[generator] = Float(1200 * DeterministicMath.log2(time))
            }
        }
    }

    private static func frame(_ number: Double) -> Int { Int(min(max(number, 0), 0x1p40)) }

    /// Foundation reads numbers and truth values from a property list as several types.
    private static func number(_ value: Any?) -> Double? {
        let number =
            (value as? NSNumber)?.doubleValue ?? (value as? Double) ?? (value as? Int).map(Double.init)
            ?? (value as? Bool).map { $0 ? 1 : 0 }
        return number.flatMap { $0.isFinite ? $0 : nil }
    }
}

extension Int {
    /// The nearest integer there is.
    init(clamping value: Double) { self = Int(Swift.min(Swift.max(value, -0x1p60), 0x1p60)) }
}
