import { createHash } from 'node:crypto';
import * as z from 'zod';
import type { Encoding } from '../../encoding/encoding.ts';
import type { PlannedOutput } from '../../encoding/plan.ts';
import type { Format, VideoFormat } from '../../media/formats.ts';
import { inputFileSchema, workResultSchema } from '../../media/outputs/work-result.ts';
import type { Probe } from '../../media/probe/probe.ts';
import { canonicalJson } from '../../values.ts';
import { storedFrameTimesSchema } from '../frame-index/frame-index.ts';
import type { ChunkedClip } from './chunked-clips.ts';
import type { AudioChunk } from './cut-audio.ts';
import { chunkSchema } from './cut-video.ts';

// Count up when a worker cannot execute plans of the previous version.
const schemaVersion = 12;

/** An object that the same version of the service wrote; only its presence is checked. */
const ownObject = <T>() => z.custom<T>((value) => typeof value === 'object' && value !== null);

const videoFormatSchema = z.enum(['mp4', 'mov', 'mkv', 'webm'] satisfies VideoFormat[]);

/** An encoding in chunks: everything that determines the bytes of the outputs, without paths or keys of files. */
const chunkedWorkSchema = z.object({
  /** Versions of the encoder. A later attempt by the same versions reuses finished chunks. */
  encodedBy: z.object({ service: z.string(), ffmpeg: z.string() }),
  /** The number of the step of the job, from 0. */
  step: z.int().min(0),
  source: ownObject<Probe>(),
  format: videoFormatSchema,
  /** With an empty overlay path: the path differs from worker to worker. */
  encoding: ownObject<Encoding>(),
  /** The overlay image, where there is one. */
  overlay: ownObject<Probe>().optional(),
  outputs: z.array(ownObject<PlannedOutput>()),
  chunks: z.array(chunkSchema),
  /** Left out where the audio is encoded as one task. */
  audioChunks: z.array(ownObject<AudioChunk>()).optional(),
  /** Each chunk of the video has a chunk of the audio in its files, and S3 assembles the outputs from them. */
  isAssembled: z.literal(true).optional(),
  /** The files of the chunks are fragments of the renditions of a stream, which S3 assembles. The audio is joined by ffmpeg. */
  hasFinalFragments: z.literal(true).optional(),
  timelineOrigin: z.object({ containerSeconds: z.number(), fileSeconds: z.number() }),
  /** Set if the output is that of several inputs. `source`, `encoding` and `timelineOrigin` are those of the first. */
  clips: z.array(ownObject<ChunkedClip>()).optional(),
  /** Of the output. */
  frameTimes: storedFrameTimesSchema,
  /** Frames of the sources by their packets, and by what they state of duration and rate. Left out for a time range. */
  sourceFrames: z.object({ indexed: z.int().min(0), stated: z.int().min(0) }).optional(),
  /** The joined file is compared with the source by VMAF. */
  comparesWithSource: z.boolean().optional(),
  /** Fields of the completed job besides its files. Of a pipeline: those of all its steps until this one. */
  result: workResultSchema,
});

export type ChunkedWork = z.output<typeof chunkedWorkSchema>;

const storedObjectSchema = z.object({
  key: z.string(),
  etag: z.string(),
  /** The storage provider of the job's owner that has the object; the media bucket if unset. */
  storageProviderId: z.string().optional(),
});

/** One version of an object in the media bucket or at a storage provider. */
export type StoredObject = z.output<typeof storedObjectSchema>;

/** One version of an input by URL. The URL itself, which may be a secret, is in the job's record. */
const pinnedInputSchema = z.object({
  input: z.int().min(0),
  validator: z.object({ header: z.enum(['etag', 'last-modified']), value: z.string() }),
  sizeBytes: z.int().min(0),
});

const mediaLocationSchema = z.union([storedObjectSchema, pinnedInputSchema]);

export type MediaLocation = z.output<typeof mediaLocationSchema>;

const chunkPlanSchema = z.object({
  schemaVersion: z.literal(schemaVersion),
  work: chunkedWorkSchema,
  /** In the order of the clips. */
  sources: z.array(mediaLocationSchema),
  overlay: storedObjectSchema.optional(),
  /** The downloaded files and the ffmpeg runs before the plan, for the job's log. */
  inputs: z.array(inputFileSchema).readonly().default([]),
  runs: z.array(z.object({ arguments: z.array(z.string()), log: z.string() })).readonly(),
});

/** The input of all chunk tasks and of the join, stored in the media bucket as JSON. */
export type ChunkPlan = z.output<typeof chunkPlanSchema>;

/** The container format of the encoded chunks. A playlist's media files are MP4. */
export function chunkFormat(format: Format): VideoFormat {
  return videoFormatSchema.parse(format === 'm3u8' ? 'mp4' : format);
}

/**
 * SHA-256 of the work and of the versions of its sources, shortened to 32 hexadecimal digits: equal for works that encode
 * the same bytes. A source without a location is stored below this hash, once for all attempts.
 */
export function workHash(work: ChunkedWork, sources: readonly { location?: MediaLocation | undefined }[]): string {
  const versions = sources.map(({ location }) => location && versionOf(location));
  return createHash('sha256').update(canonicalJson({ work, versions })).digest('hex').slice(0, 32);
}

/** Not the key: an intermediate has another one each time that its step is completed. */
function versionOf(location: MediaLocation): string {
  return 'validator' in location ? location.validator.value : location.etag;
}

export function writePlan(plan: Omit<ChunkPlan, 'schemaVersion'>): string {
  return JSON.stringify({ schemaVersion, ...plan } satisfies ChunkPlan);
}

/** Parses a written plan. @throws TypeError for another schema version, ZodError for one that is incomplete */
export function readPlan(text: string): ChunkPlan {
  const plan: unknown = JSON.parse(text);
  const { schemaVersion: found } = z.looseObject({ schemaVersion: z.unknown() }).parse(plan);
  if (found === schemaVersion) return chunkPlanSchema.parse(plan);
  throw new TypeError(
    `The chunk plan has schema version ${found}; this worker expects ${schemaVersion}. The service was updated meanwhile`,
  );
}
