import { part, viewOf } from '../../boxes.ts';
import type { FragmentedFile } from '../../fragments/fragmented-file.ts';
import { type Fragment, withFragmentSizes } from '../../fragments/segment-index.ts';
import { readSamples } from '../../fragments/track-run.ts';
import type { NalFormat } from '../../nal/nal-format.ts';
import { nalFormatOf } from '../../nal/nal-format-of.ts';
import { type ReadAt, readBytes } from '../../read-at.ts';
import { encryptBlocks } from './encrypt-blocks.ts';
import { protectInit } from './protect-init.ts';
import { protectMovieFragment } from './protect-movie-fragment.ts';
import { type Subsample, subsamplesOf } from './subsamples.ts';

/** 16 bytes each. */
export type SampleCipher = { key: Uint8Array; iv: Uint8Array; keyId: Uint8Array };

/** A file whose samples are encrypted. */
export type ProtectedFile = {
  file: FragmentedFile;
  /** What each fragment has more than the clear one, ahead of its samples. */
  addedBytes: number[];
  bytes(): AsyncGenerator<Uint8Array>;
};

/** The pattern of video: the first of each ten blocks (ISO/IEC 23001-7, section 10.4). */
const videoPattern = { encryptedBlocks: 1, clearBlocks: 9 };

const boxHeaderBytes = 8;

/**
 * Encrypts the samples of a file by `cbcs`. The file is read twice: its index precedes the fragments, whose sizes depend on
 * the slices of each frame.
 * @param clear the structure of a file that `fragmentArguments` wrote
 */
export async function protectFile(
  readAt: ReadAt,
  clear: FragmentedFile,
  { key, iv, keyId }: SampleCipher,
): Promise<ProtectedFile> {
  const clearInit = viewOf(await readBytes(readAt, { offset: 0, sizeBytes: clear.initBytes }));
  const isVideo = nalFormatOf(clearInit) !== undefined;
  const pattern = isVideo ? videoPattern : undefined;
  const init = protectInit(clearInit, { keyId, iv, pattern });
  async function* fragments() {
    // Of its own for each reading: parameter sets among the samples apply from there on.
    const format = nalFormatOf(clearInit);
    for (const fragment of clear.fragments) yield splitFragment(await readBytes(readAt, fragment), format);
  }
  const sizesBytes: number[] = [];
  for await (const { movieFragment, data } of fragments())
    sizesBytes.push(movieFragment.length + data.length);
  return {
    file: layoutOf(clear, init.length, sizesBytes),
    addedBytes: clear.fragments.map(({ sizeBytes }, number) => (sizesBytes[number] ?? 0) - sizeBytes),
    async *bytes() {
      yield init;
      yield withFragmentSizes(await readBytes(readAt, clear.index), sizesBytes);
      for await (const { movieFragment, data, ranges } of fragments()) {
        for (const range of ranges) encryptBlocks(range, { key, iv }, pattern);
        yield movieFragment;
        yield data;
      }
    },
  };
}

/** `ranges` are the parts of `data` to encrypt. */
type SplitFragment = { movieFragment: Uint8Array; data: Uint8Array; ranges: Uint8Array[] };

/** Splits a fragment, whose samples are made of NAL units or encrypted whole. */
function splitFragment(bytes: Uint8Array, format: NalFormat | undefined): SplitFragment {
  const view = viewOf(bytes);
  const headBytes = view.getUint32(0);
  const content = part(view, boxHeaderBytes, headBytes - boxHeaderBytes);
  const data = bytes.subarray(headBytes);
  const samples = readSamples(content).map(({ offset, sizeBytes }) =>
    bytes.subarray(offset, offset + sizeBytes),
  );
  if (format === undefined) return { movieFragment: bytes.subarray(0, headBytes), data, ranges: samples };
  const subsamples = samples.map((sample) => subsamplesOf(sample, format));
  return {
    movieFragment: protectMovieFragment(content, subsamples),
    data,
    ranges: samples.flatMap((sample, number) => protectedRanges(sample, subsamples[number] ?? [])),
  };
}

function protectedRanges(sample: Uint8Array, subsamples: readonly Subsample[]): Uint8Array[] {
  let offset = 0;
  return subsamples.flatMap(({ clearBytes, protectedBytes }) => {
    const from = offset + clearBytes;
    offset = from + protectedBytes;
    return protectedBytes === 0 ? [] : [sample.subarray(from, offset)];
  });
}

function layoutOf(
  { index, fragments, ...clear }: FragmentedFile,
  initBytes: number,
  sizesBytes: readonly number[],
): FragmentedFile {
  let end = initBytes + index.sizeBytes;
  const moved = fragments.map(({ seconds }, number): Fragment => {
    const sizeBytes = sizesBytes[number] ?? 0;
    end += sizeBytes;
    return { offset: end - sizeBytes, sizeBytes, seconds };
  });
  return { ...clear, initBytes, index: { ...index, offset: initBytes }, fragments: moved };
}
