// Joins the room: WebCodecs makes Opus of the microphone and sound of the mix, worklets take and play it.

const state = document.getElementById("state");
const plan = document.getElementById("plan");
const mute = document.getElementById("mute");
const yaw = document.getElementById("yaw");
let socket = null;
let you = null;
let seat = { x: 0, z: 0, yaw: 0 };

function say(text) { state.textContent = text; }

function send(request) {
  if (socket && socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(request));
}

document.getElementById("join").onclick = async (event) => {
  event.target.disabled = true;
  try { await join(); } catch (error) {
    say(String(error));
    event.target.disabled = false;
  }
};

async function join() {
  if (!window.AudioEncoder || !window.AudioDecoder) throw new Error("This browser has no WebCodecs for sound.");
  const stream = await navigator.mediaDevices.getUserMedia({
    audio: { channelCount: 1, echoCancellation: true, noiseSuppression: true, autoGainControl: true },
  });
  const context = new AudioContext({ sampleRate: 48000 });
  await context.audioWorklet.addModule("worklet.js");
  const playback = new AudioWorkletNode(context, "playback", { numberOfInputs: 0, outputChannelCount: [2] });
  playback.connect(context.destination);
  const capture = new AudioWorkletNode(context, "capture", { numberOfOutputs: 0 });
  context.createMediaStreamSource(stream).connect(capture);

  const address = new URL("live", document.baseURI);
  address.protocol = "ws:";
  socket = new WebSocket(address);
  socket.binaryType = "arraybuffer";

  const encoder = new AudioEncoder({
    output: (chunk) => {
      const message = new Uint8Array(4 + chunk.byteLength);
      new DataView(message.buffer).setUint32(0, Math.round(chunk.timestamp * 0.048) >>> 0, true);
      chunk.copyTo(message.subarray(4));
      if (socket.readyState === WebSocket.OPEN) socket.send(message);
    },
    error: (error) => say(String(error)),
  });
  encoder.configure({ codec: "opus", sampleRate: 48000, numberOfChannels: 1, bitrate: 32000 });
  let frames = 0;
  capture.port.onmessage = (event) => {
    const sound = new AudioData({
      format: "f32-planar", sampleRate: 48000, numberOfFrames: 960, numberOfChannels: 1,
      timestamp: Math.round(frames / 0.048), data: event.data,
    });
    frames += 960;
    encoder.encode(sound);
    sound.close();
  };

  const decoder = new AudioDecoder({
    output: (sound) => {
      const planes = [0, 1].map((channel) => {
        const plane = new Float32Array(sound.numberOfFrames);
        sound.copyTo(plane, { planeIndex: Math.min(channel, sound.numberOfChannels - 1), format: "f32-planar" });
        return plane;
      });
      sound.close();
      playback.port.postMessage(planes);
    },
    error: (error) => say(String(error)),
  });
  decoder.configure({ codec: "opus", sampleRate: 48000, numberOfChannels: 2 });

  socket.onmessage = (event) => {
    if (typeof event.data === "string") return draw(JSON.parse(event.data));
    const timestamp = new DataView(event.data).getUint32(0, true);
    decoder.decode(new EncodedAudioChunk({
      type: "key", timestamp: Math.round(timestamp / 0.048), data: new Uint8Array(event.data, 4),
    }));
  };
  socket.onopen = () => {
    say("You are in the room.");
    mute.disabled = false;
    yaw.disabled = false;
  };
  socket.onclose = () => {
    say("The room is closed.");
    stream.getTracks().forEach((track) => track.stop());
    context.close();
  };
}

mute.onclick = () => {
  const isMuted = mute.getAttribute("aria-pressed") !== "true";
  mute.setAttribute("aria-pressed", String(isMuted));
  mute.textContent = isMuted ? "Unmute" : "Mute";
  send({ muted: isMuted });
};

yaw.oninput = () => {
  seat.yaw = Number(yaw.value);
  send({ seat });
};

plan.onclick = (event) => {
  const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(plan.getScreenCTM().inverse());
  seat.x = point.x;
  seat.z = point.y;
  send({ seat });
};

function element(name, attributes) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

function draw(message) {
  if (you === null) {
    const own = message.people.find((person) => person.number === message.you);
    if (own) {
      seat = { x: own.x, z: own.z, yaw: own.yaw };
      yaw.value = String(((own.yaw + 180) % 360 + 360) % 360 - 180);
    }
  }
  you = message.you;
  plan.replaceChildren(...message.people.flatMap((person) => {
    const turn = person.yaw * Math.PI / 180;
    const names = [person.number === you ? "you" : "", person.isSpeaking ? "speaking" : ""];
    const text = element("text", { x: person.x, y: person.z });
    text.textContent = String(person.number);
    return [
      element("line", {
        x1: person.x, y1: person.z, x2: person.x - 0.45 * Math.sin(turn), y2: person.z - 0.45 * Math.cos(turn),
      }),
      element("circle", { cx: person.x, cy: person.z, r: 0.25, class: names.join(" ").trim() }), text,
    ];
  }));
}
