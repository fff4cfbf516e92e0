import * as z from 'zod';
import type { LadderCodec } from '../../encoding/ladder/ladder-codecs.ts';
import type { ErrorDetail } from '../../errors.ts';
import type { StreamEncryption } from '../../media/encryption/stream-encryption.ts';
import { subtitlesUrl } from './common-parameters.ts';

/** The parameter `subtitles` of an adaptive stream. */
export const subtitleFilesParameter = () =>
  z
    .array(
      z.strictObject({
        url: subtitlesUrl(),
        language: z
          .string()
          .regex(
            /^[a-z]{2,3}(-[A-Z]{2})?$/,
            'Must be a language of ISO 639, such as de, or one with a region, such as pt-BR',
          )
          .meta({ description: 'Language as a tag of BCP 47, such as de or pt-BR.' }),
        name: z
          .string()
          .regex(
            /^[\p{L}\p{N}][\p{L}\p{N} ()&+.,'/-]{0,59}$/u,
            "Must be up to 60 letters, digits, spaces and ( ) & + . , ' / -",
          )
          .optional()
          .meta({
            description: 'What players show in their menus. Default: the name of the language in English.',
          }),
        forced: z.boolean().optional().meta({
          description: 'Shown even without subtitles, such as the translation of signs. Default: false.',
        }),
      }),
    )
    .max(10)
    .optional()
    .meta({ description: 'Subtitle files besides the text tracks of the input, as further tracks.' });

/** The codecs whose frames `cbcs` encrypts. */
const sampleEncryptedCodecs: readonly LadderCodec[] = ['h264', 'h265'];

const sixteenBytes = () => z.string().regex(/^[0-9a-fA-F]{32}$/, 'Must be 16 bytes as 32 hexadecimal digits');

/** The parameter `encryption` of an adaptive stream. */
export const encryptionParameter = () =>
  z
    .strictObject({
      scheme: z.enum(['aes-128', 'cbcs']).meta({
        description:
          'aes-128: each segment is encrypted whole by AES-128-CBC (RFC 8216). There is no DASH manifest. cbcs: the frames and audio samples are encrypted (CMAF, ISO/IEC 23001-7), for HLS by SAMPLE-AES and for DASH; subtitles stay clear.',
      }),
      // The record of a job has the key apart, encrypted, so a stored request is valid without it.
      key: sixteenBytes().optional().meta({
        writeOnly: true,
        description:
          'The content key: 16 bytes as 32 hexadecimal digits. Required. Stored encrypted until the files are, and never returned.',
      }),
      iv: sixteenBytes().optional().meta({
        description:
          'Initialization vector of all segments or samples: 32 hexadecimal digits. Default: by aes-128 the media sequence number of each segment, by cbcs one from the id of the job.',
      }),
      keyId: sixteenBytes().optional().meta({
        description:
          'Only with cbcs: the id that players know the key by, 32 hexadecimal digits. Default: the id of the job.',
      }),
      keyUri: z
        .string()
        .max(2048)
        .regex(
          /^https:\/\/[A-Za-z0-9.-]+(:\d{1,5})?([/?][\x21\x23-\x7e]*)?$/,
          'Must be an https URL of printable ASCII characters, without spaces, quotes and user info',
        )
        .meta({
          description:
            'Where players load the key, as 16 bytes. You serve it, to your viewers only; this service never requests it.',
        }),
    })
    .meta({ required: ['scheme', 'key', 'keyUri'] })
    .optional()
    .meta({ description: 'Encrypts video and audio, by aes-128 subtitles too, with your own key.' });

/** The encryption of a stream without its content key. */
export function encryptionOf({
  encryption,
}: {
  encryption?: z.output<ReturnType<typeof encryptionParameter>>;
}): StreamEncryption | undefined {
  if (encryption === undefined) return undefined;
  const { scheme, iv, keyId, keyUri } = encryption;
  if (scheme === 'aes-128') return { scheme, iv: iv?.toLowerCase(), keyUri };
  return {
    scheme,
    keyUri,
    ...(iv && { iv: iv.toLowerCase() }),
    ...(keyId && { keyId: keyId.toLowerCase() }),
  };
}

/** Errors of an encryption that its fields do not have on their own. */
export function encryptionConflicts({
  encryption,
  codecs,
}: {
  encryption?: z.output<ReturnType<typeof encryptionParameter>>;
  codecs: readonly LadderCodec[];
}): ErrorDetail[] {
  if (encryption === undefined) return [];
  const { scheme, key, keyId } = encryption;
  const unsupported = codecs.find((codec) => !sampleEncryptedCodecs.includes(codec));
  return [
    ...(key === undefined ? [{ path: 'recipe.encryption.key', message: 'Required' }] : []),
    ...(scheme === 'aes-128' && keyId !== undefined
      ? [{ path: 'recipe.encryption.keyId', message: 'Only cbcs has a key id' }]
      : []),
    ...(scheme === 'cbcs' && unsupported
      ? [{ path: 'recipe.codecs', message: `cbcs does not encrypt ${unsupported}; aes-128 does` }]
      : []),
  ];
}
