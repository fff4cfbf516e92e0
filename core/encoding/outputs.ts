import { formats } from '../media/formats.ts';
import type { OutputExpectation } from '../media/outputs/verify-output.ts';
import type { PlanInput, PlannedOutput } from './plan.ts';

/** Tags and chapters stay behind: they may hold a place, a name or control characters that nobody asked to publish. */
export const dropMetadata = ['-map_metadata', '-1', '-map_chapters', '-1'];

/** Nothing but the picture and the sound that were mapped. */
export const dropOtherStreams = ['-sn', '-dn', ...dropMetadata];

type Target = Pick<PlanInput<unknown>, 'format' | 'outputDirectory'>;

/** The one output of a recipe that makes a single file, and the path that ffmpeg writes it to. */
export function singleOutput(
  target: Target,
  expectation: OutputExpectation,
): { output: PlannedOutput; path: string } {
  return namedOutput('output', target, expectation);
}

/** One of several outputs. The name is both its key and its file's. */
export function namedOutput(
  name: string,
  { format, outputDirectory }: Target,
  expectation: OutputExpectation,
): { output: PlannedOutput; path: string } {
  const filename = `${name}.${format}`;
  const { mimeType } = formats[format];
  return {
    output: { name, filename, format, mimeType, expectation },
    path: `${outputDirectory}/${filename}`,
  };
}
