import type { FfprobeStream } from './ffprobe-output.ts';

/** The indexes of the streams of each program. */
export type Programs = readonly (readonly number[])[];

/** The positions of the programs with a stream. Undefined unless a file has several programs. */
export function programsOf({ index }: FfprobeStream, programs: Programs): number[] | undefined {
  const own = [...programs.keys()].filter((position) => programs[position]?.includes(index));
  return programs.length > 1 && own.length > 0 ? own : undefined;
}
