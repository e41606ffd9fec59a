// Small sounds, made from noise and tones that die away: no files. One at a time; a browser that refuses stays silent.
const LOUD = 0.5, TICKING = 5; // the loudest; seconds at the end of one's time that tick
// each part: when it begins, how long it lasts (seconds), its pitch (Hz; of noise, what is let through), how loud, its kind
const SOUNDS = {
  deal: [[0, 0.12, 2400, 0.22, "noise"]],
  place: [[0, 0.05, 900, 0.3, "noise"], [0, 0.07, 170, 0.35, "sine"]],
  flip: [[0, 0.03, 3200, 0.3, "noise"]],
  chips: [[0, 0.04, 2900, 0.28, "triangle"], [0.07, 0.04, 3300, 0.24, "triangle"], [0.14, 0.05, 2700, 0.2, "triangle"]],
  reveal: [[0, 0.16, 700, 0.14, "noise"], [0.16, 0.07, 330, 0.3, "sine"]],
  good: [[0, 0.12, 523, 0.3, "sine"], [0.1, 0.15, 659, 0.3, "sine"]],
  bad: [[0, 0.22, 98, 0.6, "sine"], [0, 0.06, 300, 0.3, "noise"]],
  curse: [[0, 0.25, 147, 0.3, "sawtooth"], [0, 0.25, 156, 0.3, "sawtooth"], [0, 0.25, 175, 0.2, "sawtooth"]],
  feast: [[0, 0.2, 523, 0.35, "triangle"], [0.16, 0.2, 659, 0.35, "triangle"], [0.32, 0.2, 784, 0.35, "triangle"], [0.48, 0.45, 1047, 0.4, "triangle"]],
  turn: [[0, 0.11, 587, 0.2, "sine"], [0.12, 0.13, 784, 0.2, "sine"]],
  clock: [[0, 0.04, 1500, 0.25, "square"]],
};
const NEAREST = {
  moon: "reveal", "last-night": "bad", growl: "bad", torches: "curse", rope: "bad", bullet: "bad", verdict: "reveal", pass: "deal", lift: "flip", steal: "bad", accuse: "curse",
  "upside-down": "reveal", "early-bird": "reveal", "little-one": "reveal", second: "reveal", mercy: "reveal", forgiven: "good", double: "good", "all-curses": "feast",
};
let context = null, refused = false, hiss = null, playing = null, ticking = 0;

export async function start() {
  if (refused) return;
  try {
    context ??= new AudioContext();
    if (context.state === "suspended") await context.resume();
    ticking ||= setInterval(tick, 1000);
    document.dispatchEvent(new Event("sounding"));
  } catch {
    refused = true;
  }
}

export function play(cue) {
  const parts = SOUNDS[NEAREST[cue] ?? cue];
  if (!parts || refused || context?.state !== "running" || (document.hidden && cue !== "turn")) return;
  try {
    hush();
    playing = context.createGain();
    playing.gain.value = LOUD;
    playing.connect(context.destination);
    for (const part of parts) sounded(...part);
  } catch {
    refused = true;
  }
}

export function hush() {
  playing?.disconnect();
  playing = null;
}

function sounded(begins, lasts, pitch, loud, kind) {
  const at = context.currentTime + begins, gain = context.createGain(), source = kind === "noise" ? noise(pitch, gain) : context.createOscillator();
  if (kind !== "noise") {
    source.type = kind;
    source.frequency.value = pitch;
    source.connect(gain);
  }
  gain.gain.setValueAtTime(loud, at);
  gain.gain.exponentialRampToValueAtTime(0.001, at + lasts);
  gain.connect(playing);
  source.start(at);
  source.stop(at + lasts);
}

function noise(pitch, gain) {
  if (!hiss) {
    hiss = context.createBuffer(1, context.sampleRate / 2, context.sampleRate);
    const samples = hiss.getChannelData(0);
    for (let k = 0; k < samples.length; k += 1) samples[k] = 2 * Math.random() - 1;
  }
  const source = context.createBufferSource(), band = context.createBiquadFilter();
  source.buffer = hiss;
  Object.assign(band, { type: "bandpass" }).frequency.value = pitch;
  source.connect(band).connect(gain);
  return source;
}

// the last seconds of one's own time
function tick() {
  const clock = document.querySelector("#table.yours #clock"), left = !clock?.querySelector(".whose") && clock?.querySelector(".ticks").textContent.match(/^0:0(\d)$/);
  if (left && 0 < left[1] && left[1] <= TICKING && document.getElementById("sound")?.getAttribute("aria-pressed") === "true") play("clock");
}
