import { tmpdir } from 'node:os';
import { captureOutput } from './capture.ts';
import type { CompleteSettings } from './settings.ts';

/** Long enough for a program that is read from a cold disk. */
const timeLimitSeconds = 30;

/** What ffmpeg answers to a question about itself, such as `-version`; fails where it gives no answer. */
export async function queryFfmpeg(settings: CompleteSettings, question: string[]): Promise<string> {
  const { ffmpegPath: path, limits, libraryPath, graceSeconds } = settings;
  const { exitCode, stdout, log } = await captureOutput(
    { path, arguments: ['-hide_banner', ...question], directory: tmpdir(), limits, libraryPath },
    { signal: new AbortController().signal, timeLimitSeconds, graceSeconds },
  );
  if (exitCode === 0) return stdout;
  throw new Error(
    `ffmpeg does not start from ${path} with ${question.join(' ')} (code ${exitCode}): ${log.trim()}`,
  );
}
