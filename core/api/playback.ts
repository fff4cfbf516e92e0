import * as z from 'zod';
import { maxPlaybackSeconds } from '../playback/edge-store.ts';
import { timestampSchema } from '../timestamp.ts';
import { contract } from './contract.ts';
import { jobParams } from './jobs.ts';

const playback = {
  path: '/api/v1/jobs/{id}/playback',
  tag: 'Jobs',
  function: 'jobs',
  callers: ['key', 'session'],
  params: jobParams,
} as const;

const defaultPlaybackSeconds = 21_600;

const fileOf = (description: string) => z.url().optional().meta({ description });

const playbackSchema = z
  .object({
    hls: fileOf('The HLS playlist of the stream.'),
    dash: fileOf('The MPEG-DASH manifest of the stream.'),
    mp4: fileOf('The MP4, also one that is as long as the stream, for downloads and old players.'),
    poster: fileOf('The first thumbnail of the job.'),
    sprite: fileOf('The cues of the first sprite of the job: thumbnails for the seek bar.'),
    embedUrl: z.url().describe('A page with a player, for an `iframe`.'),
    expiresAt: timestampSchema.describe('When all of these URLs end.'),
    delivery: z
      .enum(['edge', 'api'])
      .describe(
        '`edge`: CloudFront delivers all files, without the API. `api`: URLs of the route of files, for a few hundred viewers.',
      ),
  })
  .meta({ id: 'Playback' });

export type Playback = z.output<typeof playbackSchema>;

const url = 'https://media.example.com';
const files = '/api/v1/jobs/01980000-0000-7000-8000-000000000001/files/output/hls.m3u8?o=owner-1&e=tcqbn4&s=mYq3';

export const createPlaybackContract = contract({
  ...playback,
  id: 'createPlayback',
  method: 'POST',
  summary: 'Make URLs that play a job',
  description:
    'Makes URLs that play the first stream of the job, or without a stream its first MP4. Whoever has them can play until `expiresAt` or a revocation.',
  scope: 'jobs:read',
  body: z
    .strictObject({
      expiresInSeconds: z
        .int()
        .min(60)
        .max(maxPlaybackSeconds)
        .default(defaultPlaybackSeconds)
        .describe('Lifetime of the URLs. None outlives its files.'),
      output: z.string().max(64).optional().meta({
        description: 'The output to play: a name of `outputs`, the name of a step, or `output`.',
      }),
    })
    .prefault({}),
  bodyExample: { expiresInSeconds: 7200 },
  responses: {
    200: {
      description: 'The URLs of its files.',
      schema: playbackSchema,
      example: {
        hls: url + files,
        embedUrl: `${url}/embed#hls=${encodeURIComponent(files)}`,
        expiresAt: '2026-03-01T14:00:00.000Z',
        delivery: 'api',
      },
    },
  },
  errors: ['JOB_NOT_COMPLETED', 'JOB_NOT_PLAYABLE', 'JOB_FILES_EXPIRED'],
  uses: ['table.get', 'table.update', 'files.link', 'buckets.describe', 'edge.read'],
});

export const revokePlaybackContract = contract({
  ...playback,
  id: 'revokePlayback',
  method: 'DELETE',
  summary: 'Revoke the playback URLs of a job',
  description:
    'Playback URLs that were made before now stop working: at the API at once, at the edge within a minute. Other URLs of the files stay valid.',
  scope: 'jobs:write',
  responses: { 204: { description: 'The URLs are revoked.' } },
  uses: ['table.get', 'table.update', 'edge.revoke'],
  audit: {},
});

export const getEmbedPageContract = contract({
  id: 'getEmbedPage',
  function: 'files',
  method: 'GET',
  path: '/embed',
  tag: 'Jobs',
  summary: 'Open the player',
  description:
    'The page of `embedUrl`: a video element with captions, quality, thumbnails and keys. It sets no cookie. What it plays is behind the hash of the URL.',
  callers: [],
  responses: { 200: { description: 'The page.', text: ['text/html; charset=utf-8'] } },
  uses: ['player.embed'],
});
