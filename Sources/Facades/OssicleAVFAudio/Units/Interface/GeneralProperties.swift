import OssicleAudioToolbox
import OssicleCoreAudioTypes
import OssicleProperties

/// Properties of the unit as a whole.
enum GeneralProperties {
    static var table: [AudioUnitPropertyID: UnitProperty] {
        [
            kAudioUnitProperty_Latency: .value(read: { $0.unit.latency }),
            kAudioUnitProperty_TailTime: .value(read: { $0.unit.tailTime }),
            kAudioUnitProperty_SupportedNumChannels: .list(read: channels),
            kAudioUnitProperty_MaximumFramesPerSlice: .value(
                read: { $0.unit.maximumFramesToRender }, write: setMaximumFrames),
            kAudioUnitProperty_BypassEffect: .flag(
                read: { try effect($0).shouldBypassEffect }, write: { try effect($0).shouldBypassEffect = $1 }),
            kAudioUnitProperty_LastRenderError: .value(
                isPure: false, read: { $0.interface.lastError.exchange(noErr, ordering: .relaxed) }),
            kAudioUnitProperty_LastRenderSampleTime: .value(read: { $0.interface.lastCycle.start }),
            kAudioUnitProperty_RenderQuality: .value(
                read: { UInt32($0.unit.renderQuality) }, write: { $0.unit.renderQuality = Int($1) }),
            kAudioUnitProperty_OfflineRender: .flag(
                read: { $0.unit.isRenderingOffline }, write: { $0.unit.isRenderingOffline = $1 }),
            kAudioUnitProperty_InPlaceProcessing: .flag(read: { $0.unit.canProcessInPlace }),
            kAudioUnitProperty_LoadedOutOfProcess: .flag(read: { !$0.unit.isLoadedInProcess }),
            kAudioUnitProperty_ContextName: .object(
                NSString.self, read: { NSString(string: $0.unit.contextName ?? "") },
                write: { $0.unit.contextName = "\($1)" }),
            kAudioUnitProperty_NickName: .object(
                NSString.self, read: { NSString(string: $0.interface.keep { $0.nickName }) },
                write: { place, name in place.interface.keep { $0.nickName = "\(name)" } }),
            kAudioUnitProperty_HostCallbacks: .order(UnitProperty.global, write: setHostCallbacks),
        ]
    }

    private static func channels(_ place: UnitPlace) throws -> [AUChannelInfo] {
        guard let pairs = place.unit.channelCapabilities?.map(\.intValue), pairs.count > 1 else {
            throw StatusError(kAudioUnitErr_InvalidProperty)
        }
        return (0..<pairs.count / 2).map {
            AUChannelInfo(inChannels: Int16(clamping: pairs[2 * $0]), outChannels: Int16(clamping: pairs[2 * $0 + 1]))
        }
    }

    private static func setMaximumFrames(_ place: UnitPlace, _ frames: UInt32) throws {
        try place.requireUninitialized()
        guard (1...1 << 20).contains(frames) else { throw StatusError(kAudioUnitErr_InvalidPropertyValue) }
        place.unit.maximumFramesToRender = frames
    }

    /// Only what sound passes through can let it pass.
    private static func effect(_ place: UnitPlace) throws -> AUAudioUnit {
        let type = place.unit.componentDescription.componentType
        guard AVAudioUnitEffect.types.contains(type) || type == kAudioUnitType_FormatConverter else {
            throw StatusError(kAudioUnitErr_InvalidProperty)
        }
        return place.unit
    }

    /// The callbacks as the blocks of the version 3 interface.
    private static func setHostCallbacks(_ place: UnitPlace, _ info: HostCallbackInfo) {
        place.unit.musicalContextBlock =
            info.beatAndTempoProc == nil && info.musicalTimeLocationProc == nil
            ? nil
            : { tempo, numerator, denominator, beat, offset, bar in
                var known = false
                if let ask = info.beatAndTempoProc { known = ask(info.hostUserData, beat, tempo) == noErr }
                if let ask = info.musicalTimeLocationProc {
                    var (toNextBeat, upper, lower) = (UInt32(0), Float32(0), UInt32(0))
                    guard ask(info.hostUserData, &toNextBeat, &upper, &lower, bar) == noErr else { return known }
                    numerator?.pointee = Double(upper)
                    denominator?.pointee = Int(lower)
                    offset?.pointee = Int(toNextBeat)
                    known = true
                }
                return known
            }
        place.unit.transportStateBlock =
            info.transportStateProc == nil && info.transportStateProc2 == nil
            ? nil
            : { flags, position, start, end in
                var (plays, records, changed, cycles) = (
                    DarwinBoolean(false), DarwinBoolean(false), DarwinBoolean(false), DarwinBoolean(false)
                )
                let status =
                    info.transportStateProc2?(
                        info.hostUserData, &plays, &records, &changed, position, &cycles, start, end)
                    ?? info.transportStateProc?(info.hostUserData, &plays, &changed, position, &cycles, start, end)
                guard status == noErr else { return false }
                let pairs: [(DarwinBoolean, AUHostTransportStateFlags)] = [
                    (changed, .changed), (plays, .moving), (records, .recording), (cycles, .cycling),
                ]
                flags?.pointee = pairs.reduce(into: AUHostTransportStateFlags()) {
                    if $1.0.boolValue { $0.insert($1.1) }
                }
                return true
            }
    }
}
