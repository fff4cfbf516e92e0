import { maxCommandBytes } from '../../core/jobs/attempt-log.ts';
import type { Command, CommandInput } from '../../core/media/ffmpeg/command.ts';
import { vmafFilter } from '../../core/media/ffmpeg/vmaf-comparison.ts';

/** Options that every run gets anew: the guards against hostile files and the limits of the machine that runs it. */
// biome-ignore format: a table
const guards = new Set([
  '-loglevel', '-progress', '-stats_period', '-max_alloc', '-timelimit',
  '-protocol_whitelist', '-format_whitelist', '-codec_whitelist', '-max_streams', '-max_pixels',
  '-short_seek_size', '-recv_buffer_size',
]);

/** Such options that take no value. */
const switches = new Set(['-hide_banner', '-nostdin', '-y', '-nostats']);

const isMeasurementTarget = (args: readonly string[]) => args.at(-1) === '-' && args.at(-2) === 'null';

/**
 * Whether a run only measured something, so that no file depends on it: a comparison by VMAF, or a run that discards its
 * output. The first of two passes also writes statistics.
 */
export function isMeasurement(args: readonly string[]): boolean {
  if (args[0] !== '-hide_banner') return true; // The program `vmaf`.
  if (args.includes('yuv4mpegpipe') || args.some((arg) => arg.includes(`${vmafFilter}=`))) return true;
  return isMeasurementTarget(args) && !args.includes('-pass') && !args.some((arg) => arg.includes('pass=1'));
}

/** The error for a log that was too small for the command of a task, such as `chunk 4`. */
export function missingCommandError(task: string): Error {
  return new Error(
    `The log lacks the command of ${task}: a log keeps at most ${maxCommandBytes / 1024} KB of commands.`,
  );
}

/** The command behind the exact arguments of a run, without its guards and limits. */
export function parseRecordedCommand(args: readonly string[]): Command {
  const inputs: CommandInput[] = [];
  let options: string[] = [];
  let kind: Pick<CommandInput, 'isTrusted' | 'isSubtitles'> = {};
  for (let index = 0; index < args.length; index += 1) {
    const [option = '', value = ''] = args.slice(index, index + 2);
    if (switches.has(option)) continue;
    if (guards.has(option)) {
      if (option === '-format_whitelist') kind = kindOf(value.split(','));
      index += 1;
    } else if (option === '-i') {
      inputs.push({ ...inputAt(value, options), ...kind });
      [options, kind] = [[], {}];
      index += 1;
    } else {
      options.push(option);
    }
  }
  return { inputs, outputArguments: options };
}

function kindOf(demuxers: readonly string[]): Pick<CommandInput, 'isTrusted' | 'isSubtitles'> {
  if (!demuxers.includes('mov')) return { isSubtitles: true };
  return demuxers.includes('image2') ? { isTrusted: true } : {};
}

function inputAt(path: string, options: string[]): CommandInput {
  if (path.startsWith('data:')) return { path, options, isConcatList: true };
  // Added again for the name of the file.
  const isJpeg = path.endsWith('.jpg') && options.at(-1) === 'jpeg_pipe';
  return { path, options: isJpeg ? options.slice(0, -2) : options };
}
