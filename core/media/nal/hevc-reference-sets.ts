import type { NalReader } from './nal-reader.ts';

/** A frame that may be referenced, by its distance in presentation order. */
type Reference = { delta: number; isUsed: boolean };

/** Earlier frames, then later ones, the nearest first. */
export type ReferenceSet = readonly Reference[];

/**
 * An `st_ref_pic_set` (ISO/IEC 23008-2, section 7.3.7). `sets` are those of the SPS before it; that of
 * a slice comes after all.
 */
export function readReferenceSet(
  reader: NalReader,
  { sets, isOfSlice }: { sets: readonly ReferenceSet[]; isOfSlice: boolean },
): ReferenceSet {
  const isPredicted = sets.length > 0 && reader.flag();
  if (isPredicted)
    return readPredictedSet(reader, sets[sets.length - (isOfSlice ? reader.unsigned() + 1 : 1)] ?? []);
  const counts = [
    { count: reader.unsigned(), sign: -1 },
    { count: reader.unsigned(), sign: 1 },
  ];
  return counts.flatMap(({ count, sign }) => {
    let delta = 0;
    return Array.from({ length: count }, () => {
      delta += sign * (reader.unsigned() + 1);
      return { delta, isUsed: reader.flag() };
    });
  });
}

/** A set that is another one moved by a distance, without some of its frames (equations 7-61 and 7-62). */
function readPredictedSet(reader: NalReader, predictor: ReferenceSet): ReferenceSet {
  const sign = reader.flag() ? -1 : 1;
  const distance = sign * (reader.unsigned() + 1);
  const found = [...predictor, { delta: 0 }].flatMap(({ delta }): Reference[] => {
    const isUsed = reader.flag();
    const isKept = isUsed || reader.flag();
    return isKept && delta + distance !== 0 ? [{ delta: delta + distance, isUsed }] : [];
  });
  const earlier = found.filter(({ delta }) => delta < 0).toSorted((one, other) => other.delta - one.delta);
  const later = found.filter(({ delta }) => delta > 0).toSorted((one, other) => one.delta - other.delta);
  return [...earlier, ...later];
}
