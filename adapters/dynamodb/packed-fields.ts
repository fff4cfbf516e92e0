import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { jobDictionary, jobDictionaryNumber } from './job-dictionary.ts';

/** Fields of a job that no condition, filter or update names. */
const packedNames = [
  'request',
  'files',
  'cost',
  'chunking',
  'functionUse',
  'measurements',
  'unpublished',
  'error',
  'deliveredAttempt',
];

/** Higher levels take several times as long for a few bytes less. */
const params = { [constants.ZSTD_c_compressionLevel]: 6 };

/** More than an item can hold, so that no item makes a function run out of memory. */
const maxOutputLength = 8_000_000;

/**
 * A job's fields as its item has them: the large ones as JSON, compressed into the attribute `packed` after the number of
 * the dictionary. Most records then have less than a kilobyte, which a write costs a unit for.
 */
export function packFields(fields: Record<string, unknown>): Record<string, unknown> {
  const isPacked = ([name, value]: [string, unknown]) => packedNames.includes(name) && value !== undefined;
  const all = Object.entries(fields);
  const large = all.filter(isPacked);
  if (large.length === 0) return fields;
  const json = JSON.stringify(Object.fromEntries(large));
  const compressed = zstdCompressSync(json, { params, dictionary: jobDictionary });
  const packed = Buffer.concat([Buffer.of(jobDictionaryNumber), compressed]);
  return { ...Object.fromEntries(all.filter((field) => !isPacked(field))), packed };
}

/** The fields of a job from those of its item. Throws if they were packed with another dictionary. */
export function unpackFields({ packed, ...fields }: Record<string, unknown>): Record<string, unknown> {
  if (!(packed instanceof Uint8Array)) return fields;
  if (packed[0] !== jobDictionaryNumber) throw new Error(`There is no dictionary number ${packed[0]}`);
  const json = zstdDecompressSync(packed.subarray(1), { dictionary: jobDictionary, maxOutputLength });
  return { ...fields, ...(JSON.parse(json.toString()) as Record<string, unknown>) };
}
