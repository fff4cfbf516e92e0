import * as z from 'zod';
import { formats } from '../media/formats.ts';
import { contract } from './contract.ts';
import { signatureSchema } from './playlists.ts';

const fileNotFoundMessage = 'There is no such file.';

export const getStoredFileContract = contract({
  id: 'getStoredFile',
  method: 'GET',
  path: '/api/v1/jobs/{id}/stored-files/{attempt}/{file}',
  tag: 'Jobs',
  summary: 'Open a file at a storage provider by its signed URL',
  description:
    'The URLs of files at a storage provider lead here; you do not build one yourself. Redirects to a URL that the access of the provider signs. A playlist is returned, in which each file name is replaced by such a URL. The signature in the query is the credential.',
  callers: [],
  params: z.object({
    id: z.uuid(fileNotFoundMessage).meta({ description: "The job's `jobId`." }),
    attempt: z
      .string()
      .regex(/^[1-9]\d{0,3}$/, fileNotFoundMessage)
      .meta({
        description: 'The attempt that completed the job.',
      }),
    file: z
      .string()
      .regex(/^[\w.-]{1,200}$/, fileNotFoundMessage)
      .meta({ description: 'The file name.' }),
  }),
  query: signatureSchema.extend({ 'x-file': z.string() }),
  responses: {
    200: {
      description: 'A playlist.',
      text: [formats.m3u8.mimeType, formats.mpd.mimeType, formats.vtt.mimeType],
    },
    302: {
      description: 'The file is at `Location`.',
      headers: { Location: 'A URL of the storage provider, which expires when the URL of the request does.' },
    },
  },
  errors: ['FORBIDDEN'],
  uses: ['media.get', 'table.get', 'secrets.decrypt', 'roles.assume'],
});
