import { type Box, findBox, type ReadAt, readBoxes } from '../boxes.ts';
import {
  type BoxAt,
  childrenOf,
  contentOf,
  findBoxes,
  kindOf,
  mediaOfTracks,
  only,
  sampleTableOf,
} from '../mp4/find-track.ts';
import type { Probe } from './probe.ts';

type File = { readAt: ReadAt; sizeBytes: number };

/**
 * Marks a video with predicted frames of which an MP4 or MOV states that all are keyframes.
 * @param readAt reads small ranges near each other
 */
export async function withStatedKeyframes(probe: Probe, index: number, file: File): Promise<Probe> {
  if (!probe.container.includes('mp4') || !(await statesAllKeyframes(probe, index, file))) return probe;
  const streams = probe.streams.map((stream) =>
    stream.kind === 'video' && stream.index === index ? { ...stream, misstatesKeyframes: true as const } : stream,
  );
  return { ...probe, streams };
}

async function statesAllKeyframes({ streams }: Probe, index: number, file: File): Promise<boolean> {
  const { readAt, sizeBytes } = file;
  const tables: (BoxAt[] | undefined)[] = [];
  for (const media of await mediaOfTracks(readAt, sizeBytes)) {
    if ((await kindOf(readAt, media)) === 'vide') tables.push(await sampleTableOf(readAt, media));
  }
  const videos = streams.filter((stream) => stream.kind === 'video' && !stream.isAttachedPicture);
  const position = videos.findIndex((video) => video.index === index);
  const table = tables[position];
  if (tables.length !== videos.length || table === undefined) return false;
  const samples = await countAt(readAt, only(table, 'stsz'), 8);
  if (samples === 0) return fragmentsStateAll(file, videos[position]?.id);
  // Without the box, all samples are keyframes (ISO/IEC 14496-12, 8.6.2). Some writers list all.
  const box = only(table, 'stss');
  return samples !== undefined && (box === undefined || (await countAt(readAt, box, 4)) === samples);
}

async function countAt(readAt: ReadAt, box: BoxAt | undefined, at: number): Promise<number | undefined> {
  if (box === undefined || box.end - box.start < at + 4) return undefined;
  const bytes = await readAt(box.start + at, 4);
  return bytes.length < 4 ? undefined : Buffer.from(bytes).readUInt32BE();
}

/** Of the flags of a sample (8.8.3.1). */
const isNonSync = 0x10000;

/** Whether the second sample of the first fragment is stated to be a keyframe, as those of some live encoders all are. */
async function fragmentsStateAll({ readAt, sizeBytes }: File, trackId: number | undefined): Promise<boolean> {
  const boxes = await findBoxes(readAt, { start: 0, end: sizeBytes }, 'moof');
  const fragment = await contentOf(readAt, only(boxes, 'moof'));
  const extension = await contentOf(readAt, only(await childrenOf(readAt, only(boxes, 'moov')), 'mvex'));
  if (fragment === undefined || extension === undefined) return false;
  try {
    const ofMovie = readBoxes(extension).find((box) => isOfTrack(box, 'trex', trackId));
    const track = readBoxes(fragment)
      .map(({ content }) => readBoxes(content))
      .find((parts) => parts.some((part) => isOfTrack(part, 'tfhd', trackId)));
    const flags = track && secondSampleFlags(track, ofMovie?.content.getUint32(20));
    return flags !== undefined && (flags & isNonSync) === 0;
  } catch (cause) {
    // A box ends too early.
    if (cause instanceof RangeError) return false;
    throw cause;
  }
}

function isOfTrack({ type, content }: Box, expected: string, trackId: number | undefined): boolean {
  return type === expected && content.getUint32(4) === trackId;
}

/** The flags of the second sample of a fragment (8.8.7 and 8.8.8). Undefined if its first run has one sample. */
function secondSampleFlags(track: readonly Box[], ofMovie: number | undefined): number | undefined {
  const [header, run] = [findBox(track, 'tfhd'), findBox(track, 'trun')];
  if (header === undefined || run === undefined || run.getUint32(4) < 2) return undefined;
  const flags = run.getUint32(0);
  if (flags & 0x400) {
    const beforeFlags = sizeOf(flags, [0x100, 0x200]);
    const sample = beforeFlags + sizeOf(flags, [0x400, 0x800]);
    return run.getUint32(8 + sizeOf(flags, [0x1, 0x4]) + sample + beforeFlags);
  }
  const ofFragment = header.getUint32(0);
  if (!(ofFragment & 0x20)) return ofMovie;
  // The first of these fields has eight bytes.
  return header.getUint32(8 + 2 * sizeOf(ofFragment, [0x1]) + sizeOf(ofFragment, [0x2, 0x8, 0x10]));
}

/** The bytes of the fields of four bytes that flags announce. */
function sizeOf(flags: number, fields: readonly number[]): number {
  return 4 * fields.filter((field) => flags & field).length;
}
