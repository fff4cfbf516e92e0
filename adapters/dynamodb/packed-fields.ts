import { compressJson, decompressJson } from './compressed-json.ts';
import { jobDictionary } from './job-dictionary.ts';

/** Fields of a job that no condition, filter or update names. */
const packedNames = [
  'request',
  'files',
  'cost',
  'chunking',
  'functionUse',
  'measurements',
  'warnings',
  'unpublished',
  'error',
  'deliveredAttempt',
];

/**
 * A job's fields as its item has them: the large ones as JSON, compressed into the attribute `packed` after the number of
 * the dictionary. Most records then have less than a kilobyte, which a write costs a unit for.
 */
export function packFields(fields: Record<string, unknown>): Record<string, unknown> {
  const isPacked = ([name, value]: [string, unknown]) => packedNames.includes(name) && value !== undefined;
  const all = Object.entries(fields);
  const large = all.filter(isPacked);
  if (large.length === 0) return fields;
  const compressed = compressJson(Object.fromEntries(large), jobDictionary);
  const packed = Buffer.concat([Buffer.of(jobDictionary.number), compressed]);
  return { ...Object.fromEntries(all.filter((field) => !isPacked(field))), packed };
}

/**
 * The fields of a job from those of its item.
 * @throws Error if they were packed with another dictionary
 */
export function unpackFields({ packed, ...fields }: Record<string, unknown>): Record<string, unknown> {
  if (!(packed instanceof Uint8Array)) return fields;
  const unpacked = decompressJson(packed.subarray(1), { number: packed[0], known: jobDictionary });
  return { ...fields, ...(unpacked as Record<string, unknown>) };
}
