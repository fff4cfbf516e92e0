import type { FfprobeStream } from './ffprobe-output.ts';
import type { Probe } from './probe.ts';
import { isBroadcast, streamsOfProgram } from './streams.ts';

/** The indexes of the streams of each program. */
export type Programs = readonly (readonly number[])[];

/** The positions of the programs with a stream. Undefined unless a file has several programs. */
export function programsOf({ index }: FfprobeStream, programs: Programs): number[] | undefined {
  const own = [...programs.keys()].filter((position) => programs[position]?.includes(index));
  return programs.length > 1 && own.length > 0 ? own : undefined;
}

/**
 * The probe of a file with times from the start of the program with its main video, if it has several programs.
 * @param fileStart timestamp in seconds from which its times count
 */
export function fromProgramStart(
  probe: Probe,
  { streams, fileStart }: { streams: readonly FfprobeStream[]; fileStart: number },
): Probe {
  const start = programStart(probe, streams) ?? fileStart;
  const programStartSeconds = start - fileStart;
  const file = { ...probe, ...(isBroadcast(probe) && start > 0 && { startTimestampSeconds: start }) };
  if (programStartSeconds <= 0) return file;
  const moved = probe.streams.map((stream) => ({
    ...stream,
    startSeconds: Math.max(0, stream.startSeconds - programStartSeconds),
  }));
  return { ...file, programStartSeconds, streams: moved };
}

function programStart(probe: Probe, streams: readonly FfprobeStream[]): number | undefined {
  const own = streamsOfProgram(probe)
    .filter(({ kind, programs }) => (kind === 'video' || kind === 'audio') && programs !== undefined)
    .map(({ index }) => index);
  const starts = streams.filter(({ index }) => own.includes(index)).flatMap((each) => each.start_time ?? []);
  return starts.length === 0 ? undefined : Math.min(...starts);
}
