import { open } from 'node:fs/promises';
import type { RemoteMedia } from '../media/ffmpeg/ports.ts';
import { heifProbe } from '../media/probe/heif/heif-probe.ts';
import { findApertures, hiddenAperture } from '../media/probe/heif/items.ts';
import { readHeif } from '../media/probe/heif/read-heif.ts';
import type { Probe } from '../media/probe/probe.ts';
import { readIccProfile } from '../media/probe/read-icc.ts';
import { readPngProfile } from '../media/probe/read-png.ts';

/** HEIF's brands of still images. Sequences have others. */
const stillBrands = ['avif', 'heic', 'heix', 'heim', 'heis', 'mif1'];

/** More than the descriptions of a photo with hundreds of tiles and its profile. */
const headBytes = 2_000_000;

/** Probes a still image in HEIF: HEIC or AVIF. Undefined for any other file, and for one that cannot be read as such. */
export async function probeHeif({ readAt, sizeBytes }: RemoteMedia): Promise<Probe | undefined> {
  const brand = Buffer.from(await readAt(0, 12));
  if (brand.toString('latin1', 4, 8) !== 'ftyp' || !stillBrands.includes(brand.toString('latin1', 8))) return undefined;
  const heif = readHeif(Buffer.from(await readAt(0, headBytes)));
  return heif && heifProbe(heif, { sizeBytes });
}

/** Renames the crop of a HEIF file on disk, so that ffmpeg 7.1 can open the file. The probe keeps the crop. */
export async function hideApertures(path: string, { readAt }: Pick<RemoteMedia, 'readAt'>): Promise<void> {
  const positions = findApertures(Buffer.from(await readAt(0, headBytes)));
  if (positions.length === 0) return;
  await using file = await open(path, 'r+');
  for (const position of positions) await file.write(hiddenAperture, position, 'latin1');
}

/** Arguments for ffprobe that name the demuxer of a JPEG; see `imageInput`. */
export async function jpegArguments({ readAt }: Pick<RemoteMedia, 'readAt'>): Promise<string[]> {
  const isJpeg = Buffer.from(await readAt(0, 3)).toString('hex') === 'ffd8ff';
  return isJpeg ? ['-f', 'jpeg_pipe'] : [];
}

/** Whether ffprobe has found a PNG whose color profile `withPngProfile` can add. */
export function isPng({ streams: [first] }: Probe): boolean {
  return first?.kind === 'video' && first.codec === 'png' && !first.isAttachedPicture;
}

/** Adds the color profile of a PNG. `readAt` reads small ranges near each other. */
export async function withPngProfile(probe: Probe, { readAt }: Pick<RemoteMedia, 'readAt'>): Promise<Probe> {
  const profile = await readPngProfile(readAt);
  const colorProfile = profile && readIccProfile(profile);
  if (colorProfile === undefined) return probe;
  const streams = probe.streams.map((stream) => (stream.kind === 'video' ? { ...stream, colorProfile } : stream));
  return { ...probe, streams };
}
