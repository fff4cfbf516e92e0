import { type TransportPacket, transportPackets } from './transport-packets.ts';

/** The streams of a program from a place in the file on, as its table (PMT) lists them. */
export type ProgramMap = {
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
