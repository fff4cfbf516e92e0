import { JobError } from '../errors.ts';
import type { Decoding } from './ffmpeg/decoding.ts';
import type { RunRecord } from './ffmpeg/ports.ts';
import { hasKeyframeIndex } from './ffmpeg/seek.ts';
import type { Probe } from './probe/probe.ts';
import { mainVideo } from './probe/streams.ts';
import type { JobWarning } from './warning.ts';

/** How many frames of a source should be there, and how many of them are missing or damaged. */
export type Damage = { kind: 'video' | 'audio'; frames: number; lost: number };

const minShare = 0.005;
const maxShare = 0.5;
const minFrames = 2;

type Source = { probe: Probe; path?: string };

/** What each of these runs lost of a source. `path` selects the input of a run; left out: its first one. */
export function damageOfRuns(runs: readonly RunRecord[], { probe, path }: Source): Damage[] {
  return runs.flatMap((run) => {
    const { streams = [], hasContainerErrors = false }: Partial<Decoding> = run.decoding ?? {};
    const paths = run.arguments.filter((_, index) => run.arguments[index - 1] === '-i');
    if (!startsAtKeyframe(run, probe)) return [];
    return streams
      .filter(({ input }) => (path === undefined ? input === 0 : paths[input] === path))
      .map(({ kind, packets, damaged }): Damage => {
        const isDamaged = damaged > 0 || hasContainerErrors;
        const expected = kind === 'video' && isDamaged && readsAll(run) ? expectedFrames(probe) : 0;
        const frames = Math.max(packets, expected);
        return { kind, frames, lost: damaged + frames - packets };
      });
  });
}

/** Elsewhere a seek lands between keyframes, and decoding begins with errors. */
function startsAtKeyframe({ arguments: all }: RunRecord, probe: Probe): boolean {
  return hasKeyframeIndex(probe) || !all.includes('-ss');
}

function readsAll({ arguments: all }: RunRecord): boolean {
  return !['-ss', '-t', '-to', '-frames:v'].some((option) => all.includes(option));
}

/** Frames of a video by its duration and rate: a container from which packets are missing may keep its length. */
export function expectedFrames(probe: Probe): number {
  const video = mainVideo(probe);
  const { framesPerSecond = 0, baseFramesPerSecond = framesPerSecond } = video ?? {};
  const seconds = video?.durationSeconds ?? probe.durationSeconds ?? 0;
  return Math.round(seconds * Math.min(framesPerSecond, baseFramesPerSecond));
}

/** The damage of parts that follow one another, together. */
export function addDamage(parts: readonly Damage[]): Damage[] {
  return (['video', 'audio'] as const).flatMap((kind) => {
    const own = parts.filter((part) => part.kind === kind);
    if (own.length === 0) return [];
    const sum = (of: (part: Damage) => number) => own.reduce((total, part) => total + of(part), 0);
    return { kind, frames: sum(({ frames }) => frames), lost: sum(({ lost }) => lost) };
  });
}

/**
 * A warning for the worst of these figures of the video, and one for those of the audio, if it lost more than 0.5 %.
 * @throws JobError `INPUT_DAMAGED` above 50 %
 */
export function damageWarnings(damages: readonly Damage[]): JobWarning[] {
  return (['video', 'audio'] as const).flatMap((kind) => {
    const worst = damages
      .filter((damage) => damage.kind === kind && damage.lost >= minFrames)
      .toSorted((one, other) => shareOf(other) - shareOf(one))[0];
    if (worst === undefined || shareOf(worst) <= minShare) return [];
    const percent = `${(100 * shareOf(worst)).toFixed(1)} %`;
    const message = `The input is damaged: of ${worst.frames} ${kind} frames, ${worst.lost} are missing or damaged (${percent})`;
    if (shareOf(worst) > maxShare) throw new JobError('INPUT_DAMAGED', message);
    return { code: 'INPUT_DAMAGED', message };
  });
}

/** The error of a job that failed on a damaged input: `INPUT_DAMAGED` in place of `TRANSCODE_ERROR`. */
export function explainByDamage(error: unknown, damages: readonly Damage[]): unknown {
  if (!(error instanceof JobError) || error.code !== 'TRANSCODE_ERROR') return error;
  try {
    const [warning] = damageWarnings(damages);
    if (warning === undefined) return error;
    return new JobError('INPUT_DAMAGED', `${warning.message}. ${error.message}`, { cause: error });
  } catch (cause) {
    return cause;
  }
}

function shareOf({ frames, lost }: Damage): number {
  return frames === 0 ? 0 : lost / frames;
}
