import { hasOwnLastFrame } from '../../encoding/video/frame-times.ts';
import { type FragmentedFile, segmentIndex } from '../../media/fragments/fragmented-file.ts';
import {
  type ChunkTrack,
  findTrackDefect,
  type JoinedTrack,
  joinAudio,
  joinVideo,
  setLastSample,
} from '../../media/mp4/join-tracks.ts';
import type { Movie } from '../../media/mp4/read-movie.ts';
import { movieHeader } from '../../media/mp4/write-movie.ts';
import type { Segment } from '../../media/playlists/segment-rates.ts';
import { requireVideo } from '../../media/probe/streams.ts';
import { decodeFrameTimes, secondsToTicks, ticksToSeconds } from '../frame-index/frame-index.ts';
import type { ChunkedWork } from '../plan/chunk-plan.ts';
import type { FragmentTable } from '../plan/chunk-result.ts';
import type { JoinedFrames } from '../verify/verify-join.ts';

export type AssembledWork = Pick<ChunkedWork, 'chunks' | 'audioChunks' | 'frameTimes'> & {
  /** Whether the last frame lasts until the end of the last chunk, whatever its packet states. */
  keepsLastFrame?: boolean;
};

/** A finished file: what precedes the samples, and then the samples of each chunk, as they lie in its file. */
export type AssembledMovie = { header: Uint8Array; data: readonly Movie['data'][] };

/** Why the files of the chunks are not one, as a sentence. */
export type AssemblyDefect = { defect: string };

/** Joins the files of the chunks of one rendition, each with its audio, by their indexes alone. */
export function assembleMovie(work: AssembledWork, movies: readonly Movie[]): AssembledMovie | AssemblyDefect {
  const [first] = movies;
  if (first === undefined || movies.length !== work.chunks.length) {
    throw new TypeError(`Expected the files of ${work.chunks.length} chunks, found ${movies.length}`);
  }
  const count = 1 + (work.audioChunks?.[0]?.tracks.length ?? 0);
  const other = movies.findIndex(({ tracks }) => tracks.length !== count);
  if (other !== -1)
    return { defect: `Chunk ${other + 1} has ${movies[other]?.tracks.length} tracks; expected ${count}` };

  const data = movies.map((movie) => movie.data);
  const moves = movesOf(data);
  const tracks: JoinedTrack[] = [];
  for (let number = 0; number < count; number += 1) {
    const ofChunks = movies.flatMap(({ tracks }, chunk) => {
      const track = tracks[number];
      return track ? [{ track, moveBytes: moves[chunk] ?? 0 }] : [];
    });
    const kind = number === 0 ? 'vide' : 'soun';
    const defect = findTrackDefect(ofChunks, kind) ?? findOutsideDefect(ofChunks, data);
    if (defect) return { defect: `Chunk ${defect.chunk + 1} ${defect.reason}` };
    const joined = number === 0 ? joinVideoTrack(work, ofChunks) : joinAudioChunks(work, ofChunks, number - 1);
    if ('defect' in joined) return joined;
    tracks.push(joined);
  }
  const dataBytes = data.reduce((sum, { start, end }) => sum + end - start, 0);
  return { header: movieHeader({ ...first, tracks, dataBytes }), data };
}

/** Whether the last frame lasts until the end of the video, as of a variable rate. */
export function doesKeepLastFrame({ source, encoding }: Pick<ChunkedWork, 'source' | 'encoding'>): boolean {
  return hasOwnLastFrame(requireVideo(source), encoding);
}

/** Bytes by which the samples of each chunk move, if the first of all is at 0. */
function movesOf(data: readonly Movie['data'][]): number[] {
  let position = 0;
  return data.map(({ start, end }) => {
    const move = position - start;
    position += end - start;
    return move;
  });
}

/** No sample may lie outside of what is copied. */
function findOutsideDefect(ofChunks: readonly ChunkTrack[], data: readonly Movie['data'][]) {
  const outside = ofChunks.findIndex(({ track: { samples } }, chunk) => {
    const { start, end } = data[chunk] ?? { start: 0, end: 0 };
    let sample = 0;
    return samples.positions.some((position, run) => {
      let last = position;
      for (const next = sample + (samples.counts[run] ?? 0); sample < next; sample += 1) {
        last += samples.sizes[sample] ?? 0;
      }
      return position < start || last > end;
    });
  });
  return outside === -1 ? undefined : { chunk: outside, reason: 'has samples outside of its media' };
}

/** Each chunk starts at its time, rounded as ffmpeg rounds the durations of a concat list. */
function joinVideoTrack(
  { chunks, frameTimes, keepsLastFrame = false }: AssembledWork,
  ofChunks: readonly ChunkTrack[],
): JoinedTrack | AssemblyDefect {
  const timescale = ofChunks[0]?.track.timescale ?? 1;
  const ticksOf = (seconds: number) => secondsToTicks(seconds, { numerator: 1, denominator: timescale });
  const firstTicks = ticksOf(ticksToSeconds(frameTimes.firstPts, frameTimes.timeBase));
  const microseconds = (chunk: number) => Math.round((chunks[chunk]?.startSeconds ?? 0) * 1e6);
  const late = ofChunks.findIndex(
    ({ track }) => track.emptyTicks !== 0 || earliestTicks(track.samples) !== track.mediaTime,
  );
  if (late !== -1) return { defect: `Chunk ${late + 1} does not start with its first frame` };
  const joined = joinVideo(
    ofChunks.map((track, chunk) => ({
      ...track,
      startTicks: firstTicks + ticksOf((microseconds(chunk) - microseconds(0)) / 1e6),
    })),
  );
  const [first, last] = [chunks.at(0), chunks.at(-1)];
  if (first === undefined || last === undefined || !keepsLastFrame) return joined;
  // Chunks count from the start of the source, the file from that of a time range.
  const seconds = last.startSeconds + last.durationSeconds - first.startSeconds;
  return setLastSample(joined, firstTicks + seconds * timescale);
}

function earliestTicks({ dts, offsets }: Pick<JoinedTrack['samples'], 'dts' | 'offsets'>): number {
  return dts.reduce((min, ticks, sample) => Math.min(min, ticks + (offsets?.[sample] ?? 0)), Number.POSITIVE_INFINITY);
}

/** The time of a packet follows from its number. */
function joinAudioChunks(
  { audioChunks = [] }: AssembledWork,
  ofChunks: readonly ChunkTrack[],
  number: number,
): JoinedTrack | AssemblyDefect {
  const plan = audioChunks[0]?.tracks[number];
  if (plan === undefined) throw new TypeError(`The plan has no track ${number} of the audio`);
  const { startSample, delaySamples, packetSamples, sampleRateHz } = plan;
  for (const [chunk, { track }] of ofChunks.entries()) {
    const { firstPacket = 0, endPacket } = audioChunks[chunk]?.tracks[number] ?? {};
    const { length: packets } = track.samples.sizes;
    if (endPacket === undefined || packets === endPacket - firstPacket) continue;
    return { defect: `Chunk ${chunk + 1} has ${packets} packets of audio; expected ${endPacket - firstPacket}` };
  }
  if (ofChunks[0]?.track.timescale !== sampleRateHz) {
    return { defect: `The audio has a time scale of ${ofChunks[0]?.track.timescale}; expected ${sampleRateHz}` };
  }
  return joinAudio(ofChunks, { firstTicks: startSample - delaySamples, packetTicks: packetSamples });
}

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
