import type { Probe, Stream } from './probe.ts';
import { mainAudio, mainVideo } from './streams.ts';
import { type TransportPacket, transportPackets } from './transport-packets.ts';

const videoTypes = new Set([0x01, 0x02, 0x10, 0x1b, 0x24, 0x33, 0x42, 0xd1, 0xea]);

/** 0x06 is private data: AC-3, E-AC-3 and Opus of DVB, and teletext. */
const audioTypes = new Set([0x03, 0x04, 0x06, 0x0f, 0x11, 0x1c, 0x2d, 0x2e, 0x80, 0x81, 0x82, 0x84, 0x85, 0x87]);

/** The streams of a program from a place in the file on, as its table (PMT) lists them. */
type ProgramMap = {
  programNumber: number;
  /** `stream_type` by PID, ISO/IEC 13818-1, table 2-34. None from where the file no longer lists the program. */
  types: ReadonlyMap<number, number>;
};

const [associationTable, mapTable] = [0x00, 0x02];

/** The tables of all programs in parts of a file. A part that begins within a table does not have it. */
export function readProgramMaps(windows: readonly Buffer[]): ProgramMap[] {
  const parts = windows.map((window) => [...transportPackets(window)]);
  const associations = parts.flatMap((packets) => readSections(packets, new Set([0]))).flatMap(readAssociation);
  const programs = associations.flatMap((association) => [...association]);
  const maps = parts
    .flatMap((packets) => readSections(packets, new Set(programs.map(([, pid]) => pid))))
    .flatMap(readMap);
  const dropped = programs
    .filter(([number]) => associations.some((association) => !association.has(number)))
    .map(([programNumber]) => ({ programNumber, types: new Map<number, number>() }));
  return [...maps, ...dropped];
}

/** The whole sections of these PIDs that are in force and have no bit error. ISO/IEC 13818-1, 2.4.4. */
function readSections(packets: readonly TransportPacket[], pids: ReadonlySet<number>): Buffer[] {
  const unfinished = new Map<number, Buffer>();
  const found: Buffer[] = [];
  for (const { pid, startsUnit, payload } of packets) {
    if (!pids.has(pid) || payload.length === 0) continue;
    const begun = startsUnit ? payload.subarray(1 + payload.readUInt8(0)) : unfinished.get(pid);
    if (begun === undefined) continue;
    const section = startsUnit ? begun : Buffer.concat([begun, payload]);
    const length = section.length < 3 ? Number.POSITIVE_INFINITY : 3 + (section.readUInt16BE(1) & 0xfff);
    if (section.length < length) unfinished.set(pid, section);
    else unfinished.delete(pid);
    const whole = section.subarray(0, length);
    if (section.length >= length && length >= 12 && (whole.readUInt8(5) & 1) !== 0 && checksum(whole) === 0)
      found.push(whole);
  }
  return found;
}

/** The PID of the table of each program. Nothing of a list of several sections, which is not whole. */
function readAssociation(section: Buffer): Map<number, number>[] {
  if (section.readUInt8(0) !== associationTable || section.readUInt8(7) !== 0) return [];
  const programs = new Map<number, number>();
  for (let at = 8; at + 8 <= section.length; at += 4) {
    const number = section.readUInt16BE(at);
    if (number !== 0) programs.set(number, section.readUInt16BE(at + 2) & 0x1fff);
  }
  return [programs];
}

function readMap(section: Buffer): ProgramMap[] {
  if (section.readUInt8(0) !== mapTable || section.length < 16) return [];
  const types = new Map<number, number>();
  let at = 12 + (section.readUInt16BE(10) & 0xfff);
  while (at + 9 <= section.length) {
    types.set(section.readUInt16BE(at + 1) & 0x1fff, section.readUInt8(at));
    at += 5 + (section.readUInt16BE(at + 3) & 0xfff);
  }
  return [{ programNumber: section.readUInt16BE(3), types }];
}

/** CRC of ISO/IEC 13818-1, annex A; 0 for a section with its own CRC at the end. */
function checksum(section: Buffer): number {
  let register = 0xffffffff;
  for (const byte of section) {
    register ^= byte << 24;
    for (let bit = 0; bit < 8; bit += 1) register = (register << 1) ^ (register < 0 ? 0x04c11db7 : 0);
  }
  return register | 0;
}

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
