import { expect, it } from 'vitest';
import { readProgramMaps } from '../../../src/media/probe/moved-streams.ts';

/** The CRC of ISO/IEC 13818-1, annex A, by polynomial division. */
function crcOf(bytes: Buffer): number {
  let crc = 0xffffffffn;
  for (const byte of bytes) {
    for (let bit = 7n; bit >= 0n; bit -= 1n) {
      const isSet = ((crc >> 31n) ^ (BigInt(byte) >> bit)) & 1n;
      crc = ((crc << 1n) & 0xffffffffn) ^ (isSet === 1n ? 0x04c11db7n : 0n);
    }
  }
  return Number(crc);
}

/** A section of a table, with its CRC. */
function section(table: number, id: number, body: number[], { isCurrent = true } = {}): Buffer {
  const length = 5 + body.length + 4;
  const head = [table, 0xb0 | (length >> 8), length & 0xff, id >> 8, id & 0xff, 0xc0 | Number(isCurrent), 0, 0];
  const bytes = Buffer.from([...head, ...body, 0, 0, 0, 0]);
  bytes.writeUInt32BE(crcOf(bytes.subarray(0, -4)), bytes.length - 4);
  return bytes;
}

const pidBytes = (pid: number) => [0xe0 | (pid >> 8), pid & 0xff];

/** The list of programs: their numbers, and the PIDs of their tables. */
const association = (programs: Record<number, number>) => {
  const entries = Object.entries(programs).flatMap(([number, pid]) => [0, Number(number), ...pidBytes(pid)]);
  return section(0, 1, entries);
};

/** The table of program 1: `stream_type` by PID, each with a descriptor of so many bytes. */
function programMap(types: Record<number, number>, { isCurrent = true, descriptorBytes = 0 } = {}): Buffer {
  const streams = Object.entries(types).flatMap(([pid, type]) => [
    ...[type, ...pidBytes(Number(pid)), 0xf0 | (descriptorBytes >> 8), descriptorBytes & 0xff],
    ...new Array<number>(descriptorBytes).fill(0x11),
  ]);
  return section(2, 1, [...pidBytes(256), 0xf0, 0, ...streams], { isCurrent });
}

/** A section in packets of MPEG-TS. */
function packetsOf(pid: number, content: Buffer): Buffer {
  const payload = Buffer.concat([Buffer.from([0]), content]);
  const count = Math.ceil(payload.length / 184);
  const packets = Array.from({ length: count }, (_, index) => {
    const packet = Buffer.alloc(188, 0xff);
    packet.set([0x47, (index === 0 ? 0x40 : 0) | (pid >> 8), pid & 0xff, 0x10 | index]);
    packet.set(payload.subarray(184 * index, 184 * (index + 1)), 4);
    return packet;
  });
  return Buffer.concat(packets);
}

const padding = packetsOf(0x1fff, Buffer.alloc(600));
const window = (...parts: Buffer[]) => Buffer.concat([...parts, padding]);
const list = packetsOf(0, association({ 1: 100 }));
const types = { 256: 0x1b, 257: 0x0f };
const own = [
  {
    programNumber: 1,
    types: new Map([
      [256, 0x1b],
      [257, 0x0f],
    ]),
  },
];

it.each<[string, Buffer]>([
  ['one packet', programMap(types)],
  ['several packets', programMap(types, { descriptorBytes: 300 })],
])('the table of a program in %s is read', (_, table) => {
  expect(readProgramMaps([window(list, packetsOf(100, table))])).toEqual(own);
});

it('a table that is not in force yet is not read', () => {
  const next = programMap({ 300: 0x1b }, { isCurrent: false });
  expect(readProgramMaps([window(list, packetsOf(100, programMap(types)), packetsOf(100, next))])).toEqual(own);
});

it('a table with a bit error is not read', () => {
  const damaged = programMap({ 300: 0x1b });
  damaged.writeUInt8(damaged.readUInt8(13) ^ 1, 13);
  expect(readProgramMaps([window(list, packetsOf(100, programMap(types)), packetsOf(100, damaged))])).toEqual(own);
});

it('a program that another part of the file does not list has no streams there', () => {
  const windows = [window(list, packetsOf(100, programMap(types))), window(packetsOf(0, association({ 2: 200 })))];
  expect(readProgramMaps(windows)).toContainEqual({ programNumber: 1, types: new Map() });
});
