import { type Box, findBox, fourCharacters, part, type ReadAt, readBoxes, viewOf } from '../boxes.ts';
import { readEditList } from './edit-list.ts';
import { readPositions, readSampleTables, type SamplePositions } from './sample-table.ts';

/** The samples of a track in decoding order. Times are in ticks of the track's time scale. */
export type TrackSamples = SamplePositions & {
  /** From 0. */
  dts: Float64Array;
  /** Presentation time less decoding time; left out if they are the same. */
  offsets?: Int32Array | undefined;
  /** Duration of the last sample. */
  lastTicks: number;
  sizes: Uint32Array;
  /** 1 for a keyframe; left out if all samples are keyframes. */
  keyframes?: Uint8Array | undefined;
  /** Content of `sdtp`: on which samples each depends. */
  dependencies?: Uint8Array | undefined;
};

/** How many frames a decoder needs before a sample (`sgpd`), and which samples need them (`sbgp`): runs from the first. */
export type SampleGroups = { description: DataView; runs: { samples: number; group: number }[] };

/** A track, with the contents of the boxes that describe it. */
export type MovieTrack = {
  /** `vide` or `soun`. */
  kind: string;
  timescale: number;
  /** `tkhd`, `mdhd`, `stsd`. */
  header: DataView;
  mediaHeader: DataView;
  description: DataView;
  /** `hdlr`, and `elng` of a language with a region or script. */
  handler: readonly Box[];
  /** The boxes of `minf` besides the sample table. */
  mediaInformation: readonly Box[];
  groups?: SampleGroups | undefined;
  samples: TrackSamples;
  /** From the start of the first sample to the latest end of one, in ticks. */
  durationTicks: number;
  /** Presentation time of what is shown first, in ticks, and how long nothing is shown before. */
  mediaTime: number;
  emptyTicks: number;
};

/** The index of a file that ffmpeg wrote. */
export type Movie = {
  /** Content of `ftyp`. */
  brands: DataView;
  /** Content of `mvhd`. */
  header: DataView;
  movieTimescale: number;
  tracks: MovieTrack[];
  /** Content of `udta`, which names the muxer. */
  userData?: DataView | undefined;
  /** The content of `mdat`. */
  data: { start: number; end: number };
};

/** ffmpeg writes `ftyp` and an empty box before the media. */
const headBytes = 256;

/**
 * Reads the index of an MP4 or MOV that ffmpeg wrote with the index behind the media, by two ranges. Undefined for a file
 * with anything that a join would lose: an unknown box, fragments, several edits, more than one sample description.
 */
export async function readMovie(readAt: ReadAt, sizeBytes: number): Promise<Movie | undefined> {
  const head = viewOf(await readAt(0, Math.min(headBytes, sizeBytes)));
  const found = findMedia(head);
  if (found === undefined || found.data.end >= sizeBytes) return undefined;
  const index = viewOf(await readAt(found.data.end, sizeBytes - found.data.end));
  const boxes = readBoxes(index);
  const [movie] = boxes;
  if (boxes.length !== 1 || movie?.type !== 'moov') return undefined;
  return readIndex(readBoxes(movie.content), found);
}

function findMedia(head: DataView): Pick<Movie, 'brands' | 'data'> | undefined {
  let brands: DataView | undefined;
  for (let offset = 0; offset + 16 <= head.byteLength; ) {
    const [size, type] = [head.getUint32(offset), fourCharacters(head, offset + 4)];
    const isLong = size === 1;
    const end = offset + (isLong ? Number(head.getBigUint64(offset + 8)) : size);
    if (end < offset + 8) return undefined;
    if (type === 'mdat') return brands && { brands, data: { start: offset + (isLong ? 16 : 8), end } };
    if (type === 'ftyp') {
      if (end > head.byteLength) return undefined;
      brands = part(head, offset + 8, size - 8);
    } else if (type !== 'free' && type !== 'wide') return undefined;
    offset = end;
  }
  return undefined;
}

function readIndex(boxes: readonly Box[], media: Pick<Movie, 'brands' | 'data'>): Movie | undefined {
  const header = findBox(boxes, 'mvhd');
  if (header?.byteLength !== 100 || !hasOnly(boxes, ['mvhd', 'trak', 'udta'])) return undefined;
  const movieTimescale = header.getUint32(12);
  const tracks: MovieTrack[] = [];
  for (const { content } of boxes.filter(({ type }) => type === 'trak')) {
    const track = readMovieTrack(readBoxes(content), movieTimescale);
    if (track === undefined) return undefined;
    tracks.push(track);
  }
  return { ...media, header, movieTimescale, tracks, userData: findBox(boxes, 'udta') };
}

