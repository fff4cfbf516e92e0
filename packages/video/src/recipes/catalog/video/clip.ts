import * as z from 'zod';
import { overlapsRange } from '../../../encoding/audio/map-audio.ts';
import { copyStreams } from '../../../encoding/copy/copy-streams.ts';
import type { PendingPlan, Plan, PlanInput } from '../../../encoding/plan.ts';
import { defaultEncodingFor } from '../../../encoding/video/default-encoding.ts';
import { encodeVideo } from '../../../encoding/video/encode-video.ts';
import { rejectInput } from '../../../errors.ts';
import { hasContinuousTimestamps, hasKeyframeIndex, seekPoint, type TimeRange } from '../../../media/ffmpeg/seek.ts';
import { mayHoldFrame } from '../../../media/filters/filter.ts';
import type { VideoFormat } from '../../../media/formats.ts';
import { evenSize } from '../../../media/frame-size.ts';
import { endSecondsOf, mainAudio, requireVideo } from '../../../media/probe/streams.ts';
import { defineRecipe, type RecipeInput } from '../../recipe.ts';

// Players show rounded durations: an end this far after the end of the video is accepted.
const endToleranceSeconds = 0.05;

const parameters = () =>
  z
    .strictObject({
      start: z.number().min(0).default(0).meta({ description: 'Start of the clip in seconds.' }),
      end: z.number().min(0.1).optional().meta({
        description: 'End of the clip in seconds from the start of the input. Default: the end of the input.',
      }),
      accuracy: z.enum(['frame', 'keyframe']).default('frame').meta({
        description:
          'frame cuts exactly, by encoding. keyframe is fast: it copies the clip from the keyframe at or before the start, with all audio tracks and subtitles, and ends within a few frames of the end.',
      }),
    })
    .refine(({ start, end }) => end === undefined || end - start >= 0.1, {
      path: ['end'],
      message: 'The end must be at least 0.1 s after the start',
    });

export const clip = defineRecipe({
  name: 'clip',
  title: 'Clip',
  description: 'Cuts a part out of a video: exact to the frame by encoding it, or fast at a keyframe without encoding.',
  formats: ['mp4', 'mov', 'mkv', 'webm'],
  comparison: 'from-start',
  parameters,
  example: { output: { format: 'mp4' }, recipe: { name: 'clip', start: 1.5, end: 4 } },
});

/**
 * Copies the seconds from the last keyframe at or before `start` to `end`. It measures the time of that keyframe.
 * @throws JobError `INPUT_UNSUPPORTED` for a container or codec that cannot be copied, or has no index of keyframes
 */
function copyFromKeyframe(input: PlanInput<unknown, VideoFormat>, { start, end }: TimeRange): Plan | PendingPlan {
  const { probe, inputPath } = input;
  const copyFrom = (keyframeSeconds: number): Plan => ({
    ...copyStreams(input, { range: { start: keyframeSeconds, end } }),
    measurements: { startSeconds: Math.round(keyframeSeconds * 1000) / 1000 },
  });
  const video = requireVideo(probe);
  if (start <= video.startSeconds) return copyFrom(0);
  // Rejects first what cannot be copied at all: a remux would reject it too.
  const { outputs } = copyFrom(start);
  if (!hasContinuousTimestamps(probe.container)) {
    const message = `accuracy keyframe needs an index of keyframes, which MP4, MOV, MKV and WebM have; the input is ${probe.container}. Remux it first, or use accuracy frame`;
    rejectInput(message);
  }
  if (!hasKeyframeIndex(probe)) {
    rejectInput(
      'accuracy keyframe needs an index of keyframes; the input states that all its frames are keyframes, and they are not. Use accuracy frame',
    );
  }
  const seekSeconds = Number(seekPoint(probe, start).toFixed(3));
  const aheadSeconds = Math.max(0, start - seekSeconds);
  // Most seeks land on the keyframe. Of an early one, the keyframes as far as the start are listed.
  const listed =
    aheadSeconds < roundingSeconds + 0.001
      ? ['-frames:v', '1', '-bsf:v', 'showinfo']
      : ['-t', (aheadSeconds + roundingSeconds).toFixed(6), '-bsf:v', 'noise=drop=not(key),showinfo'];
  const findKeyframe = {
    inputs: [{ path: inputPath, options: ['-ss', String(seekSeconds)] }],
    outputArguments: ['-map', `0:${video.index}`, '-c', 'copy', ...listed, '-f', 'null', '-'],
  };
  return {
    measure: [findKeyframe],
    progressAfter: 0.1,
    outputs,
    decide: (log) => copyFrom(Math.max(0, seekSeconds + readPacketSeconds(log, aheadSeconds) - roundingSeconds)),
    expected: () => copyFrom(start),
  };
}

/** ffmpeg prints six digits. A cut at a later time than that of the keyframe would begin with the next one. */
const roundingSeconds = 1e-5;

/** The last packet in a log of showinfo that is not after a time, else the first. @throws Error without one */
function readPacketSeconds(log: string, time: number): number {
  const found = [...log.matchAll(/n: +\d+ .* pt:(-?[\d.e-]+) /g)].map(([, seconds]) => Number(seconds));
  const seconds = found.findLast((each) => each <= time + roundingSeconds) ?? found[0];
  if (seconds === undefined || !Number.isFinite(seconds)) throw new Error('The log of ffmpeg has no packet');
  return seconds;
}

export function planClip(input: RecipeInput<typeof clip>): Plan | PendingPlan {
  const video = requireVideo(input.probe);
  const audio = mainAudio(input.probe);
  const length = endSecondsOf(input.probe, [video, audio]) ?? 0;
  const { start, end = length, accuracy } = input.parameters;
  if (end > length + endToleranceSeconds) reject(`The clip ends at ${end} s`, length);
  if (end <= video.startSeconds)
    reject(`The video stream starts at ${video.startSeconds.toFixed(3)} s, after the end of the clip`, length);
  if (start > length - 0.1) reject(`The clip starts at ${start} s`, length);
  const videoEnd = endSecondsOf(input.probe, [video]) ?? length;
  // The last frame of a variable rate is on screen from its time on.
  if (accuracy === 'frame' && start > videoEnd - 0.1 && !mayHoldFrame(video))
    reject(`The clip starts at ${start} s, and the video stream ends at ${videoEnd.toFixed(3)} s`, length);
  const range = { start, end: Math.min(end, length) };
  if (accuracy === 'keyframe') return copyFromKeyframe(input, range);
  return encodeVideo(input, {
    ...defaultEncodingFor(input, { range }),
    transform: { scale: evenSize(video) },
    range,
    isMuted: audio !== undefined && !overlapsRange(input.probe, audio, range),
  });
}

function reject(reason: string, length: number): never {
  rejectInput(`${reason}; the input lasts ${length.toFixed(3)} s`);
}
