import * as z from 'zod';
import { fileUrlQuerySchema } from '../jobs/file-url.ts';
import { formats } from '../media/formats.ts';
import { contract } from './contract.ts';
import { requestUuid } from './uuid.ts';

const fileNotFoundMessage = 'There is no such file.';

export const getFileContract = contract({
  id: 'getFile',
  method: 'GET',
  path: '/api/v1/jobs/{id}/files/{file}',
  tag: 'Jobs',
  summary: 'Open a file by its signed URL',
  description:
    'The URLs of streams and sprites, and of files at a storage provider, lead here; you do not build one yourself. The signature in the query is the credential. Redirects to a presigned URL of the storage, byte ranges included. A playlist, a manifest or the cues of a sprite is returned instead: its names carry the same query and lead here again. So a player needs only the one URL, and can use it until it ends, however long it pauses.',
  callers: [],
  params: z.object({
    id: requestUuid(fileNotFoundMessage).meta({ description: "The job's `jobId`." }),
    file: z
      .string()
      .regex(/^[\w.-]{1,200}$/, fileNotFoundMessage)
      .meta({ description: 'The file name.' }),
  }),
  query: fileUrlQuerySchema,
  responses: {
    200: {
      description: 'A playlist, a manifest or cues.',
      text: [formats.m3u8.mimeType, formats.mpd.mimeType, formats.vtt.mimeType],
    },
    302: {
      description: 'The file is at `Location`.',
      headers: { Location: 'A presigned URL of the storage, for this one request.' },
    },
  },
  errors: ['FORBIDDEN'],
  uses: ['media.get', 'table.get', 'playlists.put', 'secrets.decrypt', 'roles.assume'],
});
