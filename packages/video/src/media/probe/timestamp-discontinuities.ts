import { type ReadAt, readBytes } from '../boxes.ts';
import { transportPackets } from './transport-packets.ts';

const packStartCode = Buffer.from([0, 0, 1, 0xba]);

const ticksPerSecond = 90_000;
/** Steps of a clock up to this are those of a variable bit rate. */
const minJumpSeconds = 10;
const minJumpRatio = 10;

/** The values of each clock in a part of a file, in ticks of 90 kHz. A transport stream may have several. */
type ReadClocks = (window: Buffer) => Map<number, number[]>;

const clockReaders: Record<string, ReadClocks> = { mpegts: readTransportClocks, mpeg: readProgramClock };

/**
 * Whether the timestamps of a file may start again within it, as in concatenated recordings, files of a DVD and chained Ogg.
 * ffprobe computes a duration from the first and the last timestamp, which is wrong for such a file. A wrap of the clock
 * counts too, so the duration has to be measured.
 * @param windows of the file, as `sampleWindows` reads them
 */
export function mayHaveDiscontinuities(container: string, windows: readonly Buffer[]): boolean {
  const [first, last] = [windows[0], windows.at(-1)];
  if (container === 'ogg' && first && last) return isChained(first, last);
  const readClocks = clockReaders[container];
  if (readClocks === undefined) return false;
  const clocks = windows.map(readClocks);
  const [clock] = clocks.find(({ size }) => size > 0)?.keys() ?? [];
  if (clock === undefined) return false;
  const values = clocks.map((found) => found.get(clock) ?? []);
  return values.some(fallsBack) || jumps(values.flatMap(([first]) => first ?? []));
}

function fallsBack(ticks: readonly number[]): boolean {
  return ticks.some((value, index) => value < (ticks[index - 1] ?? 0));
}

function jumps(ticks: readonly number[]): boolean {
  const steps = ticks.slice(1).map((value, index) => (value - (ticks[index] ?? 0)) / ticksPerSecond);
  const median = steps.toSorted((one, other) => one - other)[Math.floor(steps.length / 2)] ?? 0;
  const maxStep = Math.max(minJumpSeconds, minJumpRatio * median);
  return fallsBack(ticks) || steps.some((seconds) => seconds > maxStep);
}

/** The PCR of each PID. ISO/IEC 13818-1, 2.4.3.4. */
function readTransportClocks(window: Buffer): Map<number, number[]> {
  const packets = [...transportPackets(window)].filter(({ clock }) => clock !== undefined);
  return new Map(
    [...Map.groupBy(packets, ({ pid }) => pid)].map(([pid, own]) => [pid, own.flatMap(({ clock }) => clock ?? [])]),
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

/** Whether the last page is of a stream that does not begin with the file. RFC 3533, section 6. */
function isChained(first: Buffer, last: Buffer): boolean {
  const pages = readPages(first);
  const end = pages.findIndex(({ isFirst }) => !isFirst);
  const begun = pages.slice(0, end === -1 ? undefined : end).map(({ serialNumber }) => serialNumber);
  const lastPage = readPages(last).at(-1);
  return lastPage !== undefined && !begun.includes(lastPage.serialNumber);
}

function readPages(window: Buffer): { serialNumber: number; isFirst: boolean }[] {
  const found: { serialNumber: number; isFirst: boolean }[] = [];
  for (let at = window.indexOf('OggS'); at !== -1 && at + 18 <= window.length; at = window.indexOf('OggS', at + 4)) {
    found.push({ serialNumber: window.readUInt32LE(at + 14), isFirst: (window.readUInt8(at + 5) & 2) !== 0 });
  }
  return found;
}

/** Enough for one clock value: TS repeats its PCR every 100 ms, which is less than this at 15 Mbit/s. */
const windowBytes = 192 * 1024;
const maxWindows = 32;

/** Containers that are recorded or sent as a stream, whose timestamps and packets are not in an index. */
export const streamContainers = ['mpegts', 'mpeg', 'ogg'];

/**
 * Parts of a file that was recorded or sent as a stream, from its start to its end: up to 6 MB at equal distances of MPEG-TS
 * and MPEG-PS, the first and the last of Ogg.
 */
export async function sampleWindows(
  container: string,
  { readAt, sizeBytes }: { readAt: ReadAt; sizeBytes: number },
): Promise<Buffer[]> {
  const length = Math.min(windowBytes, sizeBytes);
  const count = container === 'ogg' ? 2 : Math.max(2, Math.min(maxWindows, Math.ceil(sizeBytes / length)));
  const windows: Buffer[] = [];
  for (let index = 0; index < count; index++) {
    const offset = Math.floor(((sizeBytes - length) * index) / (count - 1));
    const { buffer, byteOffset, byteLength } = await readBytes(readAt, { offset, sizeBytes: length });
    windows.push(Buffer.from(buffer, byteOffset, byteLength));
  }
  return windows;
}
