import { bytesOf, findBox, readBoxes, viewOf } from '../boxes.ts';
import { type BoxAt, boxHeaderAt } from '../mp4/find-track.ts';
import type { ReadAt } from '../read-at.ts';
import type { Probe } from './probe.ts';

/** Of a recording of a whole day, with two boxes for each second. Each takes a request if the file is read remotely. */
const maxBoxes = { local: 200_000, remote: 200 };

/** More than a header without samples, or one fragment, has. */
const maxBoxBytes = 1_000_000;

const isType = /^[\x20-\x7e\xa9]{4}$/;

/** An index: its place, and the fragments around it. */
type Index = { index: BoxAt; before?: BoxAt | undefined; behind?: BoxAt | undefined };

export type Wholeness = Pick<Probe, 'misreading' | 'unreadableShare' | 'isFragmented'>;

type File = {
  readAt: ReadAt;
  /** Reads more than is asked for, which is of use up to the first fragment. */
  readInBlocks?: ReadAt;
  sizeBytes: number;
};

/** What of an MP4 ffmpeg would not read. Reads the headers of all its boxes, of a remote file those of the first 200. */
export async function readWholeness(file: File, { isRemote = false } = {}): Promise<Wholeness> {
  const { indexes, isFragmented, end } = await findIndexes(file, isRemote ? maxBoxes.remote : maxBoxes.local);
  const unreadable = isFragmented ? file.sizeBytes - end : 0;
  const misreading = await describeJoinedFiles(file.readInBlocks ?? file.readAt, indexes);
  return {
    ...(misreading && { misreading }),
    ...(isFragmented && { isFragmented }),
    ...(unreadable > 0 && { unreadableShare: unreadable / file.sizeBytes }),
  };
}

/**
 * Why only a part of an MP4 would be read: it is several files one behind the other, as recorders of live streams and `cat`
 * make them. ffmpeg skips the index of every file but the first. A stream whose index is repeated is one file.
 */
async function describeJoinedFiles(readAt: ReadAt, [first, ...others]: readonly Index[]): Promise<string | undefined> {
  if (first === undefined) return undefined;
  for (const other of others) {
    if (await isContinued(readAt, first, other)) continue;
    return (
      `The input is ${others.length + 1} files one behind the other: the box moov at byte ${other.index.start - 8} begins another one, ` +
      'and only the first would be read. Send them as inputs of the recipe concat'
    );
  }
  return undefined;
}

type Boxes = { indexes: Index[]; isFragmented: boolean; end: number };

/** `end` is where the last whole box ends. */
async function findIndexes({ readAt, readInBlocks = readAt, sizeBytes }: File, limit: number): Promise<Boxes> {
  const indexes: Index[] = [];
  let before: BoxAt | undefined;
  let end = 0;
  for (let count = 0; end + 8 <= sizeBytes; count += 1) {
    const read = before === undefined ? readInBlocks : readAt;
    const box = await boxHeaderAt(read, { start: end, end: sizeBytes });
    if (count === limit) end = sizeBytes;
    if (box === undefined || box.end > sizeBytes || !isType.test(box.type) || count === limit) break;
    if (box.type === 'moov') indexes.push({ index: box, before });
    const last = indexes.at(-1);
    if (box.type === 'moof') before = box;
    if (box.type === 'moof' && last !== undefined) last.behind ??= box;
    end = box.end;
  }
  return { indexes, isFragmented: before !== undefined, end };
}

/** Whether what follows another index has the same settings and later times. */
async function isContinued(readAt: ReadAt, first: Index, { index, before, behind }: Index): Promise<boolean> {
  const settings = await settingsOf(readAt, first.index);
  if (settings === undefined || settings !== (await settingsOf(readAt, index))) return false;
  const earlier = await startsOf(readAt, before);
  return [...(await startsOf(readAt, behind))].every(([track, start]) => start >= (earlier.get(track) ?? 0n));
}

/** The settings of the decoders. Undefined for a file without fragments, whose frames only its own index lists. */
async function settingsOf(readAt: ReadAt, index: BoxAt): Promise<string | undefined> {
  const boxes = readBoxes(await contentOf(readAt, index));
  if (findBox(boxes, 'mvex') === undefined) return undefined;
  const tracks = boxes.filter(({ type }) => type === 'trak');
  return tracks
    .map(({ content }) => {
      const path = ['mdia', 'minf', 'stbl', 'stsd'];
      const description = path.reduce((box, type) => findBox(readBoxes(box), type) ?? nothing, content);
      return Buffer.from(bytesOf(description)).toString('base64');
    })
    .join();
}

/** When each track of a fragment starts, by its id, in ticks. */
async function startsOf(readAt: ReadAt, fragment: BoxAt | undefined): Promise<Map<number, bigint>> {
  const tracks = readBoxes(await contentOf(readAt, fragment)).filter(({ type }) => type === 'traf');
  return new Map(
    tracks.flatMap(({ content }) => {
      const boxes = readBoxes(content);
      const [header, time] = [findBox(boxes, 'tfhd'), findBox(boxes, 'tfdt')];
      if (!header || !time || header.byteLength < 8 || time.byteLength < 8) return [];
      const isLong = time.getUint8(0) === 1 && time.byteLength >= 12;
      return [[header.getUint32(4), isLong ? time.getBigUint64(4) : BigInt(time.getUint32(4))]];
    }),
  );
}

const nothing = viewOf(new Uint8Array(0));

async function contentOf(readAt: ReadAt, box: BoxAt | undefined): Promise<DataView> {
  if (box === undefined || box.end - box.start > maxBoxBytes) return nothing;
  return viewOf(await readAt(box.start, box.end - box.start));
}
