import { tmpdir } from 'node:os';
import { capture } from './capture.ts';
import type { CompleteSettings } from './settings.ts';

/** The first line of what ffmpeg says about itself. */
export async function readVersion(settings: CompleteSettings): Promise<string> {
  const { exitCode, stdout } = await capture(
    {
      path: settings.ffmpegPath,
      arguments: ['-version'],
      directory: tmpdir(),
      limits: settings.limits,
      libraryPath: settings.libraryPath,
    },
    { signal: AbortSignal.timeout(30_000), timeLimitSeconds: 30, graceSeconds: settings.graceSeconds },
  );
  if (exitCode !== 0) throw new Error(`ffmpeg does not start from ${settings.ffmpegPath} (code ${exitCode})`);
  return stdout.split('\n', 1)[0]?.replace(/ Copyright.*$/, '') ?? '';
}
