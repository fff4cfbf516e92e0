import { open } from 'node:fs/promises';
import { heifProbe } from '../../core/media/probe/heif/heif-probe.ts';
import { isHeifBrand, readHeif } from '../../core/media/probe/heif/read-heif.ts';
import type { Probe } from '../../core/media/probe/probe.ts';
import { readIccProfile } from '../../core/media/probe/read-icc.ts';
import { readPngProfile } from '../../core/media/probe/read-png.ts';

/** More than the descriptions of a photo with hundreds of tiles and its profile. */
const headBytes = 2_000_000;

/** Probes a still image in HEIF: HEIC or AVIF. Undefined for any other file, and for one that cannot be read as such. */
export async function probeHeif(path: string): Promise<Probe | undefined> {
  await using file = await open(path).catch(() => undefined);
  if (file === undefined) return undefined;
  const { buffer: brand } = await file.read(Buffer.alloc(12), 0, 12, 0);
  if (brand.toString('latin1', 4, 8) !== 'ftyp' || !isHeifBrand(brand.toString('latin1', 8)))
    return undefined;
  const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0);
  const heif = readHeif(buffer.subarray(0, bytesRead));
  return heif && heifProbe(heif, { sizeBytes: (await file.stat()).size });
}

export function isPng({ streams: [first] }: Probe): boolean {
  return first?.kind === 'video' && first.codec === 'png' && !first.isAttachedPicture;
}

/** Adds the color profile of a PNG. */
export async function withPngProfile(probe: Probe, path: string): Promise<Probe> {
  await using file = await open(path);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0);
  const profile = readPngProfile(buffer.subarray(0, bytesRead));
  const colorProfile = profile && readIccProfile(profile);
  if (colorProfile === undefined) return probe;
  const streams = probe.streams.map((stream) =>
    stream.kind === 'video' ? { ...stream, colorProfile } : stream,
  );
  return { ...probe, streams };
}
