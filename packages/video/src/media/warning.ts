import * as z from 'zod';

/** Codes of a job's warnings, those first of which a job with too many keeps the most. */
export const warningCodes = [
  'INPUT_DAMAGED',
  'OUTPUT_FAILED',
  'TRACK_DROPPED',
  'SUBTITLE_DROPPED',
  'LANGUAGE_GUESSED',
  'INPUT_UNSUPPORTED',
] as const;

export type WarningCode = (typeof warningCodes)[number];

/** What a finished job lacks, or assumed of its input. */
export const jobWarningSchema = z.object({
  code: z.enum(warningCodes),
  message: z.string(),
  output: z.string().optional().meta({ description: 'The only output that it is about.' }),
});

export type JobWarning = z.infer<typeof jobWarningSchema>;

/** Maximum number of warnings of a job. */
export const maxWarnings = 50;

export const jobWarningsSchema = z.array(jobWarningSchema).max(maxWarnings);

/** All warnings of a job, each once. Of too many, those with the first codes stay. */
export function joinWarnings(...lists: readonly (readonly JobWarning[] | undefined)[]): JobWarning[] {
  const all = lists.flatMap((list) => list ?? []);
  const isSame = (one: JobWarning, other: JobWarning) =>
    one.code === other.code && one.message === other.message && one.output === other.output;
  return all
    .filter((warning, index) => all.findIndex((other) => isSame(warning, other)) === index)
    .toSorted((one, other) => warningCodes.indexOf(one.code) - warningCodes.indexOf(other.code))
    .slice(0, maxWarnings);
}
