import { rm, writeFile } from 'node:fs/promises';
import { bareFfmpeg } from '../media/bare-ffmpeg.ts';
import { cachedFile } from '../media/cached-file.ts';
import { decodeFrameAt } from './frame-at.ts';
import { type Rgb, toHlg, toPq } from './hdr-reference.ts';

export type HdrClip = {
  transfer: 'pq' | 'hlg';
  /** Light in nits, by the primaries. */
  patches: readonly Rgb[];
  /** Default: those of BT.2020. */
  primaries?: 'smpte432';
  /** Stored as RGB of full range, not with the matrix of BT.2020. */
  isRgb?: boolean;
  /** Parameters of x265, such as `max-cll=1000,400`. */
  metadata?: string;
};

const side = 32;
const transferNames = { pq: 'smpte2084', hlg: 'arib-std-b67' } as const;

/** The path of a lossless HDR clip of one frame, with the patches from left to right. */
export function hdrPatches({ transfer, patches, metadata, primaries, isRgb = false }: HdrClip): Promise<string> {
  const storage = isRgb ? 'colormatrix=gbr:range=full' : 'colormatrix=bt2020nc:range=limited';
  const tags = `colorprim=${primaries ?? 'bt2020'}:transfer=${transferNames[transfer]}:${storage}`;
  const options = ['lossless=1:log-level=error', tags, ...(metadata ? [metadata] : [])].join(':');
  const [pixelFormat, encodedFormat] = isRgb ? ['gbrp10le', 'gbrp10le'] : ['yuv444p10le', 'yuv420p10le'];
  const format = ['-f', 'rawvideo', '-pix_fmt', pixelFormat, '-s', `${side * patches.length}x${side}`];
  const encoder = ['-pix_fmt', encodedFormat, '-c:v', 'libx265', '-x265-params', options];
  return cachedFile({ name: 'hdr-patches.mp4', recipe: [transfer, patches, options] }, async (path) => {
    const raw = `${path}.yuv`;
    const toPlanes = isRgb ? toGbr : toYuv;
    await writeFile(raw, rawFrame(patches.map((light) => toPlanes(signalOf(light, transfer)))));
    try {
      await bareFfmpeg(['-v', 'error', ...format, '-r', '5', '-i', raw, ...encoder, '-tag:v', 'hvc1', path]);
    } finally {
      await rm(raw, { force: true });
    }
  });
}

/** The signals of the patches in a converted clip or image, from 0 to 1. */
export async function readPatches(path: string, count: number): Promise<Rgb[]> {
  const frame = await decodeFrameAt(path, 0);
  return Array.from({ length: count }, (_, index) => {
    const pixel = frame.colour(index * side + side / 2, side / 2);
    return pixel.map((value) => value / 255) as unknown as Rgb;
  });
}

function signalOf(light: Rgb, transfer: HdrClip['transfer']): Rgb {
  return transfer === 'hlg' ? toHlg(light) : (light.map(toPq) as unknown as Rgb);
}

/** Limited range in 10 bits, with the matrix of BT.2020. */
function toYuv([r, g, b]: Rgb): number[] {
  const luma = 0.2627 * r + 0.678 * g + 0.0593 * b;
  const chroma = (value: number) => Math.round(512 + 896 * value);
  return [Math.round(64 + 876 * luma), chroma((b - luma) / 1.8814), chroma((r - luma) / 1.4746)];
}

/** Full range in 10 bits. */
function toGbr([r, g, b]: Rgb): number[] {
  return [g, b, r].map((value) => Math.round(1023 * value));
}

function rawFrame(patches: readonly number[][]): Uint8Array {
  const planes = [0, 1, 2].map((plane) => {
    const row = patches.flatMap((values) => Array.from({ length: side }, () => values[plane] ?? 0));
    return Array.from({ length: side }, () => row).flat();
  });
  return new Uint8Array(Uint16Array.from(planes.flat()).buffer);
}
