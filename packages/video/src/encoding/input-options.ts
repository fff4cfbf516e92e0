import { fullDynamicRange } from '../media/codecs/encoder-arguments.ts';
import type { Command, CommandInput } from '../media/ffmpeg/command.ts';
import { fromMediaStart } from '../media/ffmpeg/seek.ts';
import { alphaDecoder } from '../media/filters/alpha.ts';
import { dropReservedMatrix } from '../media/filters/color-space.ts';
import { lateStreamOptions } from '../media/probe/moved-streams.ts';
import type { Probe, VideoStream } from '../media/probe/probe.ts';
import { mainVideo } from '../media/probe/streams.ts';
import { turnOptions } from '../media/probe/turn.ts';
import type { MediaFile, PlanTask, RunTask } from './plan.ts';

/**
 * Runs tasks so that these files are read with what ffmpeg leaves out by default: the transparency of VP8 and VP9, the
 * dynamic range of AC-3 and E-AC-3, streams of MPEG-TS that begin late, exact times after a seek in a broadcast, videos with
 * a reserved color matrix, and the turn that frames state.
 */
export function withInputOptions(run: RunTask, files: readonly MediaFile[]): RunTask {
  const known = new Map(files.map(({ path, probe }) => [path, probe]));
  const withOptions = (input: CommandInput, task: PlanTask): CommandInput => {
    const { path, options = [] } = input;
    const probe = known.get(path);
    if (probe === undefined) return input;
    const all = [...inputOptions(probe, task), ...fromMediaStart(options, probe)];
    return all.length === 0 ? input : { ...input, options: all };
  };
  return (task, share) => run(mapInputs(task, withOptions), share);
}

function inputOptions(probe: Probe, task: PlanTask): string[] {
  const video = mainVideo(probe);
  return [
    ...(video ? turnOptions(video) : []),
    ...(video && !copiesVideo(task) ? videoDecoderOptions(video) : []),
    ...fullDynamicRange(probe),
    ...lateStreamOptions(probe),
  ];
}

function videoDecoderOptions(video: VideoStream): string[] {
  const decoder = alphaDecoder(video);
  const transparency = decoder === undefined ? [] : [`-c:${video.index}`, decoder];
  return [...transparency, ...dropReservedMatrix(video)];
}

/** A command with a video encoder decodes the video, even if it also copies streams to read them. */
function copiesVideo(task: PlanTask): boolean {
  if (!('outputArguments' in task)) return false;
  const { outputArguments } = task;
  const codecs = outputArguments.filter((_, index) => ['-c', '-c:v'].includes(String(outputArguments[index - 1])));
  return codecs.length > 0 && codecs.every((codec) => codec === 'copy');
}

function mapInputs(task: PlanTask, map: (input: CommandInput, task: PlanTask) => CommandInput): PlanTask {
  if ('inputs' in task) {
    return { ...task, inputs: task.inputs.map((input) => map(input, task)) } satisfies Command;
  }
  if (!('encoded' in task)) return task;
  return { ...task, source: { ...task.source, input: map(task.source.input, task) } };
}
