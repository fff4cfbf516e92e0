import { JobError } from '../../errors.ts';
import { fourCharacters, viewOf } from '../boxes.ts';
import type { ReadAt } from '../read-at.ts';
import { codecString } from './codec-string.ts';
import { sampleEntryOf } from './sample-entry.ts';
import { type Fragment, readSegmentIndex } from './segment-index.ts';
import { readSamples, type Sample } from './track-run.ts';

/** The structure of a fragmented MP4 with one track and one index. */
export type FragmentedFile = {
  /** `ftyp` and `moov`, from the start of the file. */
  initBytes: number;
  /** The segment index box that lists all fragments. */
  index: { offset: number; sizeBytes: number };
  /** RFC 6381's name, such as `avc1.640028`. */
  codec: string;
  /** Of the index and of the times of samples. */
  ticksPerSecond: number;
  fragments: Fragment[];
};

const headerBytes = 8;

/**
 * Reads the boxes before the first fragment of a file that `fragmentArguments` wrote.
 * @throws RangeError if it is another kind of file, and JobError TRANSCODE_ERROR if it has no segment
 */
export async function readFragmentedFile(readAt: ReadAt): Promise<FragmentedFile> {
  let offset = 0;
  let codec: string | undefined;
  for (;;) {
    const { type, sizeBytes } = await headerAt(readAt, offset);
    if (type === 'moov')
      codec = codecString(sampleEntryOf([{ type, content: await contentAt(readAt, offset, sizeBytes) }]));
    if (type === 'sidx') {
      if (codec === undefined) throw new RangeError('A fragmented file has its index before its moov');
      const content = await contentAt(readAt, offset, sizeBytes);
      return {
        initBytes: offset,
        index: { offset, sizeBytes },
        codec,
        ...readSegmentIndex(content, offset + sizeBytes),
      };
    }
    if (!['ftyp', 'moov', 'free'].includes(type)) {
      throw new RangeError(`A fragmented file has ${type} where its index is expected`);
    }
    offset += sizeBytes;
  }
}

/** The samples of a fragment, in decoding order. The first of a video is a keyframe. */
export async function fragmentSamples(readAt: ReadAt, { offset }: Pick<Fragment, 'offset'>): Promise<Sample[]> {
  const { type, sizeBytes } = await headerAt(readAt, offset);
  if (type !== 'moof') throw new RangeError(`A fragment starts with ${type}`);
  return readSamples(await contentAt(readAt, offset, sizeBytes));
}

async function headerAt(readAt: ReadAt, offset: number): Promise<{ type: string; sizeBytes: number }> {
  const header = viewOf(await readAt(offset, headerBytes));
  if (header.byteLength < headerBytes) {
    const message = 'The finished stream has no segment. The input is probably damaged or truncated';
    throw new JobError('TRANSCODE_ERROR', message);
  }
  return { type: fourCharacters(header, 4), sizeBytes: header.getUint32(0) };
}

async function contentAt(readAt: ReadAt, offset: number, sizeBytes: number): Promise<DataView> {
  return viewOf(await readAt(offset + headerBytes, sizeBytes - headerBytes));
}
