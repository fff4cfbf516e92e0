import {
  type Box,
  box,
  boxHeader,
  findBox,
  fullBox,
  integerReader,
  integers,
  longIntegers,
  readBoxes,
  requireBox,
} from '../boxes.ts';

/** A frame of a fragment that is to be written. */
export type WrittenSample = {
  sizeBytes: number;
  /** From its decoding to that of the next one. */
  ticks: number;
  /** From its decoding until it is shown. */
  compositionOffset: number;
};

/** A fragment of video. Its first frame is its only keyframe. */
export type WrittenFragment = {
  /** Greater than those of all fragments before it (ISO/IEC 14496-12, section 8.8.5). */
  sequence: number;
  /** When its first frame is decoded, in ticks of the track. */
  decodeTicks: number;
  /** In decoding order. */
  samples: readonly WrittenSample[];
};

// `sample_depends_on`, and `sample_is_non_sync_sample` (section 8.8.3.1).
const [keyframeFlags, otherFlags] = [0x02_00_00_00, 0x01_01_00_00];

// Of `tfhd`: `default-base-is-moof`, and defaults of duration and flags.
const headerFlags = 0x02_00_28;

// Of `trun`: its data offset, flags of the first sample, and fields of each sample.
const runFlags = 0x5;

const sampleFlags = { ticks: 0x100, sizeBytes: 0x200, compositionOffset: 0x800 };

/** The `moof` of a fragment and the header of its `mdat`, which the frames follow without gaps. */
export function fragmentHead(fragment: WrittenFragment): Uint8Array {
  const { samples } = fragment;
  const media = boxHeader(
    'mdat',
    samples.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
  );
  const { length: headBytes } = movieFragment(fragment, 0);
  return Buffer.concat([movieFragment(fragment, headBytes + media.length), media]);
}

/** @param dataOffset where the first frame is, from the start of the `moof` */
function movieFragment({ sequence, decodeTicks, samples }: WrittenFragment, dataOffset: number): Uint8Array {
  const defaultTicks = samples[0]?.ticks ?? 0;
  const fields: (keyof WrittenSample)[] = [
    ...(samples.some(({ ticks }) => ticks !== defaultTicks) ? (['ticks'] as const) : []),
    'sizeBytes',
    ...(samples.some(({ compositionOffset }) => compositionOffset !== 0) ? (['compositionOffset'] as const) : []),
  ];
  const flags = fields.reduce((all, field) => all | sampleFlags[field], runFlags);
  return box(
    'moof',
    fullBox('mfhd', integers(sequence)),
    box(
      'traf',
      box('tfhd', integers(headerFlags, 1, defaultTicks, otherFlags)),
      box('tfdt', integers(0x01_00_00_00), longIntegers([decodeTicks])),
      box(
        'trun',
        integers(flags, samples.length, dataOffset, keyframeFlags),
        integers(...samples.flatMap((sample) => fields.map((field) => sample[field]))),
      ),
    ),
  );
}

/** A sample of a fragment: a frame, or a packet of audio. */
export type Sample = {
  /** From the start of its `moof`, in bytes. */
  offset: number;
  sizeBytes: number;
  /** When it is decoded and when it is shown, in ticks of the track. */
  dts: number;
  pts: number;
  /** From its decoding to that of the next one. */
  ticks: number;
};

/** The samples of a `moof` of one track, in decoding order. @throws RangeError if a box is missing */
export function readSamples(movieFragment: DataView): Sample[] {
  const boxes = readBoxes(requireBox(readBoxes(movieFragment), 'traf'));
  const defaults = sampleDefaults(requireBox(boxes, 'tfhd'));
  let dts = decodeTime(requireBox(boxes, 'tfdt'));
  return boxes
    .filter(({ type }) => type === 'trun')
    .flatMap(({ content }) => {
      const run = readTrackRun(content, defaults);
      let offset = run.dataOffset;
      return run.entries.map(({ sizeBytes, ticks, compositionOffset }) => {
        const sample = { offset, sizeBytes, dts, pts: dts + compositionOffset, ticks };
        offset += sizeBytes;
        dts += ticks;
        return sample;
      });
    });
}

export function tracksOfFragment(movieFragment: DataView): { id: number; boxes: Box[] }[] {
  const tracks = readBoxes(movieFragment).filter(({ type }) => type === 'traf');
  return tracks.flatMap(({ content }) => {
    const boxes = readBoxes(content);
    const header = findBox(boxes, 'tfhd');
    return header && header.byteLength >= 8 ? [{ id: header.getUint32(4), boxes }] : [];
  });
}

type SampleDefaults = { ticks: number; sizeBytes: number; flags?: number | undefined };

/** A track fragment header (ISO/IEC 14496-12, section 8.8.7). */
export function sampleDefaults(header: DataView): SampleDefaults {
  const read = integerReader(header);
  const flags = read(4) & 0xff_ff_ff;
  read(4);
  if (flags & 0x1) read(8);
  if (flags & 0x2) read(4);
  const ticks = flags & 0x8 ? read(4) : 0;
  const sizeBytes = flags & 0x10 ? read(4) : 0;
  return { ticks, sizeBytes, flags: flags & 0x20 ? read(4) : undefined };
}

/** Section 8.8.12. */
export function decodeTime(box: DataView): number {
  const read = integerReader(box);
  const version = read(1);
  read(3);
  return read(version === 0 ? 4 : 8);
}

/** Section 8.8.8. The flags that a run states of its first sample alone are left out. */
export function readTrackRun(run: DataView, defaults: SampleDefaults, maxSamples = Number.POSITIVE_INFINITY) {
  const read = integerReader(run);
  const version = read(1);
  const flags = read(3);
  const count = Math.min(maxSamples, read(4));
  const dataOffset = flags & 0x1 ? read(4) : 0;
  if (flags & 0x4) read(4);
  const readOffset = () => (version === 0 ? read(4) : read(4) | 0);
  const entries = Array.from({ length: count }, () => {
    const ticks = flags & 0x100 ? read(4) : defaults.ticks;
    const sizeBytes = flags & 0x200 ? read(4) : defaults.sizeBytes;
    const sampleFlags = flags & 0x400 ? read(4) : defaults.flags;
    return { ticks, sizeBytes, flags: sampleFlags, compositionOffset: flags & 0x800 ? readOffset() : 0 };
  });
  return { dataOffset, entries };
}
