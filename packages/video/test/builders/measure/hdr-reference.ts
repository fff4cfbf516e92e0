/** Red, green and blue. Linear light in nits, or a signal from 0 to 1. */
export type Rgb = readonly [number, number, number];

const peakNits = 1000;
const whiteNits = 203;

/** The inverse EOTF of PQ (ITU-R BT.2100, table 4). */
export function toPq(nits: number): number {
  const power = (Math.max(0, nits) / 10_000) ** (2610 / 16_384);
  return ((3424 / 4096 + (2413 / 128) * power) / (1 + (2392 / 128) * power)) ** (2523 / 32);
}

/** The EOTF of PQ, in nits. */
function fromPq(signal: number): number {
  const power = signal ** (32 / 2523);
  const ratio = Math.max(0, power - 3424 / 4096) / (2413 / 128 - (2392 / 128) * power);
  return 10_000 * ratio ** (16_384 / 2610);
}

/** Display light in nits to an HLG signal, for a display of 1,000 nits (ITU-R BT.2100, table 5). */
export function toHlg(light: Rgb): Rgb {
  const [r, g, b] = light.map((nits) => nits / peakNits) as unknown as Rgb;
  const luminance = 0.2627 * r + 0.678 * g + 0.0593 * b;
  const systemGamma = 1.2;
  const scene = (value: number) => (luminance === 0 ? 0 : value * luminance ** (1 / systemGamma - 1));
  return [r, g, b].map((value) => hlgOetf(scene(value))) as unknown as Rgb;
}

function hlgOetf(light: number): number {
  if (light <= 1 / 12) return Math.sqrt(3 * light);
  const [a, b, c] = [0.17883277, 0.28466892, 0.55991073];
  return a * Math.log(12 * light - b) + c;
}

/**
 * The reference conversion of BT.2020 display light in nits to an SDR signal: down-mapping (ITU-R BT.2408, 5.2) by the
 * EETF of ITU-R BT.2390, 5.4.1, from 1,000 nits to the reference white of 203; the matrix of ITU-R BT.2407, 2; and the
 * inverse EOTF of ITU-R BT.1886.
 */
export function referenceSdr(light: Rgb): Rgb {
  const [r, g, b] = light.map((nits) => eetf(nits) / whiteNits) as unknown as Rgb;
  const linear: Rgb = [
    1.6605 * r - 0.5876 * g - 0.0728 * b,
    -0.1246 * r + 1.1329 * g - 0.0083 * b,
    -0.0182 * r - 0.1006 * g + 1.1187 * b,
  ];
  return linear.map((value) => Math.min(1, Math.max(0, value)) ** (1 / 2.4)) as unknown as Rgb;
}

/** Nits on a display of 1,000 nits to nits on one of 203, both with a black of 0. */
function eetf(nits: number): number {
  const sourcePeak = toPq(peakNits);
  const signal = toPq(nits) / sourcePeak;
  const target = toPq(whiteNits) / sourcePeak;
  const knee = 1.5 * target - 0.5;
  if (signal < knee) return nits;
  const t = (signal - knee) / (1 - knee);
  const spline =
    (2 * t ** 3 - 3 * t ** 2 + 1) * knee + (t ** 3 - 2 * t ** 2 + t) * (1 - knee) + (-2 * t ** 3 + 3 * t ** 2) * target;
  return fromPq(spline * sourcePeak);
}

/** Linear BT.709, 0 to 1, to linear BT.2020 in nits (ITU-R BT.2087), where 1 is reference white. */
export function toBt2020([r, g, b]: Rgb): Rgb {
  return [
    whiteNits * (0.6274 * r + 0.3293 * g + 0.0433 * b),
    whiteNits * (0.0691 * r + 0.9195 * g + 0.0114 * b),
    whiteNits * (0.0164 * r + 0.088 * g + 0.8956 * b),
  ];
}

/** Linear BT.709, 0 to 1, to linear P3 with the white of D65 in nits (SMPTE EG 432-1), where 1 is reference white. */
export function toDisplayP3([r, g, b]: Rgb): Rgb {
  return [
    whiteNits * (0.8225 * r + 0.1775 * g),
    whiteNits * (0.0332 * r + 0.9668 * g),
    whiteNits * (0.0171 * r + 0.0724 * g + 0.9105 * b),
  ];
}
