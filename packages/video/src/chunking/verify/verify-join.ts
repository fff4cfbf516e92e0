import { encodingsByCodec } from '../../encoding/encoding.ts';
import { addDamage, type Damage, damageOfRuns, withUnreadable } from '../../media/damage.ts';
import type { AudioRange } from '../../media/mp4/read-track.ts';
import {
  type FrameIndex,
  type FrameTimes,
  frameSeconds,
  minKeyframeGapSeconds,
  ticksToSeconds,
} from '../frame-index/frame-index.ts';
import type { ChunkedWork } from '../plan/chunk-plan.ts';
import type { ChunkResult } from '../plan/chunk-result.ts';
import { type ChunkTask, chunkTasks } from '../plan/chunk-tasks.ts';
import { type AudioChunk, packetSeconds } from '../plan/cut-audio.ts';
import { type Chunk, forcedKeyframes } from '../plan/cut-video.ts';

export type ChunkMeasurement = NonNullable<ChunkResult['renditions']>[number];

export type JoinedFrames = Pick<FrameIndex, 'timeBase' | 'pts' | 'timelineOrigin' | 'keyframes'>;

type PlaybackRange = Omit<AudioRange, 'sizeBytes'>;

export type AudioMeasurements = {
  /** Of each audio task, in their order, the ranges of its files: one per track. */
  encoded: readonly (readonly PlaybackRange[])[];
  /** What the tasks were to encode; left out where one encodes the whole tracks. */
  chunks?: readonly AudioChunk[] | undefined;
  /** Of the first track. */
  joined: PlaybackRange;
};

const audioToleranceSeconds = 0.002;

/** The first difference between the joined audio and that of a single pass, as a sentence; undefined if there is none. */
export function findAudioDefect(
  { encoded, chunks, joined }: AudioMeasurements,
  { isPackaged }: { isPackaged: boolean },
): string | undefined {
  const defect = chunks?.flatMap((chunk, number) => findChunkDefects(chunk, encoded[number] ?? [], number))[0];
  if (defect !== undefined) return defect;
  const firstTrack = encoded.flatMap(([range]) => range ?? []);
  const expected = chunks ? rangeOfChunks(chunks, firstTrack) : firstTrack[0];
  return expected && findRangeDefect(expected, joined, { isPackaged });
}

/** The file of a chunk has to start with its first packet, and to have as many packets as it was to. */
function findChunkDefects({ tracks }: AudioChunk, measured: readonly PlaybackRange[], number: number): string[] {
  return tracks.flatMap(({ firstPacket, endPacket, delaySamples, sampleRateHz }, track) => {
    const { packets = 0, startSeconds = Number.NaN } = measured[track] ?? {};
    const name = `Chunk ${number + 1} of the audio`;
    const expected = endPacket === undefined ? Math.max(1, packets) : endPacket - firstPacket;
    if (packets !== expected) return `${name} has ${packets} packets; expected ${expected}`;
    const lateSeconds = startSeconds + delaySamples / sampleRateHz;
    if (Math.abs(lateSeconds) <= audioToleranceSeconds) return [];
    return `${name} starts ${lateSeconds.toFixed(3)} s late`;
  });
}

/** Each file counts from the start of its chunk. */
function rangeOfChunks(chunks: readonly AudioChunk[], measured: readonly PlaybackRange[]): PlaybackRange | undefined {
  const [first, last] = [chunks[0]?.tracks[0], chunks.at(-1)?.tracks[0]];
  const [firstRange, lastRange] = [measured[0], measured.at(-1)];
  if (!first || !last || !firstRange || !lastRange) return undefined;
  return {
    packets: measured.reduce((sum, { packets }) => sum + packets, 0),
    startSeconds: firstRange.startSeconds + packetSeconds(first, first.firstPacket),
    endSeconds: lastRange.endSeconds + packetSeconds(last, last.firstPacket),
  };
}

/** The joined audio has to keep all packets, its start and its end. Packaged files do not store end trimming. */
function findRangeDefect(
  encoded: PlaybackRange,
  joined: PlaybackRange,
  { isPackaged }: { isPackaged: boolean },
): string | undefined {
  if (encoded.packets !== joined.packets) {
    return `The joined audio has ${joined.packets} packets; ${encoded.packets} were encoded`;
  }
  const onePacketSeconds = (joined.endSeconds - joined.startSeconds) / joined.packets;
  for (const [verb, side] of [
    ['starts', 'startSeconds'],
    ['ends', 'endSeconds'],
  ] as const) {
    const lateSeconds = joined[side] - encoded[side];
    const maxLateSeconds = audioToleranceSeconds + (isPackaged && side === 'endSeconds' ? onePacketSeconds : 0);
    if (lateSeconds >= -audioToleranceSeconds && lateSeconds <= maxLateSeconds) continue;
    return `The joined audio ${verb} at ${joined[side].toFixed(3)} s; expected ${encoded[side].toFixed(3)} s`;
  }
  return undefined;
}

export type JoinMeasurements = {
  /** As planned, and as measured in the encoded files. */
  chunks: readonly { chunk: Chunk; measured: ChunkMeasurement }[];
  source: FrameTimes;
  joined: JoinedFrames;
  /** Left out where the joined file has no audio. */
  audio?: AudioMeasurements | undefined;
  /** Of an encoding that forces keyframes, which is packaged as a stream. */
  keyframeIntervalSeconds?: number | undefined;
};

// MP4 states the start of a late track in whole milliseconds.
const startToleranceSeconds = 0.002;

