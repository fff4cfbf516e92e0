import { growingList, positionIn } from './number-list.ts';
import { type Packet, readLine, readPacket } from './packet.ts';
import { type Entry, entryGapSeconds, type Oddities, type PictureIndex } from './picture-index.ts';
import { readTimeBase, secondsOf, ticksOf } from './ticks.ts';

type KeyPacket = { time: number; bytesBefore: number };

/**
 * Makes the index of a stream from ffprobe's lines as they come: `add` each, and `finish` after the last. Times count
 * from `fileSeconds` after the first moment of the file.
 */
export function pictureIndexer(fileSeconds = 0): { add(line: string): void; finish(): PictureIndex } {
  const times = growingList();
  const keys = keyList();
  let sizeBytes = 0;
  let withoutTime = 0;
  let damaged = 0;
  let inFront = 0;
  let about: ReadonlyMap<string, string> = new Map();

  const take = ({ time, sizeBytes: bytes, isKeyframe, isDiscarded, isDamaged }: Packet) => {
    const bytesBefore = sizeBytes;
    sizeBytes += bytes;
    if (isDamaged) damaged += 1;
    if (time === undefined) {
      if (!isDiscarded) withoutTime += 1;
      return;
    }
    if (isKeyframe) keys.add({ time, bytesBefore }, isDiscarded);
    else if (keys.first() === undefined) inFront += 1;
    if (!isDiscarded) times.add(time);
  };

  return {
    add(line) {
      const { kind, fields } = readLine(line);
      if (kind === 'packet') take(readPacket(fields));
      else if (kind === 'stream' || kind === 'format') about = new Map([...about, ...fields]);
    },
    finish() {
      const timeBase = readTimeBase(about.get('time_base') ?? '');
      if (timeBase === undefined) throw new TypeError('ffprobe tells no time base');
      const shown = times.sorted();
      const first = keys.first() ?? Number.POSITIVE_INFINITY;
      const oddities: Oddities = {
        withoutTime,
        damaged,
        runsBackwards: keys.runBackwards(),
        beforeFirstKeyframe: Math.max(inFront, positionIn(shown, first)),
      };
      const gap = entryGapSeconds / secondsOf(1, timeBase);
      const entries = entriesOf(keys.shown(), shown, gap);
      const containerSeconds = (Number(about.get('start_time')) || 0) + fileSeconds;
      // Rounded as ffmpeg rounds it.
      const start = ticksOf(containerSeconds, timeBase);
      for (let picture = 0; picture < shown.length; picture += 1)
        shown[picture] = (shown[picture] ?? 0) - start;
      const setup = about.get('extradata_hash');
      return {
        timeBase,
        beginning: { containerSeconds, fileSeconds },
        times: shown,
        entries,
        sizeBytes,
        oddities,
        ...(setup === undefined ? {} : { decoderSetup: setup }),
      };
    },
  };
}

function keyList() {
  const shown: KeyPacket[] = [];
  let first: number | undefined;
  let last = Number.NEGATIVE_INFINITY;
  let isBackwards = false;
  return {
    add(key: KeyPacket, isDiscarded: boolean) {
      first ??= key.time;
      isBackwards ||= key.time <= last;
      last = key.time;
      if (!isDiscarded) shown.push(key);
    },
    first: () => first,
    runBackwards: () => isBackwards,
    shown: () => shown,
  };
}

function entriesOf(keys: readonly KeyPacket[], times: Float64Array, gap: number): Entry[] {
  let last = Number.NEGATIVE_INFINITY;
  return keys.flatMap(({ time, bytesBefore }) => {
    if (time - last < gap) return [];
    last = time;
    return [{ picture: positionIn(times, time), bytesBefore }];
  });
}
