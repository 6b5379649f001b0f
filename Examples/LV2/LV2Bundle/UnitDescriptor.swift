import AVFoundation
import LV2Interface

/// What a library exports for a unit: its table of functions, made once and kept.
///
///     @_cdecl("lv2_descriptor")
///     public func lv2Descriptor(_ index: UInt32) -> UnsafeRawPointer? { index == 0 ? UnsafeRawPointer(UnitDescriptor.of(uri, make)) : nil }
public enum UnitDescriptor {
    /// Makes the unit; set before the host instantiates.
    nonisolated(unsafe) private static var make: () throws -> AUAudioUnit = { throw CocoaError(.featureUnsupported) }
    nonisolated(unsafe) private static var table: UnsafeMutablePointer<LV2_Descriptor>?

    public static func of(
        _ uri: String, _ make: @escaping () throws -> AUAudioUnit
    ) -> UnsafeMutablePointer<LV2_Descriptor>? {
        if let table { return table }
        self.make = make
        let made = UnsafeMutablePointer<LV2_Descriptor>.allocate(capacity: 1)
        made.initialize(
            to: LV2_Descriptor(
                URI: UnsafePointer(strdup(uri)),
                instantiate: { _, rate, _, features in UnitDescriptor.instantiate(rate, features) },
                connect_port: { instance, port, data in UnitDescriptor.plugin(instance)?.connect(Int(port), to: data) },
                activate: { UnitDescriptor.plugin($0)?.activate() },
                run: { instance, frames in UnitDescriptor.plugin(instance)?.run(frames) },
                deactivate: { UnitDescriptor.plugin($0)?.deactivate() },
                cleanup: { instance in
                    if let instance { Unmanaged<UnitPlugin>.fromOpaque(instance).release() }
                },
                extension_data: { _ in nil }))
        table = made
        return made
    }

    private static func plugin(_ instance: UnsafeMutableRawPointer?) -> UnitPlugin? {
        instance.map { Unmanaged<UnitPlugin>.fromOpaque($0).takeUnretainedValue() }
    }

    private static func instantiate(
        _ rate: Double, _ features: UnsafePointer<UnsafePointer<LV2_Feature>?>?
    ) -> UnsafeMutableRawPointer? {
        guard let plugin = try? UnitPlugin(make(), rate: rate, midiType: midiType(features)) else { return nil }
        return Unmanaged.passRetained(plugin).toOpaque()
    }

    /// The host's number for MIDI events, from its feature `urid:map`.
    private static func midiType(_ features: UnsafePointer<UnsafePointer<LV2_Feature>?>?) -> UInt32 {
        var next = features
        while let feature = next?.pointee {
            if String(cString: feature.pointee.URI) == "http://lv2plug.in/ns/ext/urid#map",
                let data = feature.pointee.data
            {
                let map = data.assumingMemoryBound(to: LV2_URID_Map.self).pointee
                return map.map(map.handle, "http://lv2plug.in/ns/ext/midi#MidiEvent")
            }
            next = next.map { $0 + 1 }
        }
        return 0
    }
}
