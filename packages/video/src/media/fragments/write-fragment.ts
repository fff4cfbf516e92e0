import { box, boxHeader, fullBox, integers, longIntegers } from '../write-boxes.ts';

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
