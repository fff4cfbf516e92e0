import { queryFfmpeg } from './capabilities.ts';
import type { CompleteSettings } from './settings.ts';

/** The first line of what ffmpeg says about itself. */
export async function readVersion(settings: CompleteSettings): Promise<string> {
  const answer = await queryFfmpeg(settings, ['-version']);
  return answer.split('\n', 1)[0]?.replace(/ Copyright.*$/, '') ?? '';
}
