import { type FragmentedFile, segmentIndex } from '../../media/fragments/fragmented-file.ts';
import type { Segment } from '../../media/playlists/segment-rates.ts';
import { decodeFrameTimes } from '../frame-index/frame-index.ts';
import type { FragmentTable } from '../plan/chunk-result.ts';
import type { JoinedFrames } from '../verify/verify-join.ts';
import type { AssemblyDefect } from './assemble-movie.ts';

/** A finished rendition of a stream: `ftyp` and `moov` of its first chunk, this index, and the fragments of all chunks. */
export type JoinedFragments = {
  index: Uint8Array;
  file: FragmentedFile;
  /** Each fragment up to the end of its keyframe. */
  keyframes: Segment[];
  frames: JoinedFrames;
  hasCaptions: boolean;
};

/** Joins the files of the chunks of one rendition by what their tasks measured. */
export function joinFragmentTables(tables: readonly FragmentTable[]): JoinedFragments | AssemblyDefect {
  const [first] = tables;
  if (first === undefined) throw new TypeError('Expected the file of a chunk, found none');
  const defect = findDifference(first, tables);
  if (defect !== undefined) return { defect };
  const { initBytes, codec, ticksPerSecond } = first;
  const fragments = tables.flatMap((each) => each.fragments);
  const index = segmentIndex(fragments, ticksPerSecond);
  let [offset, frame] = [initBytes + index.length, 0];
  const segments = fragments.map(({ sizeBytes, ticks, frames, keyframeBytes }) => {
    const segment = { offset, frame, sizeBytes, keyframeBytes, seconds: ticks / ticksPerSecond };
    offset += sizeBytes;
    frame += frames;
    return segment;
  });
  return {
    index,
    file: {
      initBytes,
      codec,
      ticksPerSecond,
      index: { offset: initBytes, sizeBytes: index.length },
      fragments: segments.map(({ offset, sizeBytes, seconds }) => ({ offset, sizeBytes, seconds })),
    },
    keyframes: segments.map(({ offset, keyframeBytes, seconds }) => ({ offset, sizeBytes: keyframeBytes, seconds })),
    frames: {
      timeBase: { numerator: 1, denominator: ticksPerSecond },
      timelineOrigin: { containerSeconds: 0, fileSeconds: 0 },
      pts: Float64Array.from(tables.flatMap(({ frameTimes }) => [...decodeFrameTimes(frameTimes).pts])),
      keyframes: segments.map(({ frame }) => ({ frame, bytesBefore: 0 })),
    },
    hasCaptions: tables.some((each) => each.hasCaptions),
  };
}

/** Players read the fragments of all chunks by the header of the first. */
function findDifference(first: FragmentTable, tables: readonly FragmentTable[]): string | undefined {
  for (const [chunk, each] of tables.entries()) {
    const name = `Chunk ${chunk + 1}`;
    if (each.descriptionHash !== first.descriptionHash || each.codec !== first.codec) {
      return `${name} has another decoder configuration than the first chunk`;
    }
    const { denominator, numerator } = each.frameTimes.timeBase;
    if (each.ticksPerSecond !== first.ticksPerSecond || denominator !== first.ticksPerSecond * numerator) {
      return `${name} has another time scale than the first chunk`;
    }
    if (each.mediaTime !== first.mediaTime) return `${name} delays its frames otherwise than the first chunk`;
  }
  return undefined;
}