/** The first difference between a joined file and that of a single pass, as a sentence; undefined if there is none. */
export function findJoinDefect(measurements: JoinMeasurements): string | undefined {
  const { chunks, source, joined, audio, keyframeIntervalSeconds } = measurements;
  const forced = keyframeIntervalSeconds === undefined ? undefined : forcedKeyframes(source, keyframeIntervalSeconds);
  return (
    findFrameCountDefect(chunks) ??
    findExtradataDefect(chunks) ??
    findTimestampDefect(source, joined) ??
    (forced && findKeyframeDefect(forced, joined)) ??
    (audio && findAudioDefect(audio, { isPackaged: forced !== undefined }))
  );
}

export function measureChunk({ pts, extradataHash }: FrameIndex): ChunkMeasurement {
  return { frames: pts.length, extradataHash };
}

function findFrameCountDefect(chunks: JoinMeasurements['chunks']): string | undefined {
  const wrong = chunks.findIndex(({ chunk, measured }) => measured.frames !== chunk.frames);
  const found = chunks[wrong];
  if (found === undefined) return undefined;
  return `Chunk ${wrong + 1} has ${found.measured.frames} frames; expected ${found.chunk.frames}`;
}

function findExtradataDefect(chunks: JoinMeasurements['chunks']): string | undefined {
  const [first] = chunks;
  const other = chunks.findIndex(({ measured }) => measured.extradataHash !== first?.measured.extradataHash);
  return other === -1 ? undefined : `Chunk ${other + 1} has another decoder configuration than the first chunk`;
}

function findTimestampDefect(source: FrameTimes, joined: JoinedFrames): string | undefined {
  const { length: frameCount } = source.pts;
  if (joined.pts.length !== frameCount) {
    return `The joined file has ${joined.pts.length} frames; the source has ${frameCount}`;
  }
  const expectedStart = frameSeconds(source, 0);
  const foundStart = frameSeconds(joined, 0) + joined.timelineOrigin.containerSeconds;
  if (Math.abs(expectedStart - foundStart) > startToleranceSeconds) {
    return `The joined video starts at ${foundStart.toFixed(3)} s; expected ${expectedStart.toFixed(3)} s`;
  }
  const toleranceSeconds = ticksToSeconds(1, joined.timeBase) + 1e-9;
  for (let frame = 1; frame < frameCount; frame += 1) {
    const expected = frameSeconds(source, frame) - frameSeconds(source, 0);
    const found = frameSeconds(joined, frame) - frameSeconds(joined, 0);
    if (Math.abs(expected - found) <= toleranceSeconds) continue;
    return `Frame ${frame + 1} is shown ${found.toFixed(4)} s after the first; expected ${expected.toFixed(4)} s`;
  }
  return undefined;
}

/** Players decode and switch from the forced keyframes. */
function findKeyframeDefect(forced: readonly number[], { keyframes, ...joined }: JoinedFrames): string | undefined {
  const keyframeFrames = new Set(keyframes.map(({ frame }) => frame));
  let lastKeyframeSeconds = Number.NEGATIVE_INFINITY;
  for (const start of forced) {
    const seconds = frameSeconds(joined, start);
    // The index leaves out keyframes close to the one before.
    if (keyframeFrames.has(start)) lastKeyframeSeconds = seconds;
    else if (seconds - lastKeyframeSeconds >= minKeyframeGapSeconds)
      return `The frame at ${seconds.toFixed(3)} s is not a keyframe`;
  }
  return undefined;
}

/**
 * What the tasks lost of the source: once for each codec, since each decodes the whole video, and once for the audio.
 * @param results in the order of the tasks' numbers
 */
export function damageOfTasks(work: ChunkedWork, results: readonly Pick<ChunkResult, 'runs'>[]): Damage[] {
  const { source, clips, sourceFrames } = work;
  const tasks = [...chunkTasks(work).entries()];
  const lostBy = (isOf: (task: ChunkTask) => boolean): Damage[] => {
    const ofTasks = tasks.flatMap(([number, task]) => {
      // Earlier runs of a task decode the same frames for a measurement.
      const runs = isOf(task) ? (results[number]?.runs ?? []).slice(-1) : [];
      const clip = task.kind === 'audio' ? undefined : task.chunk.clip;
      const probe = clips?.[clip ?? 0]?.source ?? source;
      // Those of the video are counted in its index.
      const countsMissing = task.kind === 'audio';
      return runs.map((run) => ({ run, damage: damageOfRuns([run], { probe, countsMissing }) }));
    });
    // Packets may be missing, not only damaged.
    const isBroken = ofTasks.some(({ run }) => run.decoding?.hasContainerErrors);
    return addDamage(ofTasks.flatMap(({ damage }) => damage)).map((damage) => {
      if (damage.kind === 'audio' || sourceFrames === undefined) return damage;
      // Chunks overlap: a task reads some packets of the next one.
      const { indexed, stated } = sourceFrames;
      const readable = withUnreadable(indexed, clips ? {} : source);
      const frames = isBroken ? Math.max(stated, readable) : readable;
      return { ...damage, frames, lost: Math.min(indexed, damage.lost) + frames - indexed };
    });
  };
  const videos = encodingsByCodec(work.encoding).flatMap(({ codec }) =>
    lostBy((task) => task.kind === 'chunk' && task.encoding.codec === codec),
  );
  return [...videos, ...lostBy(({ kind }) => kind === 'audio')];
}
