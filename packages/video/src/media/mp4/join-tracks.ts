import { areSameDescriptions } from './bit-rates.ts';
import type { MovieTrack, TrackSamples } from './read-movie.ts';

/** A track of several files that follow each other. It keeps the boxes of the first. */
export type JoinedTrack = Omit<MovieTrack, 'samples' | 'durationTicks' | 'mediaTime' | 'emptyTicks'> & {
  /** `dts` counts from 0 of the movie, and is negative for what precedes it. */
  samples: TrackSamples;
  /** The latest end of a sample. Where frames are reordered, it does not follow from the decoding times. */
  endTicks: number;
};

export type ChunkTrack = {
  track: MovieTrack;
  /** Bytes by which its samples move from their file to the joined one. */
  moveBytes: number;
};

/** Why tracks cannot be joined, as the rest of a sentence about file `chunk`; it counts from 0. */
export type JoinDefect = { chunk: number; reason: string };

/** The first difference because of which the tracks cannot be one of this kind. */
export function findTrackDefect(chunks: readonly ChunkTrack[], kind: string): JoinDefect | undefined {
  const [first] = chunks;
  if (first === undefined) throw new TypeError('Expected a track, found none');
  for (const [chunk, { track }] of chunks.entries()) {
    if (track.kind !== kind) return { chunk, reason: `has a track of ${track.kind}; expected ${kind}` };
    if (track.timescale !== first.track.timescale) return { chunk, reason: 'has another time scale' };
    if (!areSameDescriptions(track.description, first.track.description)) {
      return { chunk, reason: 'has another decoder configuration' };
    }
  }
  return undefined;
}

/** Joins video. The first frame that a chunk shows has the time `startTicks` of it. */
export function joinVideo(chunks: readonly (ChunkTrack & { startTicks: number })[]): JoinedTrack {
  const { description, samples } = concatenate(chunks);
  const { dts, offsets } = samples;
  let [sample, earliest, endTicks] = [0, Number.NEGATIVE_INFINITY, 0];
  for (const { track, startTicks } of chunks) {
    const shift = startTicks - track.mediaTime;
    for (const ticks of track.samples.dts) {
      // As ffmpeg's muxer: where a variable frame rate lets decoding times meet, the later one moves.
      const time = Math.max(ticks + shift, earliest);
      if (offsets) offsets[sample] = Math.max(0, ticks + shift + (offsets[sample] ?? 0) - time);
      dts[sample] = time;
      earliest = time + 1;
      sample += 1;
    }
    endTicks = startTicks + track.durationTicks;
  }
  return { ...description, samples, endTicks };
}

/** Shows the last frame until `endTicks`, unless it is shown later. The last packet in decoding order states it. */
export function setLastSample(track: JoinedTrack, endTicks: number): JoinedTrack {
  const { samples } = track;
  const { dts, offsets } = samples;
  const last = dts.length - 1;
  const shownAt = (sample: number) => (dts[sample] ?? 0) + (offsets?.[sample] ?? 0);
  const delay = shownAt(0) - (dts[0] ?? 0);
  let latest = shownAt(last);
  for (let sample = 0; sample < last; sample += 1) latest = Math.max(latest, shownAt(sample));
  const latestEnd = latest < endTicks ? Math.round(endTicks) : track.endTicks;
  const lastShown = shownAt(last);
  const lastDts = Math.max(dts[last] ?? 0, lastShown - delay);
  dts[last] = lastDts;
  if (offsets) offsets[last] = lastShown - lastDts;
  const lastTicks = Math.max(1, latestEnd - lastDts - delay);
  return { ...track, endTicks: latestEnd, samples: { ...samples, lastTicks } };
}

/** Joins audio whose packets have `packetTicks` each, but the last, from `firstTicks` on. */
export function joinAudio(
  chunks: readonly ChunkTrack[],
  { firstTicks, packetTicks }: { firstTicks: number; packetTicks: number },
): JoinedTrack {
  const { description, samples } = concatenate(chunks);
  const { dts, lastTicks } = samples;
  for (let packet = 0; packet < dts.length; packet += 1) dts[packet] = firstTicks + packet * packetTicks;
  return { ...description, samples, endTicks: (dts.at(-1) ?? 0) + lastTicks };
}

/** Everything but the times. */
function concatenate(chunks: readonly ChunkTrack[]): {
  description: Omit<JoinedTrack, 'samples' | 'endTicks'>;
  samples: TrackSamples;
} {
  const [first] = chunks;
  if (first === undefined) throw new TypeError('Expected a track, found none');
  const all = chunks.map(({ track: { samples } }) => samples);
  const total = all.reduce((sum, { sizes }) => sum + sizes.length, 0);
  const fill = <List extends TypedList>(list: List, valuesOf: (samples: TrackSamples) => List | undefined): List => {
    let at = 0;
    for (const samples of all) {
      list.set(valuesOf(samples) ?? [], at);
      at += samples.sizes.length;
    }
    return list;
  };
  const { kind, timescale, header, mediaHeader, handler, description, mediaInformation, groups } = first.track;
  return {
    description: {
      kind,
      timescale,
      header,
      mediaHeader,
      handler,
      description,
      mediaInformation,
      groups: groups && { ...groups, runs: runsFor(groups.runs, total) },
    },
    samples: {
      dts: new Float64Array(total),
      offsets: all.some(({ offsets }) => offsets) ? fill(new Int32Array(total), ({ offsets }) => offsets) : undefined,
      sizes: fill(new Uint32Array(total), ({ sizes }) => sizes),
      keyframes: all.some(({ keyframes }) => keyframes) ? fill(new Uint8Array(total), keyframesOf) : undefined,
      dependencies: all.some(({ dependencies }) => dependencies)
        ? fill(new Uint8Array(total), dependenciesOf)
        : undefined,
      lastTicks: all.at(-1)?.lastTicks ?? 0,
      positions: Float64Array.from(
        chunks.flatMap(({ track, moveBytes }) => Array.from(track.samples.positions, (at) => at + moveBytes)),
      ),
      counts: Uint32Array.from(all.flatMap(({ counts }) => [...counts])),
    },
  };
}

type TypedList = Int32Array | Uint32Array | Uint8Array;

function keyframesOf({ keyframes, sizes }: TrackSamples): Uint8Array {
  return keyframes ?? new Uint8Array(sizes.length).fill(1);
}

/** ffmpeg writes none for a file in which other samples depend on every sample. */
const [keyframe, otherSample] = [0x24, 0x14];

function dependenciesOf(samples: TrackSamples): Uint8Array {
  const { dependencies } = samples;
  return dependencies ?? keyframesOf(samples).map((isKeyframe) => (isKeyframe ? keyframe : otherSample));
}

/** Only the first samples of a track may lack the samples that they need: the last run goes on. */
function runsFor(
  runs: readonly { samples: number; group: number }[],
  total: number,
): { samples: number; group: number }[] {
  const known = runs.slice(0, -1);
  const rest = total - known.reduce((sum, { samples }) => sum + samples, 0);
  return [...known, ...runs.slice(-1).map(({ group }) => ({ samples: rest, group }))];
}
