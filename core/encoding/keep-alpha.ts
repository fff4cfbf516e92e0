import type { Command, CommandInput } from '../media/ffmpeg/command.ts';
import { alphaDecoder } from '../media/filters/alpha.ts';
import { mainVideo } from '../media/probe/streams.ts';
import type { MediaFile, PlanTask, RunTask } from './plan.ts';

/** Runs tasks so that the VP8 and VP9 videos among these files are decoded with their transparency. */
export function keepAlpha(run: RunTask, files: readonly MediaFile[]): RunTask {
  const options = new Map(files.map(({ path, probe }) => [path, decoderOptions(probe)]));
  const decode = (input: CommandInput): CommandInput => {
    const decoder = options.get(input.path);
    return decoder === undefined ? input : { ...input, options: [...decoder, ...(input.options ?? [])] };
  };
  return (task, share) => run(mapInputs(task, decode), share);
}

function decoderOptions(probe: MediaFile['probe']): string[] | undefined {
  const video = mainVideo(probe);
  const decoder = video && alphaDecoder(video);
  return decoder === undefined ? undefined : [`-c:${video?.index}`, decoder];
}

function mapInputs(task: PlanTask, map: (input: CommandInput) => CommandInput): PlanTask {
  if ('inputs' in task) return { ...task, inputs: task.inputs.map(map) } satisfies Command;
  if (!('encoded' in task)) return task;
  return { ...task, source: { ...task.source, input: map(task.source.input) } };
}
