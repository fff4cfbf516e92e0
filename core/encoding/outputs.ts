import { formats } from '../media/formats.ts';
import type { OutputExpectation } from '../media/outputs/verify-output.ts';
import type { PlanInput, PlannedOutput } from './plan.ts';

/** Drops tags and chapters: they may hold a location, a name or control characters that nobody asked to publish. */
export const dropMetadata = ['-map_metadata', '-1', '-map_chapters', '-1'];

/** Drops everything except the mapped video and audio. */
export const dropOtherStreams = ['-sn', '-dn', ...dropMetadata];

type OutputTarget = Pick<PlanInput<unknown>, 'format' | 'outputDirectory'>;

/** The output of a recipe that makes a single file, and the path that ffmpeg writes it to. */
export function singleOutput(
  target: OutputTarget,
  expectation: OutputExpectation,
): { output: PlannedOutput; path: string } {
  return namedOutput('output', target, expectation);
}

/** One of several outputs. `name` is its key and the stem of its filename. */
export function namedOutput(
  name: string,
  { format, outputDirectory }: OutputTarget,
  expectation: OutputExpectation,
): { output: PlannedOutput; path: string } {
  const filename = `${name}.${format}`;
  const { mimeType } = formats[format];
  return {
    output: { name, filename, format, mimeType, expectation },
    path: `${outputDirectory}/${filename}`,
  };
}
