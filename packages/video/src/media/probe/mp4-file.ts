import { boxAt, bytesOf, findBox, type ReadAt, readBoxes } from '../boxes.ts';
import { type FragmentTimes, missingShare, readFragmentTimes } from '../fragments/missing-fragments.ts';
import { decodeTime, tracksOfFragment } from '../fragments/write-fragment.ts';
import { type BoxAt, boxHeaderAt, contentOf } from '../mp4/find-track.ts';
import { describeJoined } from './measured-duration.ts';
import type { Probe } from './probe.ts';

/** Of a recording of a whole day, with two boxes for each second. Each takes a request if the file is read remotely. */
const maxBoxes = { local: 200_000, remote: 200 };

/** More than a header without samples, or one fragment, has. */
const maxBoxBytes = 1_000_000;

const isType = /^[\x20-\x7e\xa9]{4}$/;

/** An index: its place, and the fragments around it. */
type Index = { index: BoxAt; before?: BoxAt | undefined; behind?: BoxAt | undefined };

/** An MP4 or MOV by its boxes: what of it ffmpeg would not read, and the contents of its first `moov` and `moof`. */
export type Mp4File = {
  wholeness: Pick<Probe, 'misreading' | 'unreadableShare' | 'isFragmented'>;
  movie?: DataView | undefined;
  fragment?: DataView | undefined;
};

type File = {
  readAt: ReadAt;
  /** Reads more than is asked for, which is of use up to the first fragment. */
  readInBlocks?: ReadAt;
  sizeBytes: number;
};

/** Reads the headers of all boxes of an MP4, of a remote file those of the first 200. */
export async function readMp4File(file: File, { isRemote = false } = {}): Promise<Mp4File> {
  const { indexes, fragments, end } = await findIndexes(file, isRemote ? maxBoxes.remote : maxBoxes.local);
  const readAt = file.readInBlocks ?? file.readAt;
  const [fragment] = fragments;
  const misreading = await describeJoinedMovies(readAt, indexes);
  const movie = await contentOf(readAt, indexes[0]?.index);
  const found = movie && fragment && !isRemote ? await missingShareOf(file.readAt, fragments, movie) : 0;
  const unreadableShare = fragment ? 1 - (1 - found) * (end / file.sizeBytes) : 0;
  return {
    wholeness: {
      ...(misreading && { misreading }),
      ...(fragment && { isFragmented: true }),
      ...(unreadableShare > 0 && { unreadableShare }),
    },
    movie,
    fragment: await contentOf(readAt, fragment),
  };
}

async function missingShareOf(readAt: ReadAt, fragments: readonly BoxAt[], movie: DataView): Promise<number> {
  const times: FragmentTimes[] = [];
  for (const fragment of fragments) {
    const content = await contentOf(readAt, fragment, maxBoxBytes);
    const found = content && readFragmentTimes(content, movie);
    if (found !== undefined) times.push(found);
  }
  return missingShare(times);
}

/**
 * Why only a part of an MP4 would be read: it is several files one behind the other, as recorders of live streams and `cat`
 * make them. ffmpeg skips the index of every file but the first. A stream whose index is repeated is one file.
 */
async function describeJoinedMovies(readAt: ReadAt, [first, ...others]: readonly Index[]): Promise<string | undefined> {
  if (first === undefined) return undefined;
  for (const other of others) {
    if (await isContinued(readAt, first, other)) continue;
    return describeJoined(
      `the box moov at byte ${other.index.start - 8} begins another one`,
      `${others.length + 1} files`,
    );
  }
  return undefined;
}

type Boxes = { indexes: Index[]; fragments: BoxAt[]; end: number };

/** `end` is where the last whole box ends. */
async function findIndexes({ readAt, readInBlocks = readAt, sizeBytes }: File, limit: number): Promise<Boxes> {
  const indexes: Index[] = [];
  const fragments: BoxAt[] = [];
  let end = 0;
  for (let count = 0; end + 8 <= sizeBytes; count += 1) {
    const read = fragments.length === 0 ? readInBlocks : readAt;
    const box = await boxHeaderAt(read, { start: end, end: sizeBytes });
    if (count === limit) end = sizeBytes;
    if (box === undefined || box.end > sizeBytes || !isType.test(box.type) || count === limit) break;
    if (box.type === 'moov') indexes.push({ index: box, before: fragments.at(-1) });
    const last = indexes.at(-1);
    if (box.type === 'moof') fragments.push(box);
    if (box.type === 'moof' && last !== undefined) last.behind ??= box;
    end = box.end;
  }
  return { indexes, fragments, end };
}

/** Whether what follows another index has the same settings and later times. */
async function isContinued(readAt: ReadAt, first: Index, { index, before, behind }: Index): Promise<boolean> {
  const settings = await settingsOf(readAt, first.index);
  if (settings === undefined || settings !== (await settingsOf(readAt, index))) return false;
  const earlier = await startsOf(readAt, before);
  return [...(await startsOf(readAt, behind))].every(([track, start]) => start >= (earlier.get(track) ?? 0));
}

/** The settings of the decoders. Undefined for a file without fragments, whose frames only its own index lists. */
async function settingsOf(readAt: ReadAt, index: BoxAt): Promise<string | undefined> {
  const movie = await contentOf(readAt, index, maxBoxBytes);
  if (movie === undefined || boxAt(movie, 'mvex') === undefined) return undefined;
  const tracks = readBoxes(movie).filter(({ type }) => type === 'trak');
  return tracks
    .map(({ content }) => boxAt(content, 'mdia', 'minf', 'stbl', 'stsd'))
    .map((description) => description && Buffer.from(bytesOf(description)).toString('base64'))
    .join();
}

async function startsOf(readAt: ReadAt, fragment: BoxAt | undefined): Promise<Map<number, number>> {
  const content = await contentOf(readAt, fragment, maxBoxBytes);
  return new Map(
    (content ? tracksOfFragment(content) : []).flatMap(({ id, boxes }) => {
      const time = findBox(boxes, 'tfdt');
      return time && time.byteLength >= 12 ? [[id, decodeTime(time)]] : [];
    }),
  );
}
