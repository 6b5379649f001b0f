// The WebSocket: what it brings goes to a handler by its type.

const handlers = {};
let socket = null;
let retry = 500;

export function on(type, handler) { handlers[type] = handler; }

export function connect(changed) {
  const address = new URL("live", document.baseURI);
  address.protocol = "ws:";
  socket = new WebSocket(address);
  socket.onopen = () => { retry = 500; changed(true); };
  socket.onmessage = (event) => {
    const message = JSON.parse(event.data);
    const handler = handlers[message.type];
    if (handler) handler(message.value, message.engine, event.data.length);
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

// Base64 of 32-bit floats, the lowest byte first.
export function unpack(text) {
  const raw = atob(text);
  const bytes = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; i += 1) bytes[i] = raw.charCodeAt(i);
  return new Float32Array(bytes.buffer);
}
