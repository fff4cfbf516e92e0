import { JobError } from '../../errors.ts';
import { type Box, findBox, fourCharacters, integerReader, readBoxes } from '../boxes.ts';
import type { ReadAt } from '../read-at.ts';
import { codecString } from './codec-string.ts';
import { readSamples, type Sample } from './track-run.ts';

/** A `moof` and its `mdat`: the unit that both manifests refer to. Video has one for each keyframe. */
export type Fragment = {
  /** Of the file, in bytes. */
  offset: number;
  sizeBytes: number;
  seconds: number;
};

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
    if (type === 'moov') codec = codecOf(await contentAt(readAt, offset, sizeBytes));
    if (type === 'sidx') {
      if (codec === undefined) throw new RangeError('A fragmented file has its index before its moov');
      const content = await contentAt(readAt, offset, sizeBytes);
      return {
        initBytes: offset,
        index: { offset, sizeBytes },
        codec,
        ...indexedFragments(content, offset + sizeBytes),
      };
    }
    if (!['ftyp', 'moov', 'free'].includes(type)) {
      throw new RangeError(`A fragmented file has ${type} where its index is expected`);
    }
    offset += sizeBytes;
  }
}

/** The samples of a fragment, in decoding order. The first of a video is a keyframe. */
export async function fragmentSamples(
  readAt: ReadAt,
  { offset }: Pick<Fragment, 'offset'>,
): Promise<Sample[]> {
  const { type, sizeBytes } = await headerAt(readAt, offset);
  if (type !== 'moof') throw new RangeError(`A fragment starts with ${type}`);
  return readSamples(await contentAt(readAt, offset, sizeBytes));
}

/** A segment index whose references are fragments (section 8.16.3). `from` is the byte after it. */
function indexedFragments(
  index: DataView,
  from: number,
): Pick<FragmentedFile, 'ticksPerSecond' | 'fragments'> {
  const read = integerReader(index);
  const version = read(1);
  read(3 + 4);
  const ticksPerSecond = read(4);
  const wideBytes = version === 0 ? 4 : 8;
  read(wideBytes);
  let offset = from + read(wideBytes);
  read(2);
  const fragments = Array.from({ length: read(2) }, () => {
    const sizeBytes = read(4) & 0x7f_ff_ff_ff;
    const fragment = { offset, sizeBytes, seconds: read(4) / ticksPerSecond };
    read(4);
    offset += sizeBytes;
    return fragment;
  });
  return { ticksPerSecond, fragments };
}

function codecOf(movie: DataView): string {
  const path = ['trak', 'mdia', 'minf', 'stbl'];
  const table = path.reduce((view, type) => requireBox(readBoxes(view), type), movie);
  const [entry]: (Box | undefined)[] = readBoxes(requireBox(readBoxes(table), 'stsd'), headerBytes);
  if (entry === undefined) throw new RangeError('A fragmented file has no sample entry');
  return codecString(entry);
}

function requireBox(boxes: readonly Box[], type: string): DataView {
  const content = findBox(boxes, type);
  if (content === undefined) throw new RangeError(`A fragmented file has no ${type}`);
  return content;
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

function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}
