// Spectrum and scope of the output.

import { colours, current, fitted, state } from "./state.js";

const SIZE = 2048;
const scope = document.getElementById("scope"), spectrum = document.getElementById("spectrum");
const window_ = Float32Array.from({ length: SIZE }, (_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / SIZE));
const cosines = Float32Array.from({ length: SIZE / 2 }, (_, i) => Math.cos((-2 * Math.PI * i) / SIZE));
const sines = Float32Array.from({ length: SIZE / 2 }, (_, i) => Math.sin((-2 * Math.PI * i) / SIZE));
const [re, im] = [new Float32Array(SIZE), new Float32Array(SIZE)];
const smooth = new Float32Array(SIZE / 2).fill(-120);
let lastEnd = -1;

function transform() {
  for (let i = 1, j = 0; i < SIZE; i += 1) {
    let bit = SIZE >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) { [re[i], re[j]] = [re[j], re[i]]; [im[i], im[j]] = [im[j], im[i]]; }
  }
  for (let half = 1; half < SIZE; half *= 2) {
    const step = SIZE / (2 * half);
    for (let start = 0; start < SIZE; start += 2 * half) {
      for (let k = 0; k < half; k += 1) {
        const [wr, wi] = [cosines[k * step], sines[k * step]];
        const a = start + k, b = a + half;
        const [xr, xi] = [re[b] * wr - im[b] * wi, re[b] * wi + im[b] * wr];
        re[b] = re[a] - xr; im[b] = im[a] - xi;
        re[a] += xr; im[a] += xi;
      }
    }
  }
}

// A sine of full scale is 0 dB.
function measure(sound) {
  re.fill(0);
  im.fill(0);
  for (let channel = 0; channel < sound.channels; channel += 1) {
    for (let i = 0; i < SIZE; i += 1) re[i] += (sound.samples[channel * SIZE + i] * window_[i]) / sound.channels;
  }
  transform();
  for (let bin = 0; bin < SIZE / 2; bin += 1) {
    const power = (re[bin] * re[bin] + im[bin] * im[bin]) * (16 / (SIZE * SIZE));
    const level = 10 * Math.log10(power + 1e-12);
    smooth[bin] = level > smooth[bin] ? level : smooth[bin] + 0.33 * (level - smooth[bin]);
  }
}

// The two pictures take turns: each is drawn with every second update.
let isSpectrumNext = true;

export function drawSound() {
  const moment = current();
  const sound = moment && moment.sound;
  const has = sound && sound.channels > 0 && sound.samples.length === sound.channels * SIZE;
  if (isSpectrumNext || state.paused) {
    if (has && sound.end !== lastEnd) { measure(sound); lastEnd = sound.end; }
    drawSpectrum(has ? sound.sampleRate : 48000, has);
  }
  if (!isSpectrumNext || state.paused) drawScope(has ? sound : null);
  isSpectrumNext = !isSpectrumNext;
}

// A canvas with what lies behind its curve, which is drawn once and copied.
const grounds = new Map();
function begin(canvas, key, drawGround) {
  const size = fitted(canvas);
  if (!size) return null;
  const pen = canvas.getContext("2d", { alpha: false }), c = colours();
  let ground = grounds.get(canvas);
  if (!ground) { ground = { canvas: document.createElement("canvas") }; grounds.set(canvas, ground); }
  const whole = `${key}|${canvas.width}|${canvas.height}|${c.ground}|${c.ink}`;
  if (ground.key !== whole) {
    ground.key = whole;
    Object.assign(ground.canvas, { width: canvas.width, height: canvas.height });
    const under = ground.canvas.getContext("2d", { alpha: false });
    under.fillStyle = c.ground;
    under.fillRect(0, 0, canvas.width, canvas.height);
    under.setTransform(size.ratio, 0, 0, size.ratio, 0, 0);
    under.font = `10px ${c.font}`;
    drawGround(under, size, c);
  }
  pen.setTransform(1, 0, 0, 1, 0, 0);
  pen.drawImage(ground.canvas, 0, 0);
  pen.setTransform(size.ratio, 0, 0, size.ratio, 0, 0);
  return [pen, size];
}

const [LOW, HIGH, TOP, BOTTOM] = [20, 20000, 0, -90];

