import { tmpdir } from 'node:os';
import type { Encoder } from '../media/ffmpeg/ports.ts';
import { vmafFilter } from '../media/ffmpeg/vmaf-comparison.ts';
import { captureOutput } from './capture.ts';
import type { CompleteSettings } from './settings.ts';

/** Loading ffmpeg and its libraries from a cold disk takes seconds. */
const timeLimitSeconds = 30;

/** Of each pair of programs, once for all encoders. */
const pairs = new Map<string, () => Promise<boolean>>();

/** Whether ffprobe and ffmpeg are of one version, and so read a file in the same way. */
export function areOneVersion(settings: CompleteSettings): Promise<boolean> {
  const { ffmpegPath, ffprobePath } = settings;
  const pair = `${ffmpegPath}\n${ffprobePath}`;
  const compare = pairs.get(pair) ?? memoizeSuccess(() => compareVersions(settings));
  pairs.set(pair, compare);
  return compare();
}

async function compareVersions(settings: CompleteSettings): Promise<boolean> {
  const paths = [settings.ffmpegPath, settings.ffprobePath];
  const [one, other] = await Promise.all(
    paths.map(async (ffmpegPath) => (await readVersion({ ...settings, ffmpegPath })).split(' ')[2]),
  );
  return one === other;
}

/** What the installed programs are and can do. Each is queried once; a failed query is repeated by the next call. */
export function ffmpegCapabilities(settings: CompleteSettings): Pick<Encoder, 'version' | 'canCompare'> {
  return {
    version: memoizeSuccess(() => readVersion(settings)),
    canCompare: memoizeSuccess(
      async () => settings.vmafPath !== undefined || (await readFilters(settings)).has(vmafFilter),
    ),
  };
}

async function readVersion(settings: CompleteSettings): Promise<string> {
  const output = await queryFfmpeg(settings, ['-version']);
  return output.split('\n', 1)[0]?.replace(/ Copyright.*$/, '') ?? '';
}

async function readFilters(settings: CompleteSettings): Promise<ReadonlySet<string>> {
  const output = await queryFfmpeg(settings, ['-filters']);
  // One line per filter: " TSC vmafmotion        V->V       Calculate the VMAF Motion score."
  return new Set([...output.matchAll(/^ \S+ (\S+) +\S+->\S+ /gm)].map(([, name = '']) => name));
}

async function queryFfmpeg(settings: CompleteSettings, options: string[]): Promise<string> {
  const { ffmpegPath: path } = settings;
  const { exitCode, stdout, log } = await captureOutput(
    { path, arguments: ['-hide_banner', ...options], directory: tmpdir() },
    { ...settings, signal: new AbortController().signal, timeLimitSeconds },
  );
  if (exitCode === 0) return stdout;
  throw new Error(`ffmpeg does not start from ${path} with ${options.join(' ')} (code ${exitCode}): ${log.trim()}`);
}

function memoizeSuccess<Result>(load: () => Promise<Result>): () => Promise<Result> {
  let result: Promise<Result> | undefined;
  return () => {
    result ??= load().catch((cause: unknown) => {
      result = undefined;
      throw cause;
    });
    return result;
  };
}
