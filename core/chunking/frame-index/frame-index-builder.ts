import { type FrameAnomalies, type FrameIndex, type Keyframe, minKeyframeGapSeconds } from './frame-index.ts';
import { type Packet, parsePacket, parsePacketLine } from './packets.ts';
import { parseTimeBase, secondsToTicks, ticksToSeconds } from './timeline.ts';

type KeyframePacket = { pts: number; bytesBefore: number };

/** Builds the index of a video stream. */
export type FrameIndexBuilder = {
  /** Adds a line of ffprobe's output: a packet, the stream or the container. */
  add(line: string): void;
  /** Adds a packet that was read otherwise. */
  addPacket(packet: Packet): void;
  finish(): FrameIndex;
};

/** The times of the index count from `fileSeconds` after the file's start time, as `timelineOriginSeconds` returns it. */
export function frameIndexBuilder(fileSeconds = 0): FrameIndexBuilder {
  const shownPts = growableNumberList();
  const keyframes = keyframeList();
  let sizeBytes = 0;
  let last: Pick<Packet, 'pts' | 'duration'> = {};
  let missingPts = 0;
  let corruptPackets = 0;
  let packetsBeforeKeyframe = 0;
  let streamFields: ReadonlyMap<string, string> = new Map();

  const addPacket = (packet: Packet) => {
    const { pts, sizeBytes: packetBytes, isKeyframe, isDiscarded, isCorrupt } = packet;
    const bytesBefore = sizeBytes;
    sizeBytes += packetBytes;
    if (isCorrupt) corruptPackets += 1;
    if (pts === undefined) {
      if (!isDiscarded) missingPts += 1;
      return;
    }
    if (isKeyframe) keyframes.add({ pts, bytesBefore }, isDiscarded);
    else if (keyframes.firstPts() === undefined) packetsBeforeKeyframe += 1;
    if (isDiscarded) return;
    shownPts.add(pts);
    if (pts > (last.pts ?? Number.NEGATIVE_INFINITY)) last = packet;
  };

  return {
    addPacket,
    add(line) {
      const { kind, fields } = parsePacketLine(line);
      if (kind === 'packet') addPacket(parsePacket(fields));
      else if (kind === 'stream' || kind === 'format') streamFields = new Map([...streamFields, ...fields]);
    },
    finish() {
      const timeBase = parseTimeBase(streamFields.get('time_base') ?? '');
      if (timeBase === undefined) throw new TypeError('ffprobe printed no time base for the video stream');
      const pts = shownPts.sorted();
      const firstKeyframePts = keyframes.firstPts() ?? Number.POSITIVE_INFINITY;
      const anomalies: FrameAnomalies = {
        missingPts,
        corruptPackets,
        hasUnorderedKeyframes: keyframes.areUnordered(),
        framesBeforeKeyframe: Math.max(packetsBeforeKeyframe, lowerBound(pts, firstKeyframePts)),
      };
      const minGapTicks = minKeyframeGapSeconds / ticksToSeconds(1, timeBase);
      const indexed = indexKeyframes(keyframes.shown(), pts, minGapTicks);
      const containerSeconds = (Number(streamFields.get('start_time')) || 0) + fileSeconds;
      const originTicks = secondsToTicks(containerSeconds, timeBase);
      for (let frame = 0; frame < pts.length; frame += 1) pts[frame] = (pts[frame] ?? 0) - originTicks;
      return {
        timeBase,
        timelineOrigin: { containerSeconds, fileSeconds },
        pts,
        keyframes: indexed,
        lastFrameTicks: last.duration,
        sizeBytes,
        anomalies,
        extradataHash: streamFields.get('extradata_hash'),
      };
    },
  };
}

function keyframeList() {
  const shown: KeyframePacket[] = [];
  let firstPts: number | undefined;
  let lastPts = Number.NEGATIVE_INFINITY;
  let areUnordered = false;
  return {
    add(keyframe: KeyframePacket, isDiscarded: boolean) {
      firstPts ??= keyframe.pts;
      areUnordered ||= keyframe.pts <= lastPts;
      lastPts = keyframe.pts;
      if (!isDiscarded) shown.push(keyframe);
    },
    firstPts: () => firstPts,
    areUnordered: () => areUnordered,
    shown: () => shown,
  };
}

function indexKeyframes(
  packets: readonly KeyframePacket[],
  shownPts: Float64Array,
  minGapTicks: number,
): Keyframe[] {
  let lastPts = Number.NEGATIVE_INFINITY;
  return packets.flatMap(({ pts, bytesBefore }) => {
    if (pts - lastPts < minGapTicks) return [];
    lastPts = pts;
    return [{ frame: lowerBound(shownPts, pts), bytesBefore }];
  });
}

/** A list that grows, at eight bytes per number. */
function growableNumberList() {
  let values = new Float64Array(1024);
  let length = 0;
  return {
    add(value: number) {
      if (length === values.length) {
        const larger = new Float64Array(2 * length);
        larger.set(values);
        values = larger;
      }
      values[length] = value;
      length += 1;
    },
    sorted: () => values.slice(0, length).sort(),
  };
}

/** The number of values in the ascending list that are less than `value`. */
function lowerBound(ascending: Float64Array, value: number): number {
  let [low, high] = [0, ascending.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ascending[middle] ?? 0) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
