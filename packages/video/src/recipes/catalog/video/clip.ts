import * as z from 'zod';
import { overlapsRange } from '../../../encoding/audio/map-audio.ts';
import { copyFromKeyframe } from '../../../encoding/copy/copy-from-keyframe.ts';
import type { PendingPlan, Plan } from '../../../encoding/plan.ts';
import { defaultEncodingFor } from '../../../encoding/video/default-encoding.ts';
import { encodeVideo } from '../../../encoding/video/encode-video.ts';
import { rejectInput } from '../../../errors.ts';
import { mayHoldFrame } from '../../../media/filters/filter.ts';
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
          'frame encodes the clip and cuts it exactly. keyframe copies it without encoding, with all audio tracks and subtitles: it starts at the keyframe at or before the start, and ends within a few frames of the end. The measurement startSeconds says where it starts.',
      }),
    })
    .refine(({ start, end }) => end === undefined || end - start >= 0.1, {
      path: ['end'],
      message: 'The end must be at least 0.1 s after the start',
    });

export const clip = defineRecipe({
  name: 'clip',
  title: 'Clip',
  description: 'Cuts a clip out of a video: exact to the frame by encoding it, or at a keyframe without encoding.',
  formats: ['mp4', 'mov', 'mkv', 'webm'],
  comparison: 'from-start',
  parameters,
  example: { output: { format: 'mp4' }, recipe: { name: 'clip', start: 1.5, end: 4 } },
});

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
  const message = `${reason}; the input lasts ${length.toFixed(3)} s`;
  rejectInput(message);
}
