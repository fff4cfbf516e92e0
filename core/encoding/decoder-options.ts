import { fullDynamicRange } from '../media/codecs/dynamic-range.ts';
import type { Command, CommandInput } from '../media/ffmpeg/command.ts';
import { alphaDecoder } from '../media/filters/alpha.ts';
import type { Probe } from '../media/probe/probe.ts';
import { mainVideo } from '../media/probe/streams.ts';
import type { MediaFile, PlanTask, RunTask } from './plan.ts';

/**
 * Runs tasks so that these files are decoded with what ffmpeg leaves out by default: the transparency of VP8 and VP9, and
 * the dynamic range of AC-3 and E-AC-3.
 */
export function withDecoderOptions(run: RunTask, files: readonly MediaFile[]): RunTask {
  const known = new Map(files.map(({ path, probe }) => [path, decoderOptions(probe)]));
  const decode = (input: CommandInput): CommandInput => {
    const { path, options = [] } = input;
    const decoding = known.get(path) ?? [];
    return decoding.length === 0 ? input : { ...input, options: [...decoding, ...options] };
  };
  return (task, share) => run(mapInputs(task, decode), share);
}

function decoderOptions(probe: Probe): string[] {
  const video = mainVideo(probe);
  const decoder = video && alphaDecoder(video);
  const transparency = decoder === undefined ? [] : [`-c:${video?.index}`, decoder];
  return [...transparency, ...fullDynamicRange(probe)];
}

function mapInputs(task: PlanTask, map: (input: CommandInput) => CommandInput): PlanTask {
  if ('inputs' in task) return { ...task, inputs: task.inputs.map(map) } satisfies Command;
  if (!('encoded' in task)) return task;
  return { ...task, source: { ...task.source, input: map(task.source.input) } };
}
