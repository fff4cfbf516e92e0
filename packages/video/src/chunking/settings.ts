import * as z from 'zod';
import { integerBetween } from '../values.ts';

/**
 * Each task updates the record of its job every two seconds. With so many, a record of 7 KB takes 700 of the 1,000 write
 * units of a partition.
 */
export const maxParallelTasks = 200;

/**
 * In each codec. Bounded by Step Functions: the task numbers are part of the state, and each task adds eight of the
 * 25,000 history events: an iteration with a task token.
 */
export const maxChunks = 200;

/** Shorter chunks cost more preroll than they save. */
export const minChunkSeconds = 4;

/** Where a maximum bit rate applies: chunks of this length lower it by 2 %. */
export const minLimitedChunkSeconds = 20;

/** Chunks of the audio, beside those of the video. They are part of the state of an execution and its history too. */
export const maxAudioChunks = 40;

/** Expected wall seconds of a chunk of the audio. A shorter one would be mostly the start of its function. */
export const minAudioTaskSeconds = 10;

/** Wall seconds of one chunk: what Lambda allows a function, less start, upload and end. */
export const maxTaskSeconds = 840;

/** When a stage encodes a video in chunks, and how many at once. */
export const chunkSettingsSchema = z.strictObject({
  targetChunkSeconds: integerBetween(2, 3600).default(60).meta({
    description:
      'Length of a chunk in seconds, unless its work exceeds chunkCpuSeconds. Where over 40 run at once, a chunk is as short as half of it. Chunks of a long video are longer: a job has 200 at most.',
  }),
  chunkCpuSeconds: integerBetween(10, 3600).default(150).meta({
    description:
      'Estimated processor seconds of one chunk. A chunk with more work is shorter than targetChunkSeconds: at least 4 s, or 20 s with a maximum bit rate.',
  }),
  maxParallelChunks: integerBetween(2, maxParallelTasks)
    .default(4)
    .meta({ description: 'Maximum number of chunks of one job that are encoded at the same time.' }),
  rangesFromBytes: integerBetween(1, 100_000_000_000).default(100_000_000).meta({
    description:
      'Size from which the source of a job with one input is read by ranges in place. A smaller one is downloaded.',
  }),
  maxSinglePassSeconds: integerBetween(1, 780).default(300).meta({
    description: 'Estimated encoding time in seconds above which a job of standard speed is encoded in chunks.',
  }),
});

export type ChunkSettings = z.output<typeof chunkSettingsSchema>;

/**
 * `fast` encodes every video in chunks that can be; `standard` only one whose single pass would take long. `economy` encodes
 * like `standard`, on a machine that several jobs share and that may be taken away.
 */
export const speeds = ['standard', 'fast', 'economy'] as const;

export type Speed = (typeof speeds)[number];
