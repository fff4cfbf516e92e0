import { fourCharacters, viewOf } from '../boxes.ts';

/**
 * How the RGB values of an image relate to linear sRGB: the curve of each channel, then a matrix by rows. The curve is
 * (a x + b)^g + e from d on, and c x + f below, as in ICC.1.
 */
export type ColorProfile = { curves: readonly Curve[]; matrix: readonly number[] };

export type Curve = { g: number; a: number; b: number; c: number; d: number; e: number; f: number };

const sRgbCurve: Curve = { g: 2.4, a: 1 / 1.055, b: 0.055 / 1.055, c: 1 / 12.92, d: 0.04045, e: 0, f: 0 };

/** From XYZ under D50, in which profiles are written, to linear sRGB. */
const xyzToSrgb = [
  [3.1338561, -1.6168667, -0.4906146],
  [-0.9787684, 1.9161415, 0.033454],
  [0.0719453, -0.2289914, 1.4052427],
];

/**
 * Reads an ICC profile of RGB with a matrix, as displays and cameras have. Undefined for one of sRGB, which needs no
 * conversion, and for any other profile.
 */
export function readIccProfile(bytes: Uint8Array): ColorProfile | undefined {
  try {
    return readMatrixProfile(viewOf(bytes));
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function readMatrixProfile(view: DataView): ColorProfile | undefined {
  if (fourCharacters(view, 36) !== 'acsp' || fourCharacters(view, 16) !== 'RGB ' || fourCharacters(view, 20) !== 'XYZ ')
    return undefined;
  const colorants = ['rXYZ', 'gXYZ', 'bXYZ'].map((name) => readXyz(view, tagOffset(view, name)));
  const curves = ['rTRC', 'gTRC', 'bTRC'].map((name) => readCurve(view, tagOffset(view, name)));
  const [red, green, blue] = colorants;
  if (!red || !green || !blue || !curves.every((curve) => curve !== undefined)) return undefined;
  const matrix = xyzToSrgb.flatMap((row) =>
    [red, green, blue].map((colorant) => row.reduce((sum, factor, axis) => sum + factor * (colorant[axis] ?? 0), 0)),
  );
  const isIdentity = matrix.every((value, index) => Math.abs(value - (index % 4 === 0 ? 1 : 0)) < 0.01);
  return isIdentity && curves.every(isSrgb) ? undefined : { matrix, curves };
}

/** The offset of a tag's data; undefined if the profile has no such tag. */
function tagOffset(view: DataView, name: string): number | undefined {
  const count = Math.min(view.getUint32(128), 100);
  for (let tag = 0; tag < count; tag++) {
    const entry = 132 + tag * 12;
    if (fourCharacters(view, entry) === name) return view.getUint32(entry + 4);
  }
  return undefined;
}

function readXyz(view: DataView, offset: number | undefined): number[] | undefined {
  if (offset === undefined || fourCharacters(view, offset) !== 'XYZ ') return undefined;
  return [8, 12, 16].map((at) => fixed(view, offset + at));
}

/** Which parameters each function type of a parametric curve has, in their order. */
const parametersByType = ['g', 'gab', 'gabc', 'gabcd', 'gabcdef'];

function readCurve(view: DataView, offset: number | undefined): Curve | undefined {
  if (offset === undefined) return undefined;
  const gamma = (g: number): Curve => ({ g, a: 1, b: 0, c: 0, d: 0, e: 0, f: 0 });
  if (fourCharacters(view, offset) === 'curv') {
    const count = view.getUint32(offset + 8);
    if (count === 0) return gamma(1);
    if (count === 1) return gamma(view.getUint16(offset + 12) / 256);
    // Before memory is taken for its values.
    if (offset + 12 + 2 * count > view.byteLength) return undefined;
    return fitTable(Array.from({ length: count }, (_, index) => view.getUint16(offset + 12 + 2 * index) / 65_535));
  }
  const type = view.getUint16(offset + 8);
  const names = fourCharacters(view, offset) === 'para' ? parametersByType[type] : undefined;
  if (names === undefined) return undefined;
  const values = Object.fromEntries([...names].map((name, index) => [name, fixed(view, offset + 12 + 4 * index)]));
  const curve = { ...gamma(1), ...values };
  // In types 1 and 2, the power function begins where its base is 0, and `c` is what it ends at and begins with.
  if (type === 1) return { ...curve, c: 0, d: -curve.b / curve.a };
  if (type === 2) return { ...curve, c: 0, d: -curve.b / curve.a, e: curve.c, f: curve.c };
  return curve;
}

/** The curve of sRGB if a table is close to it, else the power function through its middle. */
function fitTable(table: readonly number[]): Curve {
  const valueAt = (x: number) => {
    const index = Math.min(table.length - 2, Math.floor(x * (table.length - 1)));
    const [low = 0, high = 0] = table.slice(index, index + 2);
    return low + (high - low) * (x * (table.length - 1) - index);
  };
  const isSrgbTable = Array.from({ length: 257 }, (_, index) => index / 256).every(
    (x) => Math.abs(valueAt(x) - evaluate(sRgbCurve, x)) < 0.005,
  );
  if (isSrgbTable) return sRgbCurve;
  const g = Math.log(Math.max(1e-6, valueAt(0.5))) / Math.log(0.5);
  return { g, a: 1, b: 0, c: 0, d: 0, e: 0, f: 0 };
}

function isSrgb(curve: Curve): boolean {
  return Array.from({ length: 33 }, (_, index) => index / 32).every(
    (x) => Math.abs(evaluate(curve, x) - evaluate(sRgbCurve, x)) < 0.005,
  );
}

function evaluate({ g, a, b, c, d, e, f }: Curve, x: number): number {
  return x >= d ? Math.max(0, a * x + b) ** g + e : c * x + f;
}

/** A signed fixed-point number with 16 bits after the point. */
function fixed(view: DataView, offset: number): number {
  return view.getInt32(offset) / 65_536;
}
