import * as z from 'zod';
import { contract } from './contract.ts';

const callers = ['key', 'session'] as const;
const tag = 'Uploads';
const expiresAt = z.iso.datetime({ precision: 3 });

/** The most that S3 takes in one PUT (Amazon S3 User Guide, "Uploading objects"). */
const mostBytesAtOnce = 5 * 1024 ** 3;

/** The most that S3 takes in all: an object of 5 TB. */
const mostBytes = 5 * 1024 ** 4;

export const createUploadContract = contract({
  id: 'createUpload',
  method: 'POST',
  path: '/api/v1/uploads',
  tag,
  summary: 'Begin an upload',
  description: `Up to ${mostBytesAtOnce} bytes go up in one PUT to \`uploadUrl\`; larger files in parts, which completing the upload joins. Uploads are kept for 7 days.`,
  callers,
  body: z.strictObject({
    sizeBytes: z.int().min(1).max(mostBytes),
    contentType: z.string().min(1).max(100).optional(),
  }),
  bodyExample: { sizeBytes: 52_428_800, contentType: 'video/mp4' },
  responses: {
    201: {
      description: 'Where to send the file, and the URL that names it as the input of a job.',
      schema: z.union([
        z.object({ inputUrl: z.string(), uploadUrl: z.url(), expiresAt }),
        z.object({
          inputUrl: z.string(),
          uploadId: z.string(),
          partUrls: z.array(z.url()),
          partSizeBytes: z.int().min(1),
          expiresAt,
        }),
      ]),
    },
  },
  errors: [],
  uses: ['media.put'],
});

export const completeUploadContract = contract({
  id: 'completeUpload',
  method: 'POST',
  path: '/api/v1/uploads/{id}/complete',
  tag,
  summary: 'Finish an upload in parts',
  callers,
  params: z.object({
    id: z.uuid('There is no such upload.').meta({ description: "The upload's `uploadId`." }),
  }),
  body: z.strictObject({
    parts: z
      .array(z.strictObject({ partNumber: z.int().min(1).max(10_000), etag: z.string().min(1).max(100) }))
      .min(1)
      .max(10_000),
  }),
  responses: { 200: { description: 'The file is whole.', schema: z.object({ inputUrl: z.string() }) } },
  errors: [],
  uses: ['media.put'],
});
