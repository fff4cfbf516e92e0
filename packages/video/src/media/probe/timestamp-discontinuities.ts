import { type ReadAt, readBytes } from '../boxes.ts';
import { describeJoined } from './measured-duration.ts';
import { describeMovedStream } from './moved-streams.ts';
import type { Probe } from './probe.ts';
import { transportPackets } from './transport-packets.ts';

const packStartCode = Buffer.from([0, 0, 1, 0xba]);

const ticksPerSecond = 90_000;
/** Steps of a clock up to this are those of a variable bit rate. */
const minJumpSeconds = 10;
const minJumpRatio = 10;

/**
 * The values of each clock in a part of a file, in ticks of 90 kHz. A transport stream may have several. Of Ogg the number of
 * each page in its stream.
 */
type ReadClocks = (window: Buffer) => Map<number, number[]>;

const clockReaders: Record<string, ReadClocks> = {
  mpegts: readTransportClocks,
  mpeg: readProgramClock,
  ogg: (window) => valuesOf(readPages(window)),
};

/**
 * Whether the timestamps of a file may start again within it, as in concatenated recordings, files of a DVD and chained Ogg.
 * ffprobe computes a duration from the first and the last timestamp, which is wrong for such a file. A wrap of the clock
 * counts too, so the duration has to be measured.
 * @param windows of the file, as `sampleWindows` reads them
 */
export function mayHaveDiscontinuities(container: string, windows: readonly Buffer[]): boolean {
  const readClocks = clockReaders[container];
  const [first] = windows;
  if (readClocks === undefined || first === undefined) return false;
  const clocks = windows.map(readClocks);
  const names = [...new Set(clocks.flatMap((found) => [...found.keys()]))];
  if (container === 'ogg') {
    const begun = begunStreams(first);
    return names.some((name) => !begun.has(name) || falls(clocks, name));
  }
  const [clock] = names;
  return clock !== undefined && (falls(clocks, clock) || jumps(firstValues(clocks, clock)));
}

/** Whether a clock falls back within a part or from one to another. */
function falls(clocks: readonly ReturnType<ReadClocks>[], name: number): boolean {
  return clocks.some((found) => fallsBack(found.get(name) ?? [])) || fallsBack(firstValues(clocks, name));
}

function firstValues(clocks: readonly ReturnType<ReadClocks>[], name: number): number[] {
  return clocks.flatMap((found) => found.get(name)?.[0] ?? []);
}

function fallsBack(ticks: readonly number[]): boolean {
  return ticks.some((value, index) => value < (ticks[index - 1] ?? 0));
}

function jumps(ticks: readonly number[]): boolean {
  const steps = ticks.slice(1).map((value, index) => (value - (ticks[index] ?? 0)) / ticksPerSecond);
  const median = steps.toSorted((one, other) => one - other)[Math.floor(steps.length / 2)] ?? 0;
  const maxStep = Math.max(minJumpSeconds, minJumpRatio * median);
  return steps.some((seconds) => seconds > maxStep);
}

/** The PCR of each PID. ISO/IEC 13818-1, 2.4.3.4. */
function readTransportClocks(window: Buffer): Map<number, number[]> {
  const packets = [...transportPackets(window)];
  return valuesOf(packets.flatMap(({ pid, clock }) => (clock === undefined ? [] : { name: pid, value: clock })));
}

function valuesOf(found: readonly { name: number; value: number }[]): Map<number, number[]> {
  return new Map(
    [...Map.groupBy(found, ({ name }) => name)].map(([name, own]) => [name, own.map(({ value }) => value)]),
  );
}

/** The SCR of each pack. ISO/IEC 13818-1, 2.5.3.3. That of MPEG-1 has its bits elsewhere. */
function readProgramClock(window: Buffer): Map<number, number[]> {
  const values: number[] = [];
  for (
    let at = window.indexOf(packStartCode);
    at !== -1 && at + 9 <= window.length;
    at = window.indexOf(packStartCode, at + 9)
  ) {
    const bits = BigInt(`0x${window.toString('hex', at + 4, at + 9)}`);
    // Each part is followed by a marker bit.
    const fieldsAt = bits >> 38n === 1n ? [35n, 19n, 3n] : [33n, 17n, 1n];
    const [high = 0n, middle = 0n, low = 0n] = fieldsAt.map((shift) => bits >> shift);
    values.push(Number(((high & 7n) << 30n) | ((middle & 0x7fffn) << 15n) | (low & 0x7fffn)));
  }
  return values.length === 0 ? new Map() : new Map([[0, values]]);
}

/** Codecs of which ffmpeg skips the headers that a stream of Ogg repeats. It decodes those of others as frames. */
const codecsWithKnownHeaders = ['vorbis', 'flac'];

/** Why only a part of an Ogg would be read: a stream begins again under the same number, as in a file joined with itself. */
function describeRepeatedStream({ container, streams }: Probe, windows: readonly Buffer[]): string | undefined {
  if (container !== 'ogg' || streams.every(({ codec }) => codecsWithKnownHeaders.includes(codec))) return undefined;
  const pages = windows.map((window) => valuesOf(readPages(window)));
  const numbers = new Set(pages.flatMap((found) => [...found.keys()]));
  const repeated = [...numbers].find((number) => falls(pages, number));
  return repeated === undefined ? undefined : describeJoined(`its stream ${repeated} begins again`);
}

/** Why only a part of a file that was sent as a stream would be read. */
export function describeLostParts(probe: Probe, windows: readonly Buffer[]): string | undefined {
  return describeMovedStream(probe, windows) ?? describeRepeatedStream(probe, windows);
}

/** The streams whose first pages an Ogg begins with. RFC 3533, section 6. */
function begunStreams(start: Buffer): Set<number> {
  const pages = readPages(start);
  const end = pages.findIndex(({ isFirst }) => !isFirst);
  return new Set(pages.slice(0, end === -1 ? undefined : end).map(({ name }) => name));
}

/** The pages of Ogg: `name` is the serial number of the stream, and `value` the number of the page in it. */
function readPages(window: Buffer): { name: number; value: number; isFirst: boolean }[] {
  const found: ReturnType<typeof readPages> = [];
  for (let at = window.indexOf('OggS'); at !== -1 && at + 22 <= window.length; at = window.indexOf('OggS', at + 4)) {
    const isFirst = (window.readUInt8(at + 5) & 2) !== 0;
    found.push({ name: window.readUInt32LE(at + 14), value: window.readUInt32LE(at + 18), isFirst });
  }
  return found;
}

/** Enough for one clock value: TS repeats its PCR every 100 ms, which is less than this at 15 Mbit/s. */
const windowBytes = 192 * 1024;
const maxWindows = 32;

/** Parts of a file that was recorded or sent as a stream, from its start to its end: up to 6 MB at equal distances. */
export async function sampleWindows({ readAt, sizeBytes }: { readAt: ReadAt; sizeBytes: number }): Promise<Buffer[]> {
  const length = Math.min(windowBytes, sizeBytes);
  const count = Math.max(2, Math.min(maxWindows, Math.ceil(sizeBytes / length)));
  const windows: Buffer[] = [];
  for (let index = 0; index < count; index++) {
    const offset = Math.floor(((sizeBytes - length) * index) / (count - 1));
    const { buffer, byteOffset, byteLength } = await readBytes(readAt, { offset, sizeBytes: length });
    windows.push(Buffer.from(buffer, byteOffset, byteLength));
  }
  return windows;
}
