import OssicleAVFAudio

/// The session and the application.
let sessionCases: [MisuseCase] = [
    MisuseCase("session: categories, modes, options and policies of any bits") {
        let session = AVAudioSession.sharedInstance()
        for name in ["", "AVAudioSessionCategoryPlayback", "AVAudioSessionModeVoiceChat", "\u{0}"] {
            for bits in [0, 1, 0x10, 0x11, 0xFF, 1 << 19, UInt.max] {
                note("\(name) with \(bits)")
                try? session.setCategory(.init(rawValue: name), options: .init(rawValue: bits))
                try? session.setMode(.init(rawValue: name))
                try? session.setCategory(
                    .playback, mode: .init(rawValue: name), policy: .independent, options: .init(rawValue: bits))
            }
        }
    },
    MisuseCase("session: preferred values that cannot be") {
        let session = AVAudioSession.sharedInstance()
        for value in Hostile.doubles {
            note("\(value)")
            try? session.setPreferredSampleRate(value)
            try? session.setPreferredIOBufferDuration(value)
            try? session.setInputGain(Float(value))
            let (rate, duration) = (session.sampleRate, session.ioBufferDuration)
            try expect(rate >= 1 && duration > 0 && duration.isFinite, "\(rate) Hz in blocks of \(duration) s")
        }
        for count in [Int.min, -1, 0, 1, 64, .max] {
            try? session.setPreferredInputNumberOfChannels(count)
            try? session.setPreferredOutputNumberOfChannels(count)
            let port = AVAudioSession.simulatedPort(.virtual, name: "", channelCount: count)
            session.simulateRoute(inputs: [port, port], outputs: [port])
            try? session.setPreferredInput(port)
        }
        session.simulateRoute(outputs: [])
        _ = (session.currentRoute.description, session.renderingMode, session.supportedOutputChannelLayouts)
    },
    MisuseCase("session: interruptions in any order, and handlers that cause the next") {
        let session = AVAudioSession.sharedInstance()
        nonisolated(unsafe) var depth = 0
        let observer = NotificationCenter.default.addObserver(
            forName: AVAudioSession.interruptionNotification, object: session, queue: nil
        ) { _ in
            depth += 1
            guard depth < 100 else { return }
            try? session.setActive(true)
            session.simulateInterruption(.call)
            session.simulateInterruptionEnd(.call)
            session.simulateMediaServicesReset()
        }
        try session.setActive(true)
        for source in AVAudioSessionSimulatedInterruption.allCases {
            session.simulateInterruptionEnd(source)
            session.simulateInterruption(source)
            session.simulateInterruption(source)
        }
        NotificationCenter.default.removeObserver(observer)
        try expect(depth > 0, "no interruption was told")
    },
]
