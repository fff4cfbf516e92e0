import { JobError } from '../errors.ts';
import type { Decoding } from './ffmpeg/ffmpeg-output.ts';
import type { RunRecord } from './ffmpeg/ports.ts';
import { hasKeyframeIndex } from './ffmpeg/seek.ts';
import type { JobWarning } from './outputs/work-result.ts';
import type { Probe } from './probe/probe.ts';
import { mainAudio, mainVideo } from './probe/streams.ts';

/** How many frames of a source should be there, and how many of them are missing or damaged. */
export type Damage = {
  kind: 'video' | 'audio';
  frames: number;
  lost: number;
  /** Only these frames were looked at. */
  isSample?: true;
};

const minShare = 0.005;
const maxShare = { whole: 0.5, sample: 0.9 };
const minFrames = 2;

type Source = { probe: Probe; path?: string; countsMissing?: boolean };

/**
 * What each of these runs lost of a source. `path` selects the input of a run; left out: its first one. Packets that are
 * missing count unless the caller knows how many there are.
 */
export function damageOfRuns(runs: readonly RunRecord[], { probe, path, countsMissing = true }: Source): Damage[] {
  return runs.flatMap((run) => {
    const { streams = [], hasContainerErrors = false }: Partial<Decoding> = run.decoding ?? {};
    const { arguments: all } = run;
    // A seek elsewhere lands between keyframes, and decoding begins with errors. A check of a copy reads a sample.
    if (all.includes('-ss') && !hasKeyframeIndex(probe)) return [];
    if (all.includes('-noaccurate_seek') && all.at(-1) === '-') return [];
    const paths = all.filter((_, index) => all[index - 1] === '-i');
    return streams
      .filter(({ input }) => (path === undefined ? input === 0 : paths[input] === path))
      .map((stream): Damage => {
        const { kind, packets, damaged } = stream;
        const isBroken = damaged > 0 || hasContainerErrors;
        const share = countsMissing ? shareOfRun(run, probe) : 0;
        const expected = Math.floor(share * expectedOf(stream, probe, isBroken));
        const frames = Math.max(packets, expected);
        return { kind, frames, lost: damaged + frames - packets };
      });
  });
}

type DecodedStream = Decoding['streams'][number];

/** How many packets of a stream a whole file should have; 0 if nothing shows that some are missing. */
function expectedOf(stream: DecodedStream, probe: Probe, isBroken: boolean): number {
  const readable = withUnreadable(stream.packets, probe);
  if (stream.kind === 'video') return isBroken ? Math.max(readable, expectedFrames(probe)) : readable;
  // FLAC states its samples in the header, and no error tells that ffmpeg skipped some.
  return isBroken || probe.container === 'flac' ? Math.max(readable, expectedPackets(stream, probe)) : readable;
}

/** How many packets there would be with those that cannot be read. */
export function withUnreadable(packets: number, { unreadableShare = 0 }: Pick<Probe, 'unreadableShare'>): number {
  return Math.ceil(packets / (1 - unreadableShare));
}

function expectedPackets({ frames = 0, samples = 0 }: DecodedStream, probe: Probe): number {
  const { sampleRateHz = 0, durationSeconds = probe.durationSeconds ?? 0 } = mainAudio(probe) ?? {};
  return samples === 0 ? 0 : Math.floor((durationSeconds * sampleRateHz * frames) / samples);
}

/** The share of a source, 0 to 1, that a run reads at least. */
function shareOfRun({ arguments: all }: RunRecord, { durationSeconds = 0 }: Probe): number {
  const secondsOf = (option: string) => Number(all[all.indexOf(option) + 1]);
  if (all.includes('-frames:v')) return 0;
  if (!['-ss', '-t', '-to'].some((option) => all.includes(option))) return 1;
  const start = all.includes('-ss') ? secondsOf('-ss') : 0;
  const end = all.includes('-t') ? start + secondsOf('-t') : all.includes('-to') ? secondsOf('-to') : durationSeconds;
  const seconds = Math.min(end, durationSeconds) - start;
  return seconds > 0 ? seconds / durationSeconds : 0;
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
    const [worst] = damages
      .filter((damage) => damage.kind === kind && damage.lost >= minFrames && shareOf(damage) > minShare)
      .toSorted((one, other) => rankOf(other) - rankOf(one));
    if (worst === undefined) return [];
    const percent = `${(100 * shareOf(worst)).toFixed(1)} %`;
    const frames = `${worst.frames} ${kind} frames${worst.isSample ? ' that were checked' : ''}`;
    const message = `The input is damaged: of ${frames}, ${worst.lost} are missing or damaged (${percent})`;
    if (shareOf(worst) > maxShare[worst.isSample ? 'sample' : 'whole']) throw new JobError('INPUT_DAMAGED', message);
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

/** Figures of a whole source come before those of a sample. */
function rankOf(damage: Damage): number {
  return shareOf(damage) + (damage.isSample ? 0 : 1);
}

function shareOf({ frames, lost }: Damage): number {
  return frames === 0 ? 0 : lost / frames;
}
