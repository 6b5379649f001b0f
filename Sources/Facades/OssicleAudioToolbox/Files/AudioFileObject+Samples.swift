// Samples through a file that was opened for its packets.

import OssicleFiles

extension AudioFileObject {
    /// A reader of the file's samples.
    func extAudioFileReader() throws(StatusError) -> ExtAudioFileReader {
        guard let source else { throw StatusError(kAudioFileOperationNotSupportedError) }
        return try ExtAudioFileReader(try StatusError.file { () throws(AudioFileError) in
            if let path { try AudioFileReader(path: path) } else { try AudioFileReader(source: source) }
        })
    }

    /// A writer of samples in the place of the writer of packets, which must not have written any.
    func extAudioFileWriter() throws(StatusError) -> ExtAudioFileWriter {
        guard let path else { throw StatusError(kAudioFileOperationNotSupportedError) }
        return try writing { written throws(StatusError) in
            guard written.packetCount == 0 else { throw StatusError(kAudioFileOperationNotSupportedError) }
            try written.close()
            let format = written.format
            return try ExtAudioFileWriter(FileEncoderRequest(path: path, written.fileType, format.description, channelLabels: format.channelLabels))
        }
    }
}
