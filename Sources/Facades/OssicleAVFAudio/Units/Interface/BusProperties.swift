import OssicleAudioToolbox
import OssicleCoreAudioTypes
import OssicleProperties

/// Properties of busses.
enum BusProperties {
    static var table: [AudioUnitPropertyID: UnitProperty] {
        let sides = UnitProperty.sides
        return [
            kAudioUnitProperty_StreamFormat: .value(
                sides + UnitProperty.global, .any, read: { try side($0).bus().format.streamDescription.pointee },
                write: setFormat),
            kAudioUnitProperty_SampleRate: .value(
                sides + UnitProperty.global, .any, read: { try side($0).bus().format.sampleRate }, write: setRate),
            kAudioUnitProperty_ElementCount: .value(UnitProperty.anywhere, read: elementCount, write: setElementCount),
            kAudioUnitProperty_SetRenderCallback: .order(sides.dropLast(), .busses, write: setCallback),
            kAudioUnitProperty_MakeConnection: .order(sides.dropLast(), .any, write: connect),
            kAudioUnitProperty_ElementName: .object(
                NSString.self, sides, .busses, read: name, write: { try $0.bus().name = "\($1)" }),
            kAudioUnitProperty_AudioChannelLayout: UnitProperty(
                scopes: sides, elements: .busses, read: layout, write: setLayout),
            kAudioUnitProperty_SupportedChannelLayoutTags: .list(sides, .busses, read: layoutTags),
            kAudioUnitProperty_PresentationLatency: .value(
                sides, .busses, read: { try $0.bus().contextPresentationLatency },
                write: { try $0.bus().contextPresentationLatency = $1 }),
            kAudioUnitProperty_ShouldAllocateBuffer: .flag(
                sides, .busses, read: { try $0.bus().shouldAllocateBuffer },
                write: { try $0.bus().shouldAllocateBuffer = $1 }),
        ]
    }

    /// Formats asked of the global scope are those of the output.
    private static func side(_ place: UnitPlace) -> UnitPlace {
        guard place.scope == kAudioUnitScope_Global else { return place }
        return UnitPlace(
            interface: place.interface, handle: place.handle, scope: kAudioUnitScope_Output, element: place.element)
    }

    private static func setFormat(_ place: UnitPlace, _ description: AudioStreamBasicDescription) throws {
        let bus = try side(place).bus()
        var asbd = description
        guard let format = AVAudioFormat(streamDescription: &asbd) else {
            throw StatusError(kAudioUnitErr_FormatNotSupported)
        }
        try bus.setFormat(format)
    }

    private static func setRate(_ place: UnitPlace, _ rate: Double) throws {
        let bus = try side(place).bus()
        var asbd = bus.format.streamDescription.pointee
        asbd.mSampleRate = rate
        guard let format = AVAudioFormat(streamDescription: &asbd, channelLayout: bus.format.channelLayout) else {
            throw StatusError(kAudioUnitErr_InvalidPropertyValue)
        }
        try bus.setFormat(format)
    }

    private static func elementCount(_ place: UnitPlace) -> UInt32 {
        switch place.scope {
        case kAudioUnitScope_Global: 1
        case kAudioUnitScope_Input: UInt32(place.unit.inputBusses.count)
        case kAudioUnitScope_Output: UInt32(place.unit.outputBusses.count)
        default: 0
        }
    }

    private static func setElementCount(_ place: UnitPlace, _ count: UInt32) throws {
        guard UnitProperty.sides.contains(place.scope) else { throw StatusError(kAudioUnitErr_PropertyNotWritable) }
        let busses = place.scope == kAudioUnitScope_Input ? place.unit.inputBusses : place.unit.outputBusses
        if count == busses.count { return }
        try place.requireUninitialized()
        guard (1...UInt32(UnitInputs.capacity)).contains(count) else {
            throw StatusError(kAudioUnitErr_InvalidPropertyValue)
        }
        try busses.setBusCount(Int(count))
    }

    private static func setCallback(_ place: UnitPlace, _ data: AURenderCallbackStruct) {
        place.interface.inputs.set(UnitInputs.Source(data), at: Int(place.element))
    }

    /// The input takes on the format of the output that feeds it, which an initialised unit has to have already.
    private static func connect(_ place: UnitPlace, _ connection: AudioUnitConnection) throws {
        let bus = try UnitPlace(
            interface: place.interface, handle: place.handle, scope: kAudioUnitScope_Input,
            element: connection.destInputNumber
        ).bus()
        guard let source = connection.sourceAudioUnit else {
            return place.interface.inputs.set(.none, at: Int(connection.destInputNumber))
        }
        let format = UnitTable.shared.with(source) { source -> AVAudioFormat? in
            let outputs = source.unit.outputBusses
            return Int(connection.sourceOutputNumber) < outputs.count
                ? outputs[Int(connection.sourceOutputNumber)].format : nil
        }
        guard let found = format, let format = found else { throw StatusError(kAudioUnitErr_InvalidElement) }
        if !format.isEqual(bus.format) { try bus.setFormat(format) }
        place.interface.inputs.set(
            .connection(source, output: connection.sourceOutputNumber), at: Int(connection.destInputNumber))
    }

    private static func name(_ place: UnitPlace) throws -> NSString {
        guard let name = try place.bus().name else { throw StatusError(kAudioUnitErr_PropertyNotInUse) }
        return NSString(string: name)
    }

    // MARK: Layouts

    private static func layout(_ place: UnitPlace, _: PropertyData) throws -> PropertyValue {
        guard let layout = try place.bus().format.channelLayout?.layout else {
            throw StatusError(kAudioUnitErr_PropertyNotInUse)
        }
        let count = max(Int(layout.pointee.mNumberChannelDescriptions), 1)
        let size = MemoryLayout<AudioChannelLayout>.size + (count - 1) * MemoryLayout<AudioChannelDescription>.stride
        return .bytes(Array(UnsafeRawBufferPointer(start: layout, count: size)))
    }

    private static func setLayout(_ place: UnitPlace, _ data: PropertyData) throws {
        let bus = try place.bus()
        guard let layout = AVAudioChannelLayout(data: Data(data.bytes)), case let labels = layout.channelLabels,
            labels.count == bus.format.channelCount,
            let format = AVAudioFormat(
                streamDescription: bus.format.streamDescription, channelLayout: AVAudioChannelLayout(labels: labels))
        else { throw StatusError(kAudioUnitErr_InvalidPropertyValue) }
        try bus.setFormat(format)
    }

    private static func layoutTags(_ place: UnitPlace) throws -> [AudioChannelLayoutTag] {
        guard let tags = try place.bus().supportedChannelLayoutTags else {
            throw StatusError(kAudioUnitErr_InvalidProperty)
        }
        return tags.map(\.uint32Value)
    }
}
