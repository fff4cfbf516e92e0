import { rejectInput } from '../../errors.ts';
import { hasContinuousTimestamps, hasKeyframeIndex } from '../../media/ffmpeg/seek.ts';
import type { VideoFormat } from '../../media/formats.ts';
import { requireVideo } from '../../media/probe/streams.ts';
import type { PendingPlan, Plan, PlanInput } from '../plan.ts';
import type { TimeRange } from '../video/time-range.ts';
import { copyStreams } from './copy-streams.ts';

/**
 * A plan that copies the seconds from the last keyframe at or before `start` to `end`, without encoding. Its measurement
 * is `startSeconds`, the time of that keyframe.
 * @throws JobError `INPUT_UNSUPPORTED` for a container or codec that cannot be copied, or has no index of keyframes
 */
export function copyFromKeyframe(
  input: PlanInput<unknown, VideoFormat>,
  { start, end }: TimeRange,
): Plan | PendingPlan {
  const { probe, inputPath } = input;
  const copyFrom = (keyframeSeconds: number): Plan => ({
    ...copyStreams(input, { range: { start: keyframeSeconds, end } }),
    measurements: { startSeconds: Math.round(keyframeSeconds * 1000) / 1000 },
  });
  const video = requireVideo(probe);
  if (start <= video.startSeconds) return copyFrom(0);
  const seekSeconds = Number(start.toFixed(3));
  // Rejects first what cannot be copied at all: a remux would reject it too.
  const { outputs } = copyFrom(seekSeconds);
  if (!hasContinuousTimestamps(probe.container)) {
    const message = `accuracy keyframe needs an index of keyframes, which MP4, MOV, MKV and WebM have; the input is ${probe.container}. Remux it first, or use accuracy frame`;
    rejectInput(message);
  }
  if (!hasKeyframeIndex(probe)) {
    rejectInput(
      'accuracy keyframe needs an index of keyframes; the input states that all its frames are keyframes, and they are not. Use accuracy frame',
    );
  }
  const findKeyframe = {
    inputs: [{ path: inputPath, options: ['-ss', String(seekSeconds)] }],
    outputArguments: [
      ...['-map', `0:${video.index}`, '-c', 'copy', '-frames:v', '1'],
      ...['-bsf:v', 'showinfo', '-f', 'null', '-'],
    ],
  };
  return {
    measure: [findKeyframe],
    progressAfter: 0.1,
    outputs,
    decide: (log) => copyFrom(Math.max(0, seekSeconds + readFirstPacketSeconds(log) - roundingSeconds)),
    expected: () => copyFrom(seekSeconds),
  };
}

/** ffmpeg prints six digits. A cut at a later time than that of the keyframe would begin with the next one. */
const roundingSeconds = 1e-5;

/**
 * The timestamp of the first packet in the log of the bitstream filter showinfo, in seconds from the seek position.
 * @throws Error if the log has no packet
 */
function readFirstPacketSeconds(log: string): number {
  const seconds = Number(/n: +0 .* pt:(-?[\d.e-]+) /.exec(log)?.[1]);
  if (!Number.isFinite(seconds)) throw new Error('The log of ffmpeg has no packet');
  return seconds;
}
