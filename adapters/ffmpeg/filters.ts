import { queryFfmpeg } from './capabilities.ts';
import type { CompleteSettings } from './settings.ts';

/** The names of the filters that this ffmpeg was built with. */
export async function readFilters(settings: CompleteSettings): Promise<ReadonlySet<string>> {
  const answer = await queryFfmpeg(settings, ['-filters']);
  // Lines such as " TSC vmafmotion        V->V       Calculate the VMAF Motion score."
  return new Set([...answer.matchAll(/^ \S+ (\S+) +\S+->\S+ /gm)].map(([, name = '']) => name));
}
