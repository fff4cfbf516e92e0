import { formats } from '@media-jobs/video/media';
import * as z from 'zod';
import { fileUrlQuerySchema } from '../jobs/file-url.ts';
import { contract } from './contract.ts';
import { requestUuid } from './field-schemas.ts';

export const fileNotFoundMessage = 'There is no such file.';

const file = {
  path: '/api/v1/jobs/{id}/files/{output}/{file}',
  tag: 'Jobs',
  callers: [],
  anyOrigin: true,
  params: z.object({
    id: requestUuid(fileNotFoundMessage).describe("The job's `jobId`."),
    output: z
      .string()
      .regex(/^[\w-]{1,64}$/, fileNotFoundMessage)
      .describe('The folder of an output: `output`, or the name of a step; `input` for the input.'),
    file: z
      .string()
      .regex(/^[\w.-]{1,64}$/, fileNotFoundMessage)
      .describe('The file name.'),
  }),
  query: fileUrlQuerySchema,
  errors: ['FORBIDDEN'],
  uses: ['outputs.get', 'uploads.get', 'table.get', 'playlists.put', 'secrets.decrypt', 'roles.assume', 'buckets.open'],
} as const;

export const getFileContract = contract({
  ...file,
  id: 'getFile',
  function: 'files',
  method: 'GET',
  summary: 'Open a file by its signed URL',
  description:
    'The URLs of files lead here. The signature in the query is the credential. Redirects to a presigned URL of the storage, which takes ranges and conditions (`curl -L`). A playlist, a manifest or the cues of a sprite is returned instead: its names carry the same query, so a player needs only the one URL.',
  responses: {
    200: {
      description: 'A playlist, a manifest or cues.',
      text: [formats.m3u8.mimeType, formats.mpd.mimeType, formats.vtt.mimeType],
    },
    302: {
      description: 'The file is at `Location`.',
      headers: { Location: 'A presigned URL of the storage, valid for five minutes.' },
    },
  },
});

export const headFileContract = contract({
  ...file,
  id: 'headFile',
  function: 'files',
  method: 'HEAD',
  summary: 'Read the size and type of a file by its signed URL',
  description: 'Answers what `GET` leads to, without a redirect.',
  responses: {
    200: {
      description: 'The file exists.',
      headers: {
        'Content-Length': 'The size in bytes.',
        'Content-Type': 'The media type.',
        'Content-Disposition': 'The filename of a download. Absent from a playlist.',
        'Accept-Ranges': '`bytes`; `none` for a playlist.',
      },
    },
  },
});
