import { boxAt, findBox, readBoxes } from '../boxes.ts';
import { decodeTime, sampleDefaults, tracksOfFragment } from './write-fragment.ts';

/** The number of a fragment (`mfhd`), and from when to when its tracks last, in their ticks. */
export type FragmentTimes = { sequence: number; tracks: { id: number; start: number; end: number }[] };

/** Of the content of a `moof`, with that of the `moov`. Undefined if a box ends too early. */
export function readFragmentTimes(fragment: DataView, movie: DataView): FragmentTimes | undefined {
  try {
    const extension = boxAt(movie, 'mvex');
    const extensions = extension ? readBoxes(extension).filter(({ type }) => type === 'trex') : [];
    const defaultOf = (id: number) =>
      extensions.find(({ content }) => content.getUint32(4) === id)?.content.getUint32(12) ?? 0;
    const sequence = findBox(readBoxes(fragment), 'mfhd')?.getUint32(4) ?? 0;
    const tracks = tracksOfFragment(fragment).flatMap(({ id, boxes }) => {
      const [header, time] = [findBox(boxes, 'tfhd'), findBox(boxes, 'tfdt')];
      if (header === undefined || time === undefined) return [];
      const ticks = sampleDefaults(header).ticks || defaultOf(id);
      const runs = boxes.filter(({ type }) => type === 'trun');
      const start = decodeTime(time);
      return { id, start, end: runs.reduce((end, { content }) => end + ticksOfRun(content, ticks), start) };
    });
    return { sequence, tracks };
  } catch (cause) {
    if (cause instanceof RangeError) return undefined;
    throw cause;
  }
}

/** ISO/IEC 14496-12, 8.8.8. A run without times may state any number of samples. */
function ticksOfRun(run: DataView, defaultTicks: number): number {
  const flags = run.getUint32(0);
  const count = run.getUint32(4);
  if ((flags & 0x100) === 0) return count * defaultTicks;
  const sampleBytes = 4 * [0x100, 0x200, 0x400, 0x800].filter((flag) => (flags & flag) !== 0).length;
  const first = 8 + 4 * [0x1, 0x4].filter((flag) => (flags & flag) !== 0).length;
  let ticks = 0;
  for (let sample = 0; sample < count; sample += 1) ticks += run.getUint32(first + sample * sampleBytes);
  return ticks;
}

/**
 * The share of the time of a track, 0 to below 1, of which fragments are missing: numbers are left out, and so is their time.
 * A recorder that paused goes on with the next number; a file of one of several tracks lacks numbers, and no time.
 */
export function missingShare(fragments: readonly FragmentTimes[]): number {
  const steps = fragments.map(({ sequence }, index) => sequence - (fragments[index - 1]?.sequence ?? sequence));
  const usual = Math.max(1, steps.toSorted((one, other) => one - other)[Math.floor(steps.length / 2)] ?? 1);
  const tracks = new Map<number, { start: number; end: number; gaps: number; missing: number }>();
  let gaps = 0;
  for (const [index, fragment] of fragments.entries()) {
    if ((steps[index] ?? 0) > usual) gaps += 1;
    for (const { id, start, end } of fragment.tracks) {
      const before = tracks.get(id) ?? { start, end: start, gaps, missing: 0 };
      const missing = before.gaps < gaps ? Math.max(0, start - before.end) : 0;
      tracks.set(id, { start: before.start, end: Math.max(end, before.end), gaps, missing: before.missing + missing });
    }
  }
  return Math.max(0, ...[...tracks.values()].map(({ start, end, missing }) => missing / Math.max(1, end - start)));
}
