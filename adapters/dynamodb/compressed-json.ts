import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';

/** A text to which Zstandard refers, and its number in the items of the table. */
export type JsonDictionary = { number: number; text: Buffer };

/** Higher levels take up to a hundred times as long for a few bytes less. */
const params = { [constants.ZSTD_c_compressionLevel]: 6 };

/** More than an item can hold, so that no item makes a function run out of memory. */
const maxOutputLength = 8_000_000;

/** Compresses a value as JSON: DynamoDB writes a unit for each begun kilobyte. */
export function compressJson(value: unknown, { text }: JsonDictionary): Buffer<ArrayBuffer> {
  return zstdCompressSync(JSON.stringify(value), { params, dictionary: text });
}

/**
 * Decompresses a value.
 * @param number the number of the dictionary that it was compressed with
 * @throws Error unless that is the known one
 */
export function decompressJson(
  compressed: Uint8Array,
  { number, known }: { number: number | undefined; known: JsonDictionary },
): unknown {
  if (number !== known.number) {
    throw new Error(`Another version wrote this item (dictionary ${number}): deploy that version`);
  }
  return JSON.parse(zstdDecompressSync(compressed, { dictionary: known.text, maxOutputLength }).toString());
}
