import * as z from 'zod';
import type { PendingPlan, Plan } from '../../../encoding/plan.ts';
import type { Probe, Stream, VideoStream } from '../../../media/probe/probe.ts';
import { languageTag } from '../../../media/probe/subtitles.ts';
import { defineRecipe, type RecipeInput } from '../../recipe.ts';

export const probe = defineRecipe({
  name: 'probe',
  title: 'Probe',
  description:
    'Describes a file as JSON: container, duration in seconds, and each stream. A file beyond the limits of other recipes is described too, with a warning.',
  formats: ['json'],
  comparison: 'none',
  dependsOnCaptions: true,
  describesOnly: true,
  parameters: () => z.strictObject({}),
  example: { output: { format: 'json' }, recipe: { name: 'probe' } },
});

type Described = {
  /** BCP 47, of every declared language. */
  languageTag?: string | undefined;
  /** Of a video whose container counts them. */
  frames?: number | undefined;
  /** Whether the distance between frames changes. Undefined where the container does not show it. */
  isVariableFrameRate?: boolean | undefined;
};

/** A probe with what follows from its properties, as the recipe `probe` delivers it. */
export function describedProbe({ streams, ...file }: Probe): Probe & { streams: (Stream & Described)[] } {
  return {
    ...file,
    streams: streams.map((stream) => ({
      ...stream,
      ...(stream.language && { languageTag: stream.languageTag ?? languageTag(stream.language) }),
      ...(stream.kind === 'video' && {
        frames: stream.packets,
        isVariableFrameRate: isVariableFrameRate(stream, file.container),
      }),
    })),
  };
}

/** Containers that state the time of every frame in their index. */
const indexed = ['mov,mp4,m4a,3gp,3g2,mj2', 'avi'];

/** An average that is off by more than the last frame of a short video. */
const minDeviation = 0.002;

function isVariableFrameRate(
  { framesPerSecond: average, baseFramesPerSecond: base, packets = 1, statesFieldRate }: VideoStream,
  container: string,
): boolean | undefined {
  if (average === undefined || base === undefined || statesFieldRate) return undefined;
  const isVariable = Math.abs(average / base - 1) > Math.max(minDeviation, 1 / packets);
  return isVariable || (indexed.includes(container) && packets > 1) ? isVariable : undefined;
}

export function planProbe(input: RecipeInput<typeof probe>): Plan | PendingPlan {
  const content = `${JSON.stringify(describedProbe(input.probe), null, 2)}\n`;
  return { commands: [], outputs: [{ name: 'output', filename: 'output.json', format: 'json', content }] };
}
