import * as z from 'zod';
import { timestampSchema } from '../timestamp.ts';
import { maxFilenameBytes, maxParts, maxSinglePutBytes, minPartBytes, uploadDays } from '../uploads/upload.ts';
import { contract } from './contract.ts';
import { idempotencyHeaders, replayedHeader } from './job-fields.ts';

const common = { function: 'submission', tag: 'Uploads', callers: ['key', 'session'], scope: 'uploads' } as const;
const uploadId = z.object({ id: z.string().describe("The upload's `uploadId`.") });
const partNumber = z.int().min(1).max(maxParts);
const expiresAt = timestampSchema;
const partSizeBytes = z.int().min(1).describe('The size of every part but the last.');

export const createUploadContract = contract({
  ...common,
  id: 'createUpload',
  method: 'POST',
  path: '/api/v1/uploads',
  summary: 'Create an upload',
  description: `Send up to ${maxSinglePutBytes} bytes in one PUT to \`uploadUrl\`. Send a larger file, or any file with \`multipart: true\`, in parts to \`partUrls\`, then complete the upload. An upload in parts can be continued: \`GET /api/v1/uploads/{id}/parts\` lists the parts that have arrived. Each PUT needs \`Content-Length\`: chunked transfer encoding is rejected. It must begin before \`expiresAt\`; \`POST /api/v1/uploads/{id}/parts\` signs the URLs of parts anew. Uploads are kept for ${uploadDays} days.`,
  headers: idempotencyHeaders,
  body: z.strictObject({
    sizeBytes: z
      .int()
      .min(1)
      .describe(
        'The exact size of the file: S3 rejects a PUT of another size. At most the limit of inputs of the stage.',
      ),
    filename: z
      .string()
      .min(1)
      .max(200)
      .refine(
        (name) => Buffer.byteLength(name) <= maxFilenameBytes,
        `Must have at most ${maxFilenameBytes} bytes in UTF-8`,
      )
      .optional()
      .meta({
        description: `The file name for display, of at most ${maxFilenameBytes} bytes in UTF-8. It becomes part of \`inputUrl\`.`,
      }),
    contentType: z
      .string()
      .regex(/^[\x21-\x7e ]{1,100}$/, 'Must be 1 to 100 printable ASCII characters')
      .optional(),
    multipart: z
      .boolean()
      .optional()
      .meta({
        description: `True for an upload in parts of at least ${minPartBytes} bytes: \`partUrls\` and \`uploadId\` in place of \`uploadUrl\`.`,
      }),
  }),
  bodyExample: { sizeBytes: 52_428_800, filename: 'film.mp4', contentType: 'video/mp4' },
  responses: {
    201: {
      description: 'The URLs to send the file to, and the `inputUrl` to use as the input of a job.',
      headers: replayedHeader,
      schema: z.union([
        z.object({ inputUrl: z.string(), uploadUrl: z.url(), expiresAt }),
        z.object({ inputUrl: z.string(), uploadId: z.string(), partUrls: z.array(z.url()), partSizeBytes, expiresAt }),
      ]),
      example: {
        inputUrl: 'upload://019a2c5e-7d10-7b3a-9f4e-2f1f6a0c9d11/film.mp4',
        uploadUrl: 'https://media.example.com/uploads/019a2c5e?X-Amz-Signature=4c1f',
        expiresAt: '2026-11-21T10:23:31.050Z',
      },
    },
  },
  errors: ['IDEMPOTENCY_KEY_REUSED', 'LIMIT_EXCEEDED'],
  uses: ['media.put', 'media.listParts', 'table.get', 'table.put'],
});

export const listUploadPartsContract = contract({
  ...common,
  id: 'listUploadParts',
  method: 'GET',
  path: '/api/v1/uploads/{id}/parts',
  summary: 'List uploaded parts',
  description:
    'The parts that have arrived, by number: continue an interrupted upload with the others. 404 once the upload is complete or aborted.',
  params: uploadId,
  responses: {
    200: {
      description: 'The parts that have arrived, and the size of each part but the last.',
      schema: z.object({
        parts: z.array(z.object({ partNumber, sizeBytes: z.int().min(0), etag: z.string() })),
        partSizeBytes,
      }),
      example: {
        parts: [{ partNumber: 1, sizeBytes: 5_242_880, etag: '"9b2cf535f27731c974343645a3985328"' }],
        partSizeBytes: 5_242_880,
      },
    },
  },
  uses: ['media.put', 'media.listParts'],
});

export const abortUploadContract = contract({
  ...common,
  id: 'abortUpload',
  method: 'DELETE',
  path: '/api/v1/uploads/{id}',
  summary: 'Abort a multipart upload',
  description: 'Removes the parts that have arrived. A complete upload is not removed: it answers 404.',
  params: uploadId,
  responses: { 204: { description: 'The upload is aborted.' } },
  uses: ['media.put', 'media.abort'],
});

export const signUploadPartsContract = contract({
  ...common,
  id: 'signUploadParts',
  method: 'POST',
  path: '/api/v1/uploads/{id}/parts',
  summary: 'Sign part URLs',
  description: 'Signs URLs for parts, for example when those of a long upload have expired. Uploaded parts are kept.',
  params: uploadId,
  body: z.strictObject({ partNumbers: z.array(partNumber).min(1).max(maxParts) }),
  bodyExample: { partNumbers: [41, 42] },
  responses: {
    200: {
      description: 'The URL of each part, in the order of the request.',
      schema: z.object({ partUrls: z.array(z.url()), expiresAt }),
      example: {
        partUrls: [
          'https://media.example.com/uploads/019a2c5e?partNumber=41&uploadId=VXBs&X-Amz-Signature=4c1f',
          'https://media.example.com/uploads/019a2c5e?partNumber=42&uploadId=VXBs&X-Amz-Signature=b07a',
        ],
        expiresAt: '2026-11-21T11:19:02.000Z',
      },
    },
  },
  uses: ['media.put', 'media.listParts'],
});

/** An ETag may have quotes. A control character would make the XML of the request to S3 malformed. */
const etag = z.string().regex(/^[\x21-\x7e]{1,100}$/, 'Must be 1 to 100 printable ASCII characters, without spaces');

export const completeUploadContract = contract({
  ...common,
  id: 'completeUpload',
  method: 'POST',
  path: '/api/v1/uploads/{id}/complete',
  summary: 'Complete a multipart upload',
  params: uploadId,
  body: z.strictObject({
    parts: z.array(z.strictObject({ partNumber, etag })).min(1).max(maxParts).meta({
      description:
        'The parts of the upload in the order of their numbers, with the `ETag` of each PUT. The file has these parts only.',
    }),
  }),
  bodyExample: { parts: [{ partNumber: 1, etag: '"9b2cf535f27731c974343645a3985328"' }] },
  responses: {
    200: {
      description: 'The upload is complete.',
      schema: z.object({ inputUrl: z.string() }),
      example: { inputUrl: 'upload://019a2c5e-7d10-7b3a-9f4e-2f1f6a0c9d11/' },
    },
  },
  uses: ['media.put'],
});
