import * as z from 'zod';

/** A value of an HTTP header, without spaces around it, which signatures ignore. */
const headerValue = z
  .string()
  .regex(/^[\x21-\x7e]([\x20-\x7e]{0,198}[\x21-\x7e])?$/, 'Must be 1 to 200 printable ASCII characters');

/** Storage classes that S3 takes with an upload (Amazon S3 API Reference, CreateMultipartUpload). */
const storageClasses = [
  'STANDARD',
  'STANDARD_IA',
  'ONEZONE_IA',
  'INTELLIGENT_TIERING',
  'GLACIER_IR',
  'GLACIER',
  'DEEP_ARCHIVE',
] as const;

/** The characters of a tag (Amazon S3 User Guide, "Categorizing your objects using tags"). */
const tagText = /^[\p{L}\p{Z}\p{N}_.:/=+\-@]*$/u;
const maxTags = 10;

/** Options of the objects at a storage provider: fields of `output`, and of a provider as their defaults. */
export const objectOptions = {
  headers: z
    .strictObject({ cacheControl: headerValue.optional(), contentDisposition: headerValue.optional() })
    .optional()
    .describe('Headers that the bucket itself answers with: `Cache-Control`, `Content-Disposition`.'),
  storageClass: z
    .enum(storageClasses)
    .optional()
    .describe('Storage class of the objects. URLs of the API cannot open `GLACIER` and `DEEP_ARCHIVE`.'),
  tags: z
    .record(
      z
        .string()
        .min(1)
        .max(128)
        .regex(tagText, 'Must have letters, digits, spaces and _.:/=+-@')
        .refine((key) => !key.startsWith('aws:'), 'Must not begin with aws:'),
      z.string().max(256).regex(tagText, 'Must have letters, digits, spaces and _.:/=+-@'),
    )
    .refine((tags) => Object.keys(tags).length <= maxTags, `Must have at most ${maxTags} tags`)
    .optional()
    .describe(`Up to ${maxTags} tags of the objects, at \`s3\` and \`s3-compatible\`.`),
};

const objectOptionsSchema = z.object(objectOptions);

export type ObjectOptions = z.infer<typeof objectOptionsSchema>;

/** The options of a job over those of its provider. Each header counts for itself, tags count as a whole. */
export function mergeObjectOptions(
  defaults: ObjectOptions,
  { headers, storageClass, tags }: ObjectOptions,
): ObjectOptions {
  return {
    headers: defaults.headers || headers ? { ...defaults.headers, ...headers } : undefined,
    storageClass: storageClass ?? defaults.storageClass,
    tags: tags ?? defaults.tags,
  };
}