function drawSpectrum(rate, has) {
  const height = (size) => size.height - 14;
  const made = begin(spectrum, "spectrum", (pen, size, c) => {
    const x = (hertz) => (Math.log(hertz / LOW) / Math.log(HIGH / LOW)) * size.width;
    const y = (level) => ((TOP - level) / (TOP - BOTTOM)) * height(size);
    pen.strokeStyle = c.line;
    pen.fillStyle = c.quiet;
    pen.lineWidth = 1;
    pen.beginPath();
    for (const level of [-30, -60]) { pen.moveTo(0, y(level)); pen.lineTo(size.width, y(level)); }
    for (const hertz of [50, 100, 200, 500, 1000, 2000, 5000, 10000]) { pen.moveTo(x(hertz), 0); pen.lineTo(x(hertz), height(size)); }
    pen.stroke();
    pen.textAlign = "center";
    for (const [hertz, text] of [[100, "100 Hz"], [1000, "1 kHz"], [10000, "10 kHz"]]) pen.fillText(text, x(hertz), size.height - 3);
    pen.textAlign = "left";
    for (const level of [-30, -60]) pen.fillText(`−${-level}`, 3, y(level) - 3);
  });
  if (!made || !has) return;
  const [pen, size] = made, c = colours(), bottom = height(size);
  const edges = edgesOf(size.width, rate);
  const curve = new Path2D();
  curve.moveTo(0, bottom);
  for (let px = 0; px + 1 < edges.length; px += 1) {
    const first = edges[px], last = edges[px + 1];
    let level = -200;
    if (last - first < 1) {
      const bin = Math.min(Math.floor(first), SIZE / 2 - 2), share = first - bin;
      level = smooth[bin] * (1 - share) + smooth[bin + 1] * share;
    } else {
      for (let bin = Math.floor(first); bin <= Math.min(last, SIZE / 2 - 1); bin += 1) level = Math.max(level, smooth[bin]);
    }
    curve.lineTo(px, Math.min(Math.max(((TOP - level) / (TOP - BOTTOM)) * bottom, 0), bottom));
  }
  curve.lineTo(size.width, bottom);
  pen.fillStyle = c.accent;
  pen.globalAlpha = 0.16;
  pen.fill(curve);
  pen.globalAlpha = 1;
  pen.strokeStyle = c.accent;
  pen.lineWidth = 1;
  pen.stroke(curve);
}

// Bins at which the picture's columns begin.
let columns = { key: "", edges: null };
function edgesOf(width, rate) {
  const key = `${width}|${rate}`;
  if (columns.key !== key) {
    const count = Math.ceil(width) + 1;
    columns = { key, edges: Float64Array.from({ length: count }, (_, px) => (LOW * Math.pow(HIGH / LOW, px / width) * SIZE) / rate) };
  }
  return columns.edges;
}

function drawScope(sound) {
  const tints = [colours().accent, colours().warm];
  let largest = 0.02;
  for (const sample of sound ? sound.samples : []) if (sample > largest || -sample > largest) largest = Math.abs(sample);
  // A scale that does not jump: the next power of two.
  const scale = Math.pow(2, Math.ceil(Math.log2(largest)));
  const made = begin(scope, `${sound ? sound.channels : 0}|${scale}`, (pen, size, c) => {
    pen.strokeStyle = c.line;
    pen.beginPath();
    pen.moveTo(0, size.height / 2); pen.lineTo(size.width, size.height / 2);
    pen.stroke();
    if (!sound) return;
    pen.fillStyle = c.quiet;
    pen.textAlign = "left";
    pen.fillText(`±${scale >= 1 ? scale : scale.toPrecision(2)}`, 4, 11);
    pen.textAlign = "right";
    pen.fillStyle = tints[0];
    pen.fillText(sound.channels > 1 ? "left" : "mono", size.width - (sound.channels > 1 ? 34 : 4), 11);
    if (sound.channels > 1) { pen.fillStyle = tints[1]; pen.fillText("right", size.width - 4, 11); }
  });
  if (!made || !sound) return;
  const [pen, size] = made, middle = size.height / 2;
  pen.globalAlpha = 0.85;
  // A line of one pixel is far cheaper than a wider one.
  pen.lineWidth = 1;
  for (let channel = Math.min(sound.channels, 2) - 1; channel >= 0; channel -= 1) {
    pen.beginPath();
    for (let px = 0; px <= size.width; px += 1) {
      const sample = sound.samples[channel * SIZE + Math.min(Math.floor((px / size.width) * SIZE), SIZE - 1)];
      pen.lineTo(px, middle - (sample / scale) * (middle - 6));
    }
    pen.strokeStyle = tints[channel];
    pen.stroke();
  }
  pen.globalAlpha = 1;
}
