import type { Rgb } from './hdr-reference.ts';

/** The color difference CIEDE2000 of two BT.709 signals from 0 to 1, with the gamma of 2.4 of a display. */
export function deltaE2000(left: Rgb, right: Rgb): number {
  const [l1, a1, b1] = labOf(left);
  const [l2, a2, b2] = labOf(right);
  const meanChroma = (Math.hypot(a1, b1) + Math.hypot(a2, b2)) / 2;
  const g = 0.5 * (1 - Math.sqrt(meanChroma ** 7 / (meanChroma ** 7 + 25 ** 7)));
  const [c1, c2] = [Math.hypot(a1 * (1 + g), b1), Math.hypot(a2 * (1 + g), b2)];
  const [h1, h2] = [hueOf(a1 * (1 + g), b1), hueOf(a2 * (1 + g), b2)];
  const isGrey = c1 * c2 === 0;
  const turn = Math.abs(h1 - h2) <= 180 ? 0 : h2 > h1 ? -360 : 360;
  const hueStep = isGrey ? 0 : h2 - h1 + turn;
  const hueDifference = 2 * Math.sqrt(c1 * c2) * Math.sin(radians(hueStep / 2));
  const [lightness, chroma] = [(l1 + l2) / 2, (c1 + c2) / 2];
  const hue = isGrey ? h1 + h2 : (h1 + h2 + Math.abs(turn)) / 2;
  const t =
    1 -
    0.17 * Math.cos(radians(hue - 30)) +
    0.24 * Math.cos(radians(2 * hue)) +
    0.32 * Math.cos(radians(3 * hue + 6)) -
    0.2 * Math.cos(radians(4 * hue - 63));
  const lightnessWeight = 1 + (0.015 * (lightness - 50) ** 2) / Math.sqrt(20 + (lightness - 50) ** 2);
  const rotation =
    -Math.sin(radians(60 * Math.exp(-(((hue - 275) / 25) ** 2)))) *
    2 *
    Math.sqrt(chroma ** 7 / (chroma ** 7 + 25 ** 7));
  const dl = (l2 - l1) / lightnessWeight;
  const dc = (c2 - c1) / (1 + 0.045 * chroma);
  const dh = hueDifference / (1 + 0.015 * chroma * t);
  return Math.sqrt(dl ** 2 + dc ** 2 + dh ** 2 + rotation * dc * dh);
}

/** CIELAB, relative to the white point D65. */
function labOf(signal: Rgb): Rgb {
  const [r, g, b] = signal.map((value) => value ** 2.4) as unknown as Rgb;
  const x = lightnessCurve((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505);
  const y = lightnessCurve(0.2126 * r + 0.7152 * g + 0.0722 * b);
  const z = lightnessCurve((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089);
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

function lightnessCurve(value: number): number {
  return value > (6 / 29) ** 3 ? Math.cbrt(value) : value / (3 * (6 / 29) ** 2) + 4 / 29;
}

function hueOf(a: number, b: number): number {
  return a === 0 && b === 0 ? 0 : ((Math.atan2(b, a) * 180) / Math.PI + 360) % 360;
}

function radians(degrees: number): number {
  return (degrees * Math.PI) / 180;
}
