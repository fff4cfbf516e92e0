import { askFfmpeg } from './ask-ffmpeg.ts';
import type { CompleteSettings } from './settings.ts';

/** The names of the filters that this ffmpeg was built with. */
export async function readFilters(settings: CompleteSettings): Promise<ReadonlySet<string>> {
  const answer = await askFfmpeg(settings, ['-filters']);
  // Lines such as " TSC vmafmotion        V->V       Calculate the VMAF Motion score."
  return new Set([...answer.matchAll(/^ \S+ (\S+) +\S+->\S+ /gm)].map(([, name = '']) => name));
}
