import * as z from 'zod';
import type { StreamEncryption } from '../../media/encryption/aes-128.ts';
import type { ParameterConflict } from '../recipe.ts';
import { languageMessage, languagePattern, subtitlesUrl } from './common-parameters.ts';

/** The parameter `subtitles` of an adaptive stream. */
export const subtitleFilesParameter = () =>
  z
    .array(
      z.strictObject({
        url: subtitlesUrl(),
        language: z
          .string()
          .regex(languagePattern, languageMessage)
          .meta({ description: 'Code of the language, such as en, pt-BR or zh-Hant (BCP 47).' }),
        name: z
          .string()
          .regex(
            /^[\p{L}\p{N}][\p{L}\p{N} ()&+.,'/-]{0,59}$/u,
            "Must be up to 60 letters, digits, spaces and ( ) & + . , ' / -",
          )
          .optional()
          .meta({ description: 'What players show in their menus. Default: the name of the language in English.' }),
        forced: z.boolean().optional().meta({
          description: 'Shown also to viewers who have subtitles off, such as translations of signs.',
        }),
      }),
    )
    .max(10)
    .optional()
    .meta({
      description: 'Subtitle files, such as captions in several languages. Text tracks of the input are kept too.',
    });

const sixteenBytes = () => z.string().regex(/^[0-9a-fA-F]{32}$/, 'Must be 16 bytes as 32 hexadecimal digits');

/** The parameter `encryption` of an adaptive stream. */
export const encryptionParameter = () =>
  z
    .strictObject({
      scheme: z.literal('aes-128').meta({
        description: 'aes-128: each segment is encrypted whole by AES-128-CBC (RFC 8216). There is no DASH manifest.',
      }),
      // The record of a job has the key apart, encrypted, so a stored request is valid without it.
      key: sixteenBytes().optional().meta({
        writeOnly: true,
        description:
          'The content key: 16 bytes as 32 hexadecimal digits. Required. Stored encrypted until the files are, and never returned.',
      }),
      iv: sixteenBytes().optional().meta({
        description:
          'Initialization vector of all segments: 32 hexadecimal digits. Default: the media sequence number of each segment.',
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
    .meta({ description: 'Encrypts video, audio and subtitles with your own key.' });

/** The encryption of a stream without its content key. */
export function encryptionOf({
  encryption,
}: {
  encryption?: z.output<ReturnType<typeof encryptionParameter>>;
}): StreamEncryption | undefined {
  if (encryption === undefined) return undefined;
  const { scheme, iv, keyUri } = encryption;
  return { scheme, iv: iv?.toLowerCase(), keyUri };
}

/** Errors of an encryption that its fields do not have on their own. */
export function encryptionConflicts({
  encryption,
}: {
  encryption?: z.output<ReturnType<typeof encryptionParameter>>;
}): ParameterConflict[] {
  if (encryption === undefined || encryption.key !== undefined) return [];
  return [{ path: 'recipe.encryption.key', message: 'Required' }];
}
