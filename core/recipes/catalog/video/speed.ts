import * as z from 'zod';
import { planWithUniformAudio } from '../../../encoding/audio/uniform-audio.ts';
import { defaultEncodingFor } from '../../../encoding/video/default-encoding.ts';
import { encodeVideo } from '../../../encoding/video/encode-video.ts';
import { constantFps } from '../../../media/frame-rate.ts';
import { evenSize } from '../../../media/frame-size.ts';
import { mainAudio, requireVideo } from '../../../media/probe/streams.ts';
import { defineRecipe } from '../../recipe.ts';

// What atempo does in one step without leaving samples out.
const mostPerStep = 2;
// atempo leaves the moment as it is at which sound begins: before the picture's then, or after it.
const fromTheStart = 'aresample=async=1:first_pts=0';

export const speed = defineRecipe({
  name: 'speed',
  title: 'Speed',
  description: 'Plays a video faster or slower. Voices keep their pitch.',
  formats: ['mp4', 'mov', 'mkv', 'webm'],
  comparison: 'none',
  parameters: z.strictObject({
    factor: z.number().min(0.25).max(4).meta({
      description: 'How many times as fast as the input: 2 halves its length, 0.5 doubles it.',
    }),
  }),
  example: { output: { format: 'mp4' }, recipe: { name: 'speed', factor: 1.5 } },
  plan(input) {
    const { factor: tempo } = input.parameters;
    const video = requireVideo(input.probe);
    const encoding = {
      ...defaultEncodingFor(input, { tempo }),
      // At the source's own rate: faster, all frames would be more than screens show; slower, setpts leaves frames
      // without a length, and an MP4 without its last one.
      transform: { scale: evenSize(video), tempo, framesPerSecond: constantFps(video) },
      audioFilters: [fromTheStart, ...tempoSteps(tempo).map((step) => `atempo=${step}`)],
    };
    return planWithUniformAudio(input, mainAudio(input.probe), (sound) =>
      encodeVideo(input, { ...encoding, ...sound }),
    );
  },
});

/** Factors between 0.5 and 2 that multiply to the tempo. */
function tempoSteps(tempo: number): number[] {
  if (tempo > mostPerStep) return [mostPerStep, ...tempoSteps(tempo / mostPerStep)];
  if (tempo < 1 / mostPerStep) return [1 / mostPerStep, ...tempoSteps(tempo * mostPerStep)];
  return [tempo];
}
