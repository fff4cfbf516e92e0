import * as z from 'zod';
import { formats } from '../media/formats.ts';
import { referencingFilePattern } from '../media/playlists/set-files.ts';
import { contract } from './contract.ts';

const playlistNotFoundMessage = 'There is no such playlist.';

/** The query of a presigned S3 GET (Amazon S3 API Reference, "Authenticating Requests: Using Query Parameters"). */
export const signatureSchema = z.strictObject({
  'X-Amz-Algorithm': z.literal('AWS4-HMAC-SHA256'),
  'X-Amz-Content-Sha256': z.literal('UNSIGNED-PAYLOAD').optional(),
  'X-Amz-Credential': z.string(),
  'X-Amz-Date': z.string().regex(/^\d{8}T\d{6}Z$/),
  'X-Amz-Expires': z.string().regex(/^\d{1,6}$/),
  'X-Amz-Security-Token': z.string().optional(),
  'X-Amz-Signature': z.string().regex(/^[0-9a-f]{64}$/),
  'X-Amz-SignedHeaders': z.literal('host'),
  'response-content-disposition': z.string().optional(),
  'response-content-type': z.string().optional(),
});

export const getPlaylistContract = contract({
  id: 'getPlaylist',
  method: 'GET',
  path: '/api/v1/jobs/{id}/files/{attempt}/{file}',
  tag: 'Jobs',
  summary: 'Read a playlist by its signed URL',
  description:
    'Players request this route by the URLs in `outputs`; you do not build one yourself. Returns an HLS playlist, a DASH manifest or the cues of a sprite, in which each file name is replaced by a signed URL. The signature in the query is the credential. The URLs in the response expire when it does.',
  callers: [],
  params: z.object({
    id: z.uuid(playlistNotFoundMessage).meta({ description: "The job's `jobId`." }),
    attempt: z
      .string()
      .regex(/^[1-9]\d{0,3}$/, playlistNotFoundMessage)
      .meta({ description: 'The attempt that created the file.' }),
    file: z
      .string()
      .regex(referencingFilePattern, playlistNotFoundMessage)
      .meta({ description: 'The file name.' }),
  }),
  query: signatureSchema,
  responses: {
    200: {
      description: 'The document. A player may request the URLs in it, byte ranges included.',
      text: [formats.m3u8.mimeType, formats.mpd.mimeType, formats.vtt.mimeType],
    },
  },
  errors: ['FORBIDDEN'],
  uses: ['media.get'],
});
