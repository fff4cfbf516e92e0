import { tmpdir } from 'node:os';
import { capture } from './capture.ts';
import type { CompleteSettings } from './settings.ts';

/** The names of the filters that this ffmpeg was built with. */
export async function readFilters(settings: CompleteSettings): Promise<ReadonlySet<string>> {
  const { exitCode, stdout } = await capture(
    {
      path: settings.ffmpegPath,
      arguments: ['-hide_banner', '-filters'],
      directory: tmpdir(),
      limits: settings.limits,
      libraryPath: settings.libraryPath,
    },
    { signal: AbortSignal.timeout(30_000), timeLimitSeconds: 30, graceSeconds: settings.graceSeconds },
  );
  if (exitCode !== 0) throw new Error(`ffmpeg does not tell its filters (code ${exitCode})`);
  // Lines such as " TSC vmafmotion        V->V       Calculate the VMAF Motion score."
  return new Set([...stdout.matchAll(/^ \S+ (\S+) +\S+->\S+ /gm)].map(([, name = '']) => name));
}
