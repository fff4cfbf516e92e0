import { defaultCrf, videoCodecArguments } from '@media-jobs/video/media';
import { ffmpegCpuSeconds } from '../../lib/local/machine-speed.ts';
import { quantile } from '../bench/harness/figures/figure.ts';
import { besideReference, referenceWork } from '../bench/harness/model/machine-slowness.ts';
import { makeFile, type Workspace } from './source-file.ts';

export type Machine = Workspace & {
  /** Processor seconds of an ffmpeg that does nothing. */
  startSeconds: number;
  /** Processor seconds of ffmpeg with these arguments, as this machine takes them at its usual speed. */
  cpuSeconds: (args: readonly string[]) => Promise<number>;
};

const maxRuns = 5;

/** A command is repeated until its runs have taken as many processor seconds. */
const enoughSeconds = 4;

/**
 * This machine. Its usual speed is that of its first reference encodes. A reference encode between all commands follows
 * changes of the speed: other machines of one host slow a processor by up to a third for minutes.
 */
export async function thisMachine(workspace: Workspace): Promise<Machine> {
  const once = async (args: readonly string[]) =>
    (await ffmpegCpuSeconds(workspace.ffmpeg, ['-nostdin', ...args], workspace)).cpuSeconds;
  const { path, size } = await makeFile(workspace, 'reference', referenceWork.source);
  const encoder = videoCodecArguments('h264', { format: 'mkv', quality: { crf: defaultCrf.h264 }, size });
  const reference = () => once(['-i', path, ...encoder, '-f', 'null', '-']);
  const usualReference = quantile(await repeat(reference), 0.5);
  const measure = besideReference(
    async (args: readonly string[]) => ({ seconds: quantile(await repeat(() => once(args)), 0.5) }),
    reference,
  );
  const cpuSeconds = async (args: readonly string[]) => {
    const { seconds, referenceSeconds } = await measure(args);
    return (seconds * usualReference) / referenceSeconds;
  };
  const nothing = ['-f', 'lavfi', '-i', 'color=size=64x64', '-frames:v', '1', '-f', 'null', '-'];
  return { ...workspace, startSeconds: await cpuSeconds(nothing), cpuSeconds };
}

/** Repeats a short command: other work on the machine doubles the time of a single one. */
async function repeat(measure: () => Promise<number>): Promise<number[]> {
  const runs: number[] = [];
  for (let sum = 0; runs.length < maxRuns && sum < enoughSeconds; sum += runs.at(-1) ?? 0) runs.push(await measure());
  return runs;
}

/** The same machine with its seconds converted to those of one that is `slowness` times as fast. */
export function convertSeconds(machine: Machine, slowness: number): Machine {
  return {
    ...machine,
    startSeconds: machine.startSeconds / slowness,
    cpuSeconds: async (args) => (await machine.cpuSeconds(args)) / slowness,
  };
}
