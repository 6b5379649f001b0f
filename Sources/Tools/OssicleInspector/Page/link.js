// The WebSocket: what it brings goes to a handler by its type.

const handlers = {};
let socket = null;
let retry = 500;
const decoder = new TextDecoder();

export function on(type, handler) { handlers[type] = handler; }

export function connect(changed) {
  const address = new URL("live", document.baseURI);
  address.protocol = "ws:";
  socket = new WebSocket(address);
  socket.binaryType = "arraybuffer";
  socket.onopen = () => { retry = 500; changed(true); };
  socket.onmessage = (event) => {
    const { json, bytes, numbers } = opened(event.data);
    const message = JSON.parse(json);
    const handler = handlers[message.type];
    if (handler) handler(message.value, message.engine, bytes, numbers);
  };
  socket.onclose = () => {
    changed(false);
    setTimeout(() => connect(changed), retry);
    retry = Math.min(retry * 2, 8000);
  };
}

export function send(request) {
  if (socket && socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(request));
}

// Text, or the length of the text, the text, and the 32-bit floats that it refers to.
function opened(data) {
  if (typeof data === "string") return { json: data, bytes: 2 * data.length, numbers: new Float32Array(0) };
  const length = new DataView(data).getUint32(0, true);
  return {
    json: decoder.decode(new Uint8Array(data, 4, length)), bytes: 2 * length + data.byteLength,
    numbers: new Float32Array(data, 4 + length),
  };
}

// Of a message's numbers those that a value stands for: the place of the first, and how many they are.
export const unpack = ([first, count], numbers) => numbers.subarray(first, first + count);
