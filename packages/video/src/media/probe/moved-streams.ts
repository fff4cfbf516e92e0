import type { Probe, Stream } from './probe.ts';
import { type ProgramMap, readProgramMaps } from './program-maps.ts';
import { mainAudio, mainVideo } from './streams.ts';

const videoTypes = new Set([0x01, 0x02, 0x10, 0x1b, 0x24, 0x33, 0x42, 0xd1, 0xea]);
/** 0x06 is private data: AC-3, E-AC-3 and Opus of DVB, and teletext. */
const audioTypes = new Set([0x03, 0x04, 0x06, 0x0f, 0x11, 0x1c, 0x2d, 0x2e, 0x80, 0x81, 0x82, 0x84, 0x85, 0x87]);

/**
 * Why only a part of a broadcast would be encoded: the main video or audio goes on with another PID within the file, as in
 * recordings across two channels or a change of the sender. ffmpeg takes that for another stream.
 * @param windows of the file, as `sampleWindows` reads them
 */
export function describeMovedStream(probe: Probe, windows: readonly Buffer[]): string | undefined {
  if (probe.container !== 'mpegts') return undefined;
  const maps = readProgramMaps(windows);
  const moved = [mainVideo(probe), mainAudio(probe)].find((stream) => stream && isMoved(stream, maps));
  if (moved?.id === undefined) return undefined;
  return (
    `The ${moved.kind} of the input has PID ${moved.id} in a part of the file only: the table of its program (PMT) changes, and ` +
    'what follows would be lost. Send a file in which each stream keeps its PID, or its parts as inputs of the recipe concat'
  );
}

function isMoved({ id }: Stream, maps: readonly ProgramMap[]): boolean {
  const own = maps.find(({ types }) => id !== undefined && types.has(id));
  if (id === undefined || own === undefined) return false;
  const ownType = own.types.get(id) ?? 0;
  return maps
    .filter(({ programNumber }) => programNumber === own.programNumber)
    .some(({ types }) => {
      const type = types.get(id);
      if (type !== undefined) return !isAlike(type, ownType);
      return types.size === 0 || [...types].some(([pid, other]) => !own.types.has(pid) && isAlike(other, ownType));
    });
}

function isAlike(one: number, other: number): boolean {
  return [videoTypes, audioTypes].some((types) => types.has(one) && types.has(other));
}
