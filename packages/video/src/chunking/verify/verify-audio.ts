import type { AudioRange } from '../frame-index/audio-range.ts';
import { type AudioChunk, packetSeconds } from '../plan/cut-audio.ts';

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
