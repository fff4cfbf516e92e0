import * as z from 'zod';
import { selectAudioTracks } from '../../../encoding/audio/map-audio.ts';
import { planWithUniformAudio } from '../../../encoding/audio/uniform-audio.ts';
import type { PendingPlan, Plan } from '../../../encoding/plan.ts';
import { defaultEncodingFor } from '../../../encoding/video/default-encoding.ts';
import { encodeVideo } from '../../../encoding/video/encode-video.ts';
import { fillAudioFromZero } from '../../../media/codecs/audio-codecs.ts';
import { filter } from '../../../media/filters/filter.ts';
import { atOutputRate, constantFps, exactRate } from '../../../media/frame-rate.ts';
import { evenSize } from '../../../media/frame-size.ts';
import { requireVideo } from '../../../media/probe/streams.ts';
import { number } from '../../../values.ts';
import { defineRecipe, type RecipeInput } from '../../recipe.ts';

// A larger step of atempo would skip samples.
const maxTempoStep = 2;

export const speed = defineRecipe({
  name: 'speed',
  title: 'Speed',
  description: 'Makes a video faster or slower. The pitch of the audio stays the same.',
  formats: ['mp4', 'mov', 'mkv', 'webm'],
  comparison: 'none',
  parameters: () =>
    z.strictObject({
      factor: number(0.25, 4).meta({
        description: 'Speed relative to the input: 2 halves the duration, 0.5 doubles it.',
      }),
    }),
  example: { output: { format: 'mp4' }, recipe: { name: 'speed', factor: 1.5 } },
});

export function planSpeed(input: RecipeInput<typeof speed>): Plan | PendingPlan {
  const { factor: tempo } = input.parameters;
  const video = requireVideo(input.probe);
  const encoding = {
    ...defaultEncodingFor(input, { tempo }),
    // The frame rate of the source. Without it, a faster video would have more frames than screens can show, and in a
    // slower one setpts would produce frames without a duration, of which MP4 drops the last.
    transform: { scale: evenSize(video), tempo, framesPerSecond: exactRate(constantFps(atOutputRate(video))).exact },
    // atempo does not scale the start time of the audio: pad it to start at 0.
    audioFilters: [fillAudioFromZero, ...tempoSteps(tempo).map((step) => filter('atempo', String(step)))],
  };
  return planWithUniformAudio(input, selectAudioTracks(input.probe, undefined), (audio) =>
    encodeVideo(input, { ...encoding, ...audio }),
  );
}

/** Factors between 0.5 and 2 whose product is the tempo. */
function tempoSteps(tempo: number): number[] {
  if (tempo > maxTempoStep) return [maxTempoStep, ...tempoSteps(tempo / maxTempoStep)];
  if (tempo < 1 / maxTempoStep) return [1 / maxTempoStep, ...tempoSteps(tempo * maxTempoStep)];
  return [tempo];
}
