// What is known of each engine, and a recording of the last minute.

import { unpack } from "./link.js";

const MOMENTS = 60 * 30;
const BYTES = 64 * 1024 * 1024;

export const state = {
  engines: new Map(),
  engine: null,          // number of the one that is shown
  selection: null,       // { kind, id }
  detail: null,
  moments: [],           // { engine, frame, paths, rays, sound, bytes }; a frame as it came, with its numbers in rows
  bytes: 0,
  paused: false,
  shown: -1,             // place in the recording while paused
  connected: false,
  filters: { direct: true, reflection: true, diffraction: true, rays: false },
  counts: { frames: 0, paths: 0, draws: 0 },
};

export function engineOf(id) {
  if (!state.engines.has(id)) {
    state.engines.set(id, { id, frame: null, words: [], paths: new Float32Array(0), rays: new Float32Array(0), pathBytes: 0, geometry: null, sound: null });
  }
  return state.engines.get(id);
}

// Words that rows of numbers refer to, as they are added; where the first is 0 there is a new table, and what was
// recorded keeps the one before.
export function noteWords({ first, words }, id) {
  const engine = engineOf(id);
  if (first === 0) engine.words = [];
  words.forEach((word, i) => { engine.words[first + i] = word; });
}

export function noteFrame(value, id, bytes, numbers) {
  const engine = engineOf(id);
  const frame = { value, numbers, words: engine.words };
  engine.frame = frame;
  state.counts.frames += 1;
  if (state.paused) return;
  const moment = { engine: id, frame, paths: engine.paths, rays: engine.rays, sound: engine.sound, bytes: bytes + engine.pathBytes };
  engine.pathBytes = 0;
  state.moments.push(moment);
  state.bytes += moment.bytes;
  while (state.moments.length > MOMENTS || (state.bytes > BYTES && state.moments.length > 1)) {
    state.bytes -= state.moments.shift().bytes;
  }
}

// The frame that was opened last: what is recorded stays as it came, which is smaller by far than objects.
let opened = { from: null, frame: null };

function open(from) {
  if (opened.from === from) return opened.frame;
  const { value, numbers, words } = from;
  const frame = { ...value };
  if (value.scene) {
    frame.scene = {
      ...value.scene, sources: objects(value.sourceRows, numbers, words),
      listeners: objects(value.listenerRows, numbers, words), voices: voices(value.voiceRows, numbers, words),
    };
  }
  opened = { from, frame };
  return frame;
}

const known = (number) => (Number.isNaN(number) ? undefined : number);

function objects(rows, numbers, words) {
  const found = [], end = rows[0] + rows[1], n = numbers;
  for (let i = rows[0]; i < end; i += 16 + n[i + 15]) {
    found.push({
      id: n[i], name: words[n[i + 1]], position: [n[i + 2], n[i + 3], n[i + 4]], forward: [n[i + 5], n[i + 6], n[i + 7]],
      up: [n[i + 8], n[i + 9], n[i + 10]], gain: n[i + 11], isMuted: (n[i + 12] & 1) !== 0, isSoloed: (n[i + 12] & 2) !== 0,
      radius: n[i + 13], cullDistance: known(n[i + 14]),
      directivity: n[i + 15] ? n.subarray(i + 16, i + 16 + n[i + 15]) : undefined,
    });
  }
  return found;
}

function voices(rows, numbers, words) {
  const found = [], end = rows[0] + rows[1], n = numbers;
  for (let i = rows[0]; i < end; i += 15) {
    found.push({
      id: n[i], event: words[n[i + 1]], node: words[n[i + 2]], sound: words[n[i + 3]], source: known(n[i + 4]),
      listener: known(n[i + 5]), group: words[n[i + 6]], state: words[n[i + 7]], position: n[i + 8], direct: n[i + 9],
      early: known(n[i + 10]), late: known(n[i + 11]), peak: known(n[i + 12]), distance: known(n[i + 13]),
      tier: words[n[i + 14]],
    });
  }
  return found;
}

export function notePaths(paths, id, bytes, numbers) {
  const engine = engineOf(id);
  engine.paths = unpack(paths, numbers);
  engine.pathBytes = engine.paths.byteLength;
  state.counts.paths += 1;
}

export function noteRays(rays, id, bytes, numbers) { engineOf(id).rays = unpack(rays, numbers); }

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
  let moment = engine;
  if (state.paused && state.moments.length) {
    const place = Math.min(Math.max(state.shown, 0), state.moments.length - 1);
    moment = state.moments[place];
    for (let i = place; moment.engine !== engine.id && i > 0; i -= 1) moment = state.moments[i];
  }
  return { engine: engine.id, frame: open(moment.frame), paths: moment.paths, rays: moment.rays, sound: moment.sound, geometry: engine.geometry };
}
state.current = current;

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

// Each ray: listener, its points with the level on the way to each.
export function forEachRay(rays, body) {
  for (let i = 0; i + 2 <= rays.length;) {
    const count = rays[i + 1];
    body(i + 2, count);
    i += 2 + 4 * count;
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
