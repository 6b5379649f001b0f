// Spectrum and scope of the output.

import { colours, current, fitted, rgb, state } from "./state.js";

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
    if (i < j) {
      const r = re[i], m = im[i];
      re[i] = re[j]; im[i] = im[j];
      re[j] = r; im[j] = m;
    }
  }
  for (let half = 1; half < SIZE; half *= 2) {
    const step = SIZE / (2 * half);
    for (let start = 0; start < SIZE; start += 2 * half) {
      for (let k = 0; k < half; k += 1) {
        // Not as pairs: to take one apart takes twice as long as the rest.
        const wr = cosines[k * step], wi = sines[k * step], a = start + k, b = a + half;
        const xr = re[b] * wr - im[b] * wi, xi = re[b] * wi + im[b] * wr;
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

// The two pictures take turns: of each sound that comes first the spectrum is drawn, and with the next update the scope.
let drawn = { sound: null, rest: 0 };

export function drawSound() {
  const sound = current()?.sound ?? null;
  if (sound !== drawn.sound) drawn = { sound, rest: 2 };
  const has = sound !== null && sound.channels > 0 && sound.samples.length === sound.channels * SIZE;
  if (drawn.rest === 2 || state.paused) {
    if (has && sound.end !== lastEnd) { measure(sound); lastEnd = sound.end; }
    drawSpectrum(has ? sound.sampleRate : 48000, has);
  }
  if (drawn.rest === 1 || state.paused) drawScope(has ? sound : null);
  drawn.rest = Math.max(drawn.rest - 1, 0);
}

// A canvas whose pixels are written one by one, because that costs less than curves that are smoothed: what lies behind
// the curve is drawn once and copied. Returns the pixels, those of what lies behind it, and the size in them.
const grounds = new Map();
function begin(canvas, key, drawGround) {
  const size = fitted(canvas);
  if (!size) return null;
  const c = colours(), { width, height } = canvas;
  const whole = `${key}|${width}|${height}|${c.ground}|${c.ink}`;
  let ground = grounds.get(canvas);
  if (ground?.key !== whole) {
    const under = document.createElement("canvas");
    Object.assign(under, { width, height });
    const pen = under.getContext("2d", { alpha: false, willReadFrequently: true });
    pen.fillStyle = c.ground;
    pen.fillRect(0, 0, width, height);
    pen.setTransform(size.ratio, 0, 0, size.ratio, 0, 0);
    pen.font = `10px ${c.font}`;
    drawGround(pen, size, c);
    const image = pen.getImageData(0, 0, width, height);
    ground = { key: whole, image, behind: new Uint32Array(image.data.slice().buffer), words: new Uint32Array(image.data.buffer), pen: canvas.getContext("2d", { alpha: false }) };
    pen.setTransform(1, 0, 0, 1, 0, 0);
    pen.globalAlpha = 0.16;
    pen.fillStyle = c.accent;
    pen.fillRect(0, 0, width, height);
    ground.tinted = new Uint32Array(pen.getImageData(0, 0, width, height).data.buffer);
    grounds.set(canvas, ground);
  }
  ground.words.set(ground.behind);
  return { ...ground, bytes: ground.image.data, width, height, ratio: size.ratio };
}

const show = ({ pen, image }) => pen.putImageData(image, 0, 0);

// A line of one pixel through one column of pixels takes a colour. Its heights are those at the column's parts, from one
// edge to the other; what each part covers adds up, so that steep and flat lines are smooth.
const PARTS = 4;
const cover = new Float32Array(8192);
function column({ bytes, width, height, ratio }, x, heights, [red, green, blue], strength) {
  let [top, bottom] = [height, 0];
  for (let part = 0; part < PARTS; part += 1) {
    const a = heights[part], b = heights[part + 1], slope = PARTS * (b - a);
    // As thick across as along, within limits, so that peaks stay where they are.
    const half = (ratio / 2) * Math.min(Math.sqrt(1 + slope * slope), 3);
    const from = Math.max((a < b ? a : b) - half, 0), to = Math.min((a < b ? b : a) + half, height);
    const first = Math.floor(from), end = Math.ceil(to);
    for (let y = first; y < end; y += 1) cover[y] += (Math.min(y + 1, to) - Math.max(y, from)) / PARTS;
    if (first < top) top = first;
    if (end > bottom) bottom = end;
  }
  for (let y = top; y < bottom; y += 1) {
    const share = strength * Math.min(cover[y], 1), at = 4 * (y * width + x);
    cover[y] = 0;
    bytes[at] += share * (red - bytes[at]);
    bytes[at + 1] += share * (green - bytes[at + 1]);
    bytes[at + 2] += share * (blue - bytes[at + 2]);
  }
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
  if (!made) return;
  if (has) drawCurve(made, rate);
  show(made);
}

// Heights at the parts of one column.
const heights = new Float64Array(PARTS + 1);

function drawCurve(made, rate) {
  const { width, words, tinted, ratio } = made, bottom = made.height - 14 * ratio;
  const edges = edgesOf(width, rate), tint = rgb(colours().accent);
  const heightAt = (px) => {
    const first = edges[px], last = edges[px + 1];
    let level = -200;
    if (last - first < 1) {
      const bin = Math.min(Math.floor(first), SIZE / 2 - 2), share = first - bin;
      level = smooth[bin] * (1 - share) + smooth[bin + 1] * share;
    } else {
      for (let bin = Math.floor(first); bin <= Math.min(last, SIZE / 2 - 1); bin += 1) level = Math.max(level, smooth[bin]);
    }
    return Math.min(Math.max(((TOP - level) / (TOP - BOTTOM)) * bottom, 0), bottom);
  };
  let height = heightAt(0);
  for (let px = 0; px < width; px += 1) {
    const next = heightAt(px + 1);
    for (let part = 0; part <= PARTS; part += 1) heights[part] = height + (part / PARTS) * (next - height);
    const from = Math.ceil((height + next) / 2);
    for (let at = from * width + px, end = Math.floor(bottom) * width; at < end; at += width) words[at] = tinted[at];
    column(made, px, heights, tint, 1);
    height = next;
  }
}

// Bins at which the picture's columns begin.
let columns = { key: "", edges: null };
function edgesOf(width, rate) {
  const key = `${width}|${rate}`;
  if (columns.key !== key) {
    const count = width + 2;
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
  if (!made) return;
  if (sound) {
    for (let channel = Math.min(sound.channels, 2) - 1; channel >= 0; channel -= 1) drawWave(made, sound, channel, scale, rgb(tints[channel]));
  }
  show(made);
}

function drawWave(made, { samples }, channel, scale, tint) {
  const { width, height, ratio } = made, middle = height / 2, reach = (middle - 6 * ratio) / scale;
  const first = channel * SIZE, step = (SIZE - 1) / (width * PARTS);
  for (let px = 0; px < width; px += 1) {
    for (let part = 0; part <= PARTS; part += 1) {
      const place = (px * PARTS + part) * step, before = Math.min(Math.floor(place), SIZE - 2), share = place - before;
      heights[part] = middle - reach * (samples[first + before] * (1 - share) + samples[first + before + 1] * share);
    }
    column(made, px, heights, tint, 0.85);
  }
}
