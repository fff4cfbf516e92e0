import { hasOwnLastFrame, statedEndSeconds } from '../../encoding/video/frame-times.ts';
import { JobError } from '../../errors.ts';
import type { Sample, WrittenFragment, WrittenSample } from '../../media/fragments/write-fragment.ts';
import { requireVideo } from '../../media/probe/streams.ts';
import { decodeFrameTimes, ticksToSeconds } from '../frame-index/frame-index.ts';
import type { ChunkedWork } from '../plan/chunk-plan.ts';

/** When the frames of a video are shown, in ticks after the first. */
export type FrameTicks = {
  count: number;
  at(frame: number): number;
  /** The end of the video, if its last frame lasts until then whatever its packet states. */
  endTicks?: number | undefined;
};

/** A fragment in the file of its chunk: how long it is shown there, and its frames in decoding order. */
export type EncodedFragment = { ticks: number; samples: readonly Sample[] };

/** A fragment as it lies in the finished file, and how long it is shown. */
export type RetimedFragment = WrittenFragment & { ticks: number };

export type RetimedChunk = {
  fragments: RetimedFragment[];
  /** The time of the first frame of the video, in ticks of its decoding times: these start at 0. */
  mediaTime: number;
};

/**
 * Gives the fragments of a chunk their times in the finished file, which are those of a single pass: an encoder decodes a
 * frame when the one is shown that is `delay` frames before it. A new encoder does not know the frames before its first, but
 * the plan does.
 * @param firstFrame number of the chunk's first frame in the video
 * @throws JobError `TRANSCODE_ERROR` if the frames cannot be decoded at those times
 */
export function retimeFragments(
  fragments: readonly EncodedFragment[],
  { firstFrame, frames }: { firstFrame: number; frames: FrameTicks },
): RetimedChunk {
  const samples = fragments.flatMap((fragment) => fragment.samples);
  const times = timesOf(samples, { firstFrame, frames });
  const { mediaTime, shift, decodeAt } = times;
  const nextFrame = firstFrame + samples.length;
  const isLast = nextFrame >= frames.count;
  const end = isLast ? endOf(fragments, { times, frames }) : mediaTime + frames.at(nextFrame);
  const ticksOf = (sample: number) => {
    if (!isLast || sample + 1 < samples.length) return decodeAt(sample + 1) - decodeAt(sample);
    return frames.endTicks === undefined ? samples[sample]?.ticks : Math.max(1, end - mediaTime - decodeAt(sample));
  };
  const retimed = samples.map(({ sizeBytes, pts }, sample) => ({
    sizeBytes,
    ticks: ticksOf(sample) ?? 0,
    compositionOffset: pts + shift - decodeAt(sample),
  }));
  requireOrder(decodeAt(0), retimed);
  let first = 0;
  const located = fragments.map((fragment, number) => {
    const from = first;
    first += fragment.samples.length;
    const next = fragments[number + 1];
    return {
      sequence: firstFrame + number + 1,
      decodeTicks: decodeAt(from),
      samples: retimed.slice(from, first),
      ticks: (next ? startOf(next) + shift : end) - startOf(fragment) - shift,
    };
  });
  return { mediaTime, fragments: located };
}

type Times = {
  mediaTime: number;
  /** By which frames are shown later than in the file of their chunk. */
  shift: number;
  /** When the last frame is shown. */
  lastShown: number;
  /** When a sample is decoded; also of the one that follows the chunk. */
  decodeAt(sample: number): number;
};

function timesOf(
  samples: readonly Sample[],
  { firstFrame, frames }: { firstFrame: number; frames: FrameTicks },
): Times {
  const [last] = samples.slice(-1);
  if (last === undefined) throw new JobError('TRANSCODE_ERROR', 'A chunk has no frame');
  const shown = samples.map(({ pts }) => pts).toSorted((one, other) => one - other);
  const delay = shown.filter((pts) => pts > last.dts).length;
  const mediaTime = frames.at(delay);
  const shift = mediaTime + frames.at(firstFrame) - (shown[0] ?? 0);
  return {
    mediaTime,
    shift,
    lastShown: (shown.at(-1) ?? 0) + shift,
    decodeAt(sample) {
      const own = shown[sample - delay];
      if (own !== undefined) return own + shift;
      const frame = firstFrame + sample - delay;
      return frame < 0 ? (samples[sample]?.dts ?? 0) + shift : mediaTime + frames.at(frame);
    },
  };
}

function requireOrder(firstTicks: number, samples: readonly WrittenSample[]): void {
  const isOrdered = samples.every(({ ticks, compositionOffset }) => ticks > 0 && compositionOffset >= 0);
  if (isOrdered && firstTicks >= 0) return;
  throw new JobError('TRANSCODE_ERROR', 'The frames of a chunk are not in the order of a single pass');
}

function startOf({ samples }: EncodedFragment): number {
  return Math.min(...samples.map(({ pts }) => pts));
}

/** When the video ends: where its source does, or as its last packet states. */
function endOf(
  fragments: readonly EncodedFragment[],
  { times: { mediaTime, shift, lastShown }, frames: { endTicks } }: { times: Times; frames: FrameTicks },
): number {
  if (endTicks !== undefined && mediaTime + endTicks > lastShown) return mediaTime + endTicks;
  const [last] = fragments.slice(-1);
  return last === undefined ? lastShown : startOf(last) + last.ticks + shift;
}

/** The times of all frames of a stream, in ticks of its files. */
export function frameTicksOf(
  { source, encoding, frameTimes }: Pick<ChunkedWork, 'source' | 'encoding' | 'frameTimes'>,
  ticksPerSecond: number,
): FrameTicks {
  const { pts, timeBase } = decodeFrameTimes(frameTimes);
  const [firstPts = 0] = pts;
  const video = requireVideo(source);
  const endSeconds = hasOwnLastFrame(video, encoding) ? statedEndSeconds(source, video) : undefined;
  return {
    count: pts.length,
    at: (frame) =>
      Math.round(
        (((pts[frame] ?? Number.NaN) - firstPts) * timeBase.numerator * ticksPerSecond) / timeBase.denominator,
      ),
    endTicks:
      endSeconds === undefined
        ? undefined
        : Math.round((endSeconds - ticksToSeconds(firstPts, timeBase)) * ticksPerSecond),
  };
}
