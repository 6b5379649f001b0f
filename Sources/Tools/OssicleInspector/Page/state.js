// What is known of each engine, and a recording of the last minute.

import { unpack } from "./link.js";

const MOMENTS = 60 * 30;
const BYTES = 64 * 1024 * 1024;

export const state = {
  engines: new Map(),
  engine: null,          // number of the one that is shown
  selection: null,       // { kind, id }
  detail: null,
  moments: [],           // { engine, frame, paths, sound, bytes }
  bytes: 0,
  paused: false,
  shown: -1,             // place in the recording while paused
  connected: false,
  filters: { direct: true, reflection: true, diffraction: true },
  counts: { frames: 0, paths: 0, draws: 0 },
};

export function engineOf(id) {
  if (!state.engines.has(id)) {
    state.engines.set(id, { id, frame: null, paths: new Float32Array(0), pathBytes: 0, geometry: null, sound: null });
  }
  return state.engines.get(id);
}

export function noteFrame(frame, id, bytes, numbers) {
  const engine = engineOf(id);
  for (const source of frame.scene ? frame.scene.sources : []) {
    if (source.directivity) source.directivity = unpack(source.directivity, numbers);
  }
  engine.frame = frame;
  state.counts.frames += 1;
  if (state.paused) return;
  const moment = { engine: id, frame, paths: engine.paths, sound: engine.sound, bytes: bytes + engine.pathBytes };
  engine.pathBytes = 0;
  state.moments.push(moment);
  state.bytes += moment.bytes;
  while (state.moments.length > MOMENTS || (state.bytes > BYTES && state.moments.length > 1)) {
    state.bytes -= state.moments.shift().bytes;
  }
}

export function notePaths(paths, id, bytes, numbers) {
  const engine = engineOf(id);
  engine.paths = unpack(paths, numbers);
  engine.pathBytes = engine.paths.byteLength;
  state.counts.paths += 1;
}

export function noteSound(sound, id, bytes, numbers) {
  sound.samples = unpack(sound.samples, numbers);
  engineOf(id).sound = sound;
}

export function noteGeometry(geometry, id, bytes, numbers) {
  for (const body of geometry.walls.concat(geometry.zones)) body.triangles = unpack(body.triangles, numbers);
  engineOf(id).geometry = geometry;
}

// The moment that is shown: the newest, or the one in the recording.
export function current() {
  const engine = state.engines.get(state.engine);
  if (!engine || !engine.frame) return null;
  let moment = { engine: engine.id, frame: engine.frame, paths: engine.paths, sound: engine.sound };
  if (state.paused && state.moments.length) {
    const place = Math.min(Math.max(state.shown, 0), state.moments.length - 1);
    moment = state.moments[place];
    for (let i = place; moment.engine !== engine.id && i > 0; i -= 1) moment = state.moments[i];
  }
  return { ...moment, geometry: engine.geometry };
}

export function isSelected(kind, id) {
  return state.selection !== null && state.selection.kind === kind && state.selection.id === String(id);
}

// Of a selection that is a source, or a voice of one.
export function selectedSource(scene) {
  if (!state.selection || !scene) return null;
  if (state.selection.kind === "source") return Number(state.selection.id);
  if (state.selection.kind !== "voice") return null;
  const voice = scene.voices.find((voice) => String(voice.id) === state.selection.id);
  return voice && voice.source !== undefined ? voice.source : null;
}

// Each path: kind, source, level, its points.
export function forEachPath(paths, body) {
  for (let i = 0; i + 5 <= paths.length;) {
    const count = paths[i + 4];
    body(paths[i], paths[i + 1], paths[i + 3], i + 5, count);
    i += 5 + 3 * count;
  }
}

export function isShown(kind) {
  if (kind === 0) return state.filters.direct;
  if (kind === 1) return state.filters.reflection;
  return state.filters.diffraction || (kind === 3 && state.filters.reflection);
}

export const words = {
  level: (value) => (value === undefined || value === null || value <= -120 ? "−∞" : value.toFixed(1).replace("-0.0", "0.0").replace("-", "−")),
  metres: (value) => (value === undefined || value === null ? "" : `${value.toFixed(value < 10 ? 2 : 1)} m`),
};

// Colours of the page, as the scheme has them, and its font: asked for once, because asking makes the page work out its styles.
let palette = null;
export function colours() {
  if (palette) return palette;
  const style = getComputedStyle(document.documentElement);
  const get = (name) => style.getPropertyValue(`--${name}`).trim();
  palette = { ramp: [0, 1, 2, 3, 4, 5].map((i) => get(`l${i}`)), font: getComputedStyle(document.body).fontFamily };
  for (const name of ["ground", "panel", "line", "ink", "quiet", "faint", "accent", "warm", "bad", "wall", "floor", "zone", "track"]) {
    palette[name] = get(name);
  }
  return palette;
}
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { palette = null; });

export const LEVELS = { lowest: -48, highest: 0 };
export function rampPlace(level) {
  const share = (level - LEVELS.lowest) / (LEVELS.highest - LEVELS.lowest);
  return Math.min(Math.max(Math.floor(share * 6), 0), 5);
}

// Sizes of canvases as the page was last laid out: to ask a canvas would lay it out again.
const boxes = new Map();
const observer = new ResizeObserver((changes) => {
  for (const change of changes) boxes.set(change.target, change.contentRect);
  dispatchEvent(new Event("fitted"));
});

// A canvas with as many pixels as the screen has for it. Returns null while it has no size.
export function fitted(canvas) {
  if (!boxes.has(canvas)) { boxes.set(canvas, canvas.getBoundingClientRect()); observer.observe(canvas); }
  const box = boxes.get(canvas);
  const ratio = Math.min(devicePixelRatio || 1, 2);
  const [width, height] = [Math.round(box.width * ratio), Math.round(box.height * ratio)];
  if (width < 2 || height < 2) return null;
  if (canvas.width !== width || canvas.height !== height) { canvas.width = width; canvas.height = height; }
  return { width: box.width, height: box.height, ratio };
}
