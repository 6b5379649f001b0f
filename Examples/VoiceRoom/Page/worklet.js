// Microphone out to the page in packets of 20 ms, and the mix in from it.

class Capture extends AudioWorkletProcessor {
  constructor() {
    super();
    this.packet = new Float32Array(960);
    this.count = 0;
  }

  process(inputs) {
    const channel = inputs[0][0];
    if (!channel) return true;
    for (const sample of channel) {
      this.packet[this.count] = sample;
      this.count += 1;
      if (this.count === 960) {
        this.port.postMessage(this.packet.slice());
        this.count = 0;
      }
    }
    return true;
  }
}

// A ring of a second. It begins with 60 ms in it, and skips what is more than 200 ms.
class Playback extends AudioWorkletProcessor {
  constructor() {
    super();
    this.rings = [new Float32Array(48000), new Float32Array(48000)];
    this.read = 0;
    this.written = 0;
    this.isPlaying = false;
    this.port.onmessage = (event) => {
      const planes = event.data;
      for (let i = 0; i < planes[0].length; i += 1) {
        const place = (this.written + i) % 48000;
        this.rings[0][place] = planes[0][i];
        this.rings[1][place] = planes[1][i];
      }
      this.written += planes[0].length;
      if (this.written - this.read > 9600) this.read = this.written - 2880;
    };
  }

  process(_, outputs) {
    const output = outputs[0];
    const count = output[0].length;
    const there = this.written - this.read;
    if (!this.isPlaying) this.isPlaying = there >= 2880;
    if (this.isPlaying && there < count) this.isPlaying = false;
    if (!this.isPlaying) return true;
    for (let i = 0; i < count; i += 1) {
      const place = (this.read + i) % 48000;
      output[0][i] = this.rings[0][place];
      output[1][i] = this.rings[1][place];
    }
    this.read += count;
    return true;
  }
}

registerProcessor("capture", Capture);
registerProcessor("playback", Playback);
