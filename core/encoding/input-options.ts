import { fullDynamicRange } from '../media/codecs/dynamic-range.ts';
import type { Command, CommandInput } from '../media/ffmpeg/command.ts';
import { alphaDecoder } from '../media/filters/alpha.ts';
import { lateStreamOptions } from '../media/probe/late-streams.ts';
import type { Probe } from '../media/probe/probe.ts';
import { mainVideo } from '../media/probe/streams.ts';
import type { MediaFile, PlanTask, RunTask } from './plan.ts';

/**
 * Runs tasks so that these files are read with what ffmpeg leaves out by default: the transparency of VP8 and VP9, the
 * dynamic range of AC-3 and E-AC-3, and streams of MPEG-TS that begin late.
 */
export function withInputOptions(run: RunTask, files: readonly MediaFile[]): RunTask {
  const known = new Map(files.map(({ path, probe }) => [path, inputOptions(probe)]));
  const withOptions = (input: CommandInput): CommandInput => {
    const { path, options = [] } = input;
    const added = known.get(path) ?? [];
    return added.length === 0 ? input : { ...input, options: [...added, ...options] };
  };
  return (task, share) => run(mapInputs(task, withOptions), share);
}

function inputOptions(probe: Probe): string[] {
  const video = mainVideo(probe);
  const decoder = video && alphaDecoder(video);
  const transparency = decoder === undefined ? [] : [`-c:${video?.index}`, decoder];
  return [...transparency, ...fullDynamicRange(probe), ...lateStreamOptions(probe)];
}

function mapInputs(task: PlanTask, map: (input: CommandInput) => CommandInput): PlanTask {
  if ('inputs' in task) return { ...task, inputs: task.inputs.map(map) } satisfies Command;
  if (!('encoded' in task)) return task;
  return { ...task, source: { ...task.source, input: map(task.source.input) } };
}
