import Dispatch
import OssicleCoreAudioTypes
import OssicleDevices
import OssicleNodes
import OssiclePlayback
import OssicleRender

/// Voice processing: one switch for both ends of the engine.
extension EngineMachine {
    func setVoiceProcessing(_ isOn: Bool) throws {
        let changes: Bool = try life.locked {
            try locked {
                guard hardware.processesVoice != isOn else { return false }
                guard state == .stopped else {
                    throw OssicleError.avfaudio(
                        kAudioUnitErr_Initialized, "AVAudioEngine", value: "voice processing of an engine that runs",
                        rule: "It changes formats, so it is switched while the engine is stopped.",
                        cure: "Call stop() first.")
                }
                let before = input?.outputFormat(forBus: 0)
                hardware.processesVoice = isOn
                input?.restoreVoiceDefaults()
                adaptInput()
                return manual == nil && input?.outputFormat(forBus: 0) != before
            }
        }
        guard changes else { return }
        session.changes.async { [self] in
            let output = locked { hardware.output }
            DeviceChanges(self).notify(from: output, to: output)
        }
    }

    // MARK: Under the lock

    /// Whether what is captured is processed. The session's mode has it done at devices, in the format there is.
    private var processesVoice: Bool {
        hardware.processesVoice || (manual == nil && DevicePreferences.current.processesVoice)
    }

    /// Makes the processing for the formats there are, ahead of a plan.
    func renewVoice() throws {
        guard processesVoice, let input else {
            session.voice = nil
            return
        }
        let rates = (input: input.deviceRate(renderFormat.sampleRate), output: renderFormat.sampleRate)
        guard rates.input == rates.output, VoiceProcessor.sampleRates.contains(rates.output) else {
            throw OssicleError.avfaudio(
                kAudioUnitErr_FormatNotSupported, "AVAudioInputNode",
                value: "input at \(rates.input) Hz and output at \(rates.output) Hz with voice processing",
                rule: "Voice processing takes one sample rate for both ends, from 8,000 to 48,000 Hz.",
                cure: "Set the same rate on both sides, or call setVoiceProcessingEnabled(false).")
        }
        session.voice = input.voiceProcessor(
            session.voice, sampleRate: rates.output, capture: session.device?.capture)
    }

    /// Throws where the input does not run on the engine's clock.
    func checkVoice(_ clocks: [ObjectIdentifier: NodeClock]) throws {
        guard session.voice != nil, let input, clocks[ObjectIdentifier(input)]?.box != nil else { return }
        throw OssicleError.avfaudio(
            kAudioUnitErr_FormatNotSupported, "AVAudioInputNode",
            value: "an input with voice processing behind a change of sample rate",
            rule: "What is captured is compared with what is played, frame by frame.",
            cure: "Connect the input, and what follows it, at the engine's rate of \(renderFormat.sampleRate) Hz.")
    }

    // MARK: Other programs. Under no lock

    /// Every few milliseconds, at a device: lowers what other programs play.
    func followVoice() {
        locked { hardware.processesVoice && session.device?.isSilent == false ? session.voice : nil }.map { voice in
            duckOthers { $0.follow(voice.controls) }
        }
    }

    /// Has other programs' sound as it was.
    func endDucking() { duckOthers { $0.end() } }

    private func duckOthers(_ step: (inout VoiceDucking) -> Int?) {
        guard let decibels = locked({ step(&hardware.ducking) }) else { return }
        AVAudioSession.sharedInstance().control.duckOthers(by: decibels, for: ObjectIdentifier(self))
    }
}
