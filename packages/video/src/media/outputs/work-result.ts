import * as z from 'zod';
import { type Format, formats } from '../formats.ts';
import type { Probe } from '../probe/probe.ts';
import { mainAudio, mainVideo } from '../probe/streams.ts';

/** A file that the commands read: an input of the job, or a file that a parameter names. */
export const inputFileSchema = z.object({
  /** The name of the file in the commands, such as `input-1`. */
  name: z.string(),
  bytes: z.int().min(0),
  /** SHA-256 of the whole file, 64 hexadecimal digits. Absent for a source that was read by ranges in place. */
  sha256: z.string().optional(),
});

export type InputFile = z.infer<typeof inputFileSchema>;

/**
 * The properties of a finished file, measured from the file: a value of a job's `output_files`, to which each read adds
 * `storage_url`. Fields that do not apply to the file are missing.
 */
export const fileRecordSchema = z.object({
  file_id: z.string().meta({ description: 'Identifies the file.' }),
  filename: z.string().meta({ description: 'The filename of a download.' }),
  size_mbytes: z.number().min(0).meta({ description: 'Size in megabytes of 1,000,000 bytes.' }),
  duration: z.number().min(0).optional().meta({ description: 'Length in seconds.' }),
  file_type: z.enum(['video', 'audio', 'image', 'playlist', 'subtitle', 'data']),
  file_format: z.string().meta({ description: 'The output format, such as `mp4`.' }),
  mime_type: z.string(),
  codec: z
    .string()
    .optional()
    .meta({ description: 'Codec of the video; without video that of the audio or the subtitles.' }),
  width: z.int().optional().meta({ description: 'Width in pixels, as displayed.' }),
  height: z.int().optional().meta({ description: 'Height in pixels, as displayed.' }),
});

export type FileRecord = z.output<typeof fileRecordSchema>;

/** A job's `output_files` as its owner reads it: each record with a signed URL of the file. */
export const outputFilesSchema = z.record(
  z.string(),
  fileRecordSchema.extend({
    storage_provider_id: z.string().optional().meta({ description: 'The storage provider that has the file.' }),
    storage_key: z.string().optional().meta({ description: 'The key of the file in its bucket.' }),
    storage_url: z.url().meta({ description: 'A signed URL of the file as it is stored, made for this answer.' }),
  }),
);

/** Describes a finished file. `probe` is undefined for files that are not media. */
export function describeFile(file: {
  fileId: string;
  filename: string;
  format: Format;
  sizeBytes: number;
  probe?: Probe | undefined;
}): FileRecord {
  const { fileId, filename, format, sizeBytes, probe } = file;
  const { fileType, mimeType } = formats[format];
  return {
    file_id: fileId,
    filename,
    size_mbytes: sizeBytes / 1_000_000,
    file_type: fileType,
    file_format: format,
    mime_type: mimeType,
    ...(probe ? measured(probe) : {}),
  };
}

function measured(probe: Probe): Partial<FileRecord> {
  const video = mainVideo(probe);
  const codec = (video ?? mainAudio(probe) ?? probe.streams[0])?.codec;
  return {
    ...(probe.durationSeconds === undefined ? {} : { duration: Math.round(probe.durationSeconds * 1000) / 1000 }),
    ...(codec === undefined ? {} : { codec }),
    ...(video ? { width: video.width, height: video.height } : {}),
  };
}

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

/** What a completed encode tells besides its files. */
export const workResultSchema = z.object({
  inputSizeBytes: z.number(),
  mediaSeconds: z.number().optional(),
  measurements: z.record(z.string(), z.number()).optional(),
  warnings: jobWarningsSchema.optional(),
});

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