function readMovieTrack(boxes: readonly Box[], movieTimescale: number): MovieTrack | undefined {
  const [header, media] = [findBox(boxes, 'tkhd'), findBox(boxes, 'mdia')];
  if (header?.byteLength !== 84 || !media || !hasOnly(boxes, ['tkhd', 'edts', 'mdia'])) return undefined;
  const mediaBoxes = readBoxes(media);
  const [mediaHeader, handler] = [findBox(mediaBoxes, 'mdhd'), findBox(mediaBoxes, 'hdlr')];
  const information = readBoxes(findBox(mediaBoxes, 'minf') ?? part(media, media.byteLength));
  const table = findBox(information, 'stbl');
  if (mediaHeader?.byteLength !== 24 || !handler || !table) return undefined;
  if (!hasOnly(mediaBoxes, ['mdhd', 'hdlr', 'elng', 'minf'])) return undefined;
  const timescale = mediaHeader.getUint32(12);
  const durationTicks = mediaHeader.getUint32(16);
  const edit = readEdit(findBox(boxes, 'edts'), { timescale, movieTimescale });
  const tables = readTables(readBoxes(table));
  return (
    edit &&
    tables && {
      ...edit,
      ...tables,
      header,
      mediaHeader,
      handler: mediaBoxes.filter(({ type }) => type === 'hdlr' || type === 'elng'),
      timescale,
      durationTicks,
      kind: fourCharacters(handler, 8),
      mediaInformation: information.filter(({ type }) => type !== 'stbl'),
    }
  );
}

function readEdit(
  container: DataView | undefined,
  scales: { timescale: number; movieTimescale: number },
): Pick<MovieTrack, 'mediaTime' | 'emptyTicks'> | undefined {
  if (container === undefined) return { mediaTime: 0, emptyTicks: 0 };
  const list = findBox(readBoxes(container), 'elst');
  return list && readEditList(list, scales);
}

const tableBoxes = ['stsd', 'stts', 'stss', 'sdtp', 'ctts', 'stsc', 'stsz', 'stco', 'co64', 'sgpd', 'sbgp'];

function readTables(boxes: readonly Box[]): Pick<MovieTrack, 'description' | 'groups' | 'samples'> | undefined {
  if (!hasOnly(boxes, tableBoxes)) return undefined;
  const find = (type: string) => findBox(boxes, type);
  const [description, dependencyTable] = [find('stsd'), find('sdtp')];
  const tables = readSampleTables(find);
  if (description?.getUint32(4) !== 1 || tables === undefined) return undefined;
  const { samples: count, dts, offsets, keyframes } = tables;
  if (dependencyTable && dependencyTable.byteLength !== 4 + count) return undefined;
  const positioned = readPositions(find, count);
  const groups = readGroups(find);
  if (positioned === undefined || groups === undefined) return undefined;
  return {
    description,
    ...(groups === 'none' ? {} : { groups }),
    samples: {
      dts,
      lastTicks: tables.durationOf(count - 1),
      offsets,
      keyframes,
      ...positioned,
      sizes: Uint32Array.from({ length: count }, (_, sample) => tables.sizeOf(sample)),
      dependencies: dependencyTable && Uint8Array.from({ length: count }, (_, at) => dependencyTable.getUint8(4 + at)),
    },
  };
}

function readGroups(find: (type: string) => DataView | undefined): SampleGroups | 'none' | undefined {
  const [description, assignment] = [find('sgpd'), find('sbgp')];
  if (description === undefined && assignment === undefined) return 'none';
  if (!description || !assignment || assignment.byteLength < 12 || assignment.getUint8(0) !== 0) return undefined;
  if ([description, assignment].some((view) => fourCharacters(view, 4) !== 'roll')) return undefined;
  const count = assignment.getUint32(8);
  if (12 + 8 * count > assignment.byteLength) return undefined;
  return {
    description,
    runs: Array.from({ length: count }, (_, run) => ({
      samples: assignment.getUint32(12 + 8 * run),
      group: assignment.getUint32(16 + 8 * run),
    })),
  };
}

/** Whether there are no other boxes, and each of these at most once, but for tracks. */
function hasOnly(boxes: readonly Box[], types: readonly string[]): boolean {
  return boxes.every(
    ({ type }, index) =>
      types.includes(type) && (type === 'trak' || boxes.findIndex((box) => box.type === type) === index),
  );
}
