import { tmpdir } from 'node:os';
import { runCommand } from './run.ts';
import type { CompleteSettings } from './settings.ts';

/**
 * Seconds that a file lasts, by reading all of its packets without decoding any: for files that do not say, such as
 * a browser's recordings, and those that ffprobe can only guess.
 */
export async function measureDuration(
  settings: CompleteSettings,
  path: string,
  signal: AbortSignal,
): Promise<number> {
  let seconds = 0;
  const command = {
    inputs: [{ path }],
    outputArguments: ['-map', '0:v?', '-map', '0:a?', '-c', 'copy', '-f', 'null', '-'],
  };
  await runCommand(settings, command, {
    directory: tmpdir(),
    signal,
    timeLimitSeconds: settings.probeSeconds,
    stallSeconds: settings.probeSeconds,
    onReport: (report) => {
      seconds = Math.max(seconds, report.seconds ?? 0);
    },
  });
  return seconds;
}
