import { type ReadAt, readBytes } from '../read-at.ts';

/** More than 100 ms of 15 Mbit/s: MPEG repeats its clock at least that often in TS, and in PS every 0.7 s. */
const windowBytes = 192 * 1024;
const maxWindows = 32;

/** Packets of M2TS begin with a time stamp, and some recorders add a checksum. */
const packetSizes = [188, 192, 204];
const packStartCode = Buffer.from([0, 0, 1, 0xba]);

const ticksPerSecond = 90_000;
/** Steps of a clock up to this are those of a variable bit rate. */
const minJumpSeconds = 10;
const minJumpRatio = 10;

/** The first value of each clock in a part of a file, in ticks of 90 kHz. A transport stream may have several. */
type ReadClocks = (window: Uint8Array) => Map<number, number>;

const clockReaders: Record<string, ReadClocks> = { mpegts: readTransportClocks, mpeg: readProgramClock };

/**
 * Whether the timestamps of a file seem not to run through from its start to its end, as in recordings that were put one
 * behind the other, files of a DVD and chained Ogg: the duration that ffprobe computes from the first and the last of them
 * is wrong then. Reads up to 6 MB, at equal distances. A false alarm is possible.
 */
export async function mayHaveClockResets(
  container: string,
  { readAt, sizeBytes }: { readAt: ReadAt; sizeBytes: number },
): Promise<boolean> {
  const readClocks = clockReaders[container];
  if (readClocks === undefined && container !== 'ogg') return false;
  const length = Math.min(windowBytes, sizeBytes);
  const readWindow = (offset: number) => readBytes(readAt, { offset, sizeBytes: length });
  if (readClocks === undefined) return isChained(await readWindow(0), await readWindow(sizeBytes - length));
  const count = Math.max(2, Math.min(maxWindows, Math.floor(sizeBytes / length)));
  const windows: Map<number, number>[] = [];
  for (let index = 0; index < count; index++) {
    windows.push(readClocks(await readWindow(Math.floor(((sizeBytes - length) * index) / (count - 1)))));
  }
  const [clock] = windows.find(({ size }) => size > 0)?.keys() ?? [];
  return clock !== undefined && jumps(windows.flatMap((found) => found.get(clock) ?? []));
}

function jumps(ticks: readonly number[]): boolean {
  const steps = ticks.slice(1).map((value, index) => (value - (ticks[index] ?? 0)) / ticksPerSecond);
  const median = steps.toSorted((one, other) => one - other)[Math.floor(steps.length / 2)] ?? 0;
  const maxStep = Math.max(minJumpSeconds, minJumpRatio * median);
  return steps.some((seconds) => seconds < 0 || seconds > maxStep);
}

/** The PCR of each PID. ISO/IEC 13818-1, 2.4.3.4. */
function readTransportClocks(window: Uint8Array): Map<number, number> {
  const view = Buffer.from(window.buffer, window.byteOffset, window.byteLength);
  const found = new Map<number, number>();
  for (const packetBytes of packetSizes) {
    const start = view.findIndex((_, at) => [0, 1, 2, 3].every((n) => view[at + n * packetBytes] === 0x47));
    if (start === -1) continue;
    for (let at = start; at + 12 <= view.length; at += packetBytes) {
      const pid = view.readUInt16BE(at + 1) & 0x1fff;
      const hasAdaptation = (view.readUInt8(at + 3) & 0x20) !== 0 && view.readUInt8(at + 4) >= 7;
      const hasClock = hasAdaptation && (view.readUInt8(at + 5) & 0x10) !== 0;
      if (hasClock && !found.has(pid)) found.set(pid, view.readUInt32BE(at + 6) * 2);
    }
    return found;
  }
  return found;
}

/** The SCR of the first pack. ISO/IEC 13818-1, 2.5.3.3. That of MPEG-1 has its bits elsewhere. */
function readProgramClock(window: Uint8Array): Map<number, number> {
  const view = Buffer.from(window.buffer, window.byteOffset, window.byteLength);
  const at = view.indexOf(packStartCode) + packStartCode.length;
  if (at < packStartCode.length || at + 5 > view.length) return new Map();
  const bits = BigInt(`0x${view.toString('hex', at, at + 5)}`);
  // Each part is followed by a marker bit.
  const fieldsAt = bits >> 38n === 1n ? [35n, 19n, 3n] : [33n, 17n, 1n];
  const [high = 0n, middle = 0n, low = 0n] = fieldsAt.map((shift) => bits >> shift);
  return new Map([[0, Number(((high & 7n) << 30n) | ((middle & 0x7fffn) << 15n) | (low & 0x7fffn))]]);
}

/** Whether the last page is of a stream that does not begin with the file. RFC 3533, section 6. */
function isChained(first: Uint8Array, last: Uint8Array): boolean {
  const pages = readPages(first);
  const end = pages.findIndex(({ isFirst }) => !isFirst);
  const begun = pages.slice(0, end === -1 ? undefined : end).map(({ serialNumber }) => serialNumber);
  const lastPage = readPages(last).at(-1);
  return lastPage !== undefined && !begun.includes(lastPage.serialNumber);
}

function readPages(window: Uint8Array): { serialNumber: number; isFirst: boolean }[] {
  const view = Buffer.from(window.buffer, window.byteOffset, window.byteLength);
  const found: { serialNumber: number; isFirst: boolean }[] = [];
  for (
    let at = view.indexOf('OggS');
    at !== -1 && at + 18 <= view.length;
    at = view.indexOf('OggS', at + 4)
  ) {
    found.push({
      serialNumber: view.readUInt32LE(at + 14),
      isFirst: (view.readUInt8(at + 5) & 2) !== 0,
    });
  }
  return found;
}
