import { type FrameAnomalies, type FrameIndex, type Keyframe, minKeyframeGapSeconds } from './frame-index.ts';
import { growableNumberList, lowerBound } from './number-list.ts';
import { type Packet, parsePacket, parsePacketLine } from './packets.ts';
import { parseTimeBase, secondsToTicks, ticksToSeconds } from './time-base.ts';

type KeyPacket = { time: number; bytesBefore: number };

/**
 * Makes the index of a stream from ffprobe's lines as they come: `add` each, and `finish` after the last. Times count
 * from `fileSeconds` after the first moment of the file.
 */
export function frameIndexBuilder(fileSeconds = 0): { add(line: string): void; finish(): FrameIndex } {
  const times = growableNumberList();
  const keys = keyList();
  let sizeBytes = 0;
  let missingPts = 0;
  let corruptPackets = 0;
  let inFront = 0;
  let about: ReadonlyMap<string, string> = new Map();

  const take = ({ pts, sizeBytes: bytes, isKeyframe, isDiscarded, isCorrupt }: Packet) => {
    const bytesBefore = sizeBytes;
    sizeBytes += bytes;
    if (isCorrupt) corruptPackets += 1;
    if (pts === undefined) {
      if (!isDiscarded) missingPts += 1;
      return;
    }
    if (isKeyframe) keys.add({ time: pts, bytesBefore }, isDiscarded);
    else if (keys.first() === undefined) inFront += 1;
    if (!isDiscarded) times.add(pts);
  };

  return {
    add(line) {
      const { kind, fields } = parsePacketLine(line);
      if (kind === 'packet') take(parsePacket(fields));
      else if (kind === 'stream' || kind === 'format') about = new Map([...about, ...fields]);
    },
    finish() {
      const timeBase = parseTimeBase(about.get('time_base') ?? '');
      if (timeBase === undefined) throw new TypeError('ffprobe tells no time base');
      const shown = times.sorted();
      const first = keys.first() ?? Number.POSITIVE_INFINITY;
      const anomalies: FrameAnomalies = {
        missingPts,
        corruptPackets,
        hasUnorderedKeyframes: keys.runBackwards(),
        framesBeforeKeyframe: Math.max(inFront, lowerBound(shown, first)),
      };
      const gap = minKeyframeGapSeconds / ticksToSeconds(1, timeBase);
      const keyframes = entriesOf(keys.shown(), shown, gap);
      const containerSeconds = (Number(about.get('start_time')) || 0) + fileSeconds;
      // Rounded as ffmpeg rounds it.
      const start = secondsToTicks(containerSeconds, timeBase);
      for (let picture = 0; picture < shown.length; picture += 1)
        shown[picture] = (shown[picture] ?? 0) - start;
      const setup = about.get('extradata_hash');
      return {
        timeBase,
        timelineOrigin: { containerSeconds, fileSeconds },
        pts: shown,
        keyframes,
        sizeBytes,
        anomalies,
        ...(setup === undefined ? {} : { extradataHash: setup }),
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

function entriesOf(keys: readonly KeyPacket[], times: Float64Array, gap: number): Keyframe[] {
  let last = Number.NEGATIVE_INFINITY;
  return keys.flatMap(({ time, bytesBefore }) => {
    if (time - last < gap) return [];
    last = time;
    return [{ frame: lowerBound(times, time), bytesBefore }];
  });
}
