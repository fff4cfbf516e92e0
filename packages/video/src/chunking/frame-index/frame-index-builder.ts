import { JobError } from '../../errors.ts';
import { firstNotBefore } from '../../values.ts';
import {
  type FrameAnomalies,
  type FrameIndex,
  type Keyframe,
  minKeyframeGapSeconds,
  parseTimeBase,
  secondsToTicks,
  ticksToSeconds,
} from './frame-index.ts';
import { type Packet, parsePacket, parsePacketLine } from './packets.ts';

export type FrameIndexBuilder = {
  /** Adds a line of ffprobe's output: a packet, the stream or the container. */
  add(line: string): void;
  addPacket(packet: Packet): void;
  finish(): FrameIndex;
};

/** 8 hours at 300 frames per second have 8.6 million. A hostile file has as many as it has bytes, or more. */
const maxIndexedPackets = 12_000_000;

/**
 * The times of the index count from `fileSeconds` after the file's start time, as `timelineOriginSeconds` returns it. Packets
 * beyond `maxPackets` are counted only.
 */
export function frameIndexBuilder(fileSeconds = 0, { maxPackets = maxIndexedPackets } = {}): FrameIndexBuilder {
  const shownPts = growableNumberList();
  const keyframes = keyframeList();
  let sizeBytes = 0;
  let last: Pick<Packet, 'pts' | 'duration'> = {};
  let missingPts = 0;
  let corruptPackets = 0;
  let packetsBeforeKeyframe = 0;
  let packets = 0;
  let streamFields: ReadonlyMap<string, string> = new Map();

  const addPacket = (packet: Packet) => {
    packets += 1;
    if (packets > maxPackets) return;
    const { pts, sizeBytes: packetBytes, isKeyframe, isDiscarded, isCorrupt } = packet;
    const bytesBefore = sizeBytes;
    sizeBytes += packetBytes;
    if (isCorrupt) corruptPackets += 1;
    if (pts === undefined) {
      if (!isDiscarded) missingPts += 1;
      return;
    }
    if (isKeyframe) keyframes.add({ pts, bytesBefore, isDiscarded });
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
      if (timeBase === undefined)
        throw new JobError('TRANSCODE_ERROR', 'A file has no video stream that ffprobe can read', { retryable: false });
      const pts = shownPts.values().toSorted();
      const firstKeyframePts = keyframes.firstPts() ?? Number.POSITIVE_INFINITY;
      const anomalies: FrameAnomalies = {
        missingPts,
        corruptPackets,
        unreadPackets: Math.max(0, packets - maxPackets),
        hasUnorderedKeyframes: keyframes.areUnordered(),
        framesBeforeKeyframe: Math.max(packetsBeforeKeyframe, lowerBound(pts, firstKeyframePts)),
      };
      const minGapTicks = minKeyframeGapSeconds / ticksToSeconds(1, timeBase);
      const indexed = keyframes.index(pts, minGapTicks);
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
  // Of each that is shown. Two lists of numbers, since every frame may be a keyframe.
  const [shownPts, shownBytes] = [growableNumberList(), growableNumberList()];
  let firstPts: number | undefined;
  let lastPts = Number.NEGATIVE_INFINITY;
  let areUnordered = false;
  return {
    add({ pts, bytesBefore, isDiscarded }: { pts: number; bytesBefore: number; isDiscarded: boolean }) {
      firstPts ??= pts;
      areUnordered ||= pts <= lastPts;
      lastPts = pts;
      if (isDiscarded) return;
      shownPts.add(pts);
      shownBytes.add(bytesBefore);
    },
    firstPts: () => firstPts,
    areUnordered: () => areUnordered,
    /** The keyframes by their numbers among all frames. */
    index(framePts: Float64Array, minGapTicks: number): Keyframe[] {
      const bytesBefore = shownBytes.values();
      const indexed: Keyframe[] = [];
      let last = Number.NEGATIVE_INFINITY;
      for (const [keyframe, pts] of shownPts.values().entries()) {
        if (pts - last < minGapTicks) continue;
        last = pts;
        indexed.push({ frame: lowerBound(framePts, pts), bytesBefore: bytesBefore[keyframe] ?? 0 });
      }
      return indexed;
    },
  };
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
    values: () => values.subarray(0, length),
  };
}

/** The number of values in the ascending list that are less than `value`. */
function lowerBound(ascending: Float64Array, value: number): number {
  return firstNotBefore(ascending.length, (index) => (ascending[index] ?? 0) < value);
}
