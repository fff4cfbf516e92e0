import { bytesOf, type ReadAt, readBoxes, readBytes, requireBox, viewOf } from '../boxes.ts';
import { configurationOf, type Fragment, sampleEntryOf } from '../fragments/fragmented-file.ts';
import type { Sample } from '../fragments/write-fragment.ts';

type NalFormat = {
  /** Of the length ahead of each unit. */
  lengthBytes: number;
  /** Of the header of each unit. */
  headerBytes: number;
  /** Whether a unit holds supplemental enhancement information ahead of its frame. */
  isSei(unit: Uint8Array): boolean;
};

/**
 * By the type of a sample entry: the box of its decoder configuration, and the byte of it whose last two bits state how long
 * the lengths are (ISO/IEC 14496-15, sections 5.3.3.1.2 and 8.3.3.1.2).
 */
const nalFormats = {
  avc1: { name: 'avcC', at: 4, headerBytes: 1, isSei: ([header = 0]: Uint8Array) => (header & 0x1f) === 6 },
  hvc1: { name: 'hvcC', at: 21, headerBytes: 2, isSei: ([header = 0]: Uint8Array) => ((header >> 1) & 0x3f) === 39 },
} as const;

/**
 * How the samples of a track are made of NAL units, by its initialization section. Undefined for audio.
 * @throws RangeError for a codec without NAL units
 */
function nalFormatOf(init: DataView): NalFormat | undefined {
  const entry = sampleEntryOf(requireBox(readBoxes(init), 'moov'));
  const { type } = entry;
  if (type === 'mp4a') return undefined;
  if (type !== 'avc1' && type !== 'hvc1') throw new RangeError(`The samples of ${type} have no NAL units`);
  const { name, at, ...format } = nalFormats[type];
  const configuration = bytesOf(configurationOf(entry, name, 'video'));
  return { ...format, lengthBytes: ((configuration[at] ?? 0) & 0x3) + 1 };
}

/** Whether a frame of a file of H.264 or H.265 has captions. Reads up to the first one. */
export async function carriesCaptions(
  readAt: ReadAt,
  { initBytes, fragments }: { initBytes: number; fragments: readonly (Fragment & { samples: Sample[] })[] },
): Promise<boolean> {
  const format = nalFormatOf(viewOf(await readBytes(readAt, { offset: 0, sizeBytes: initBytes })));
  if (format === undefined) return false;
  for (const fragment of fragments) {
    const bytes = await readBytes(readAt, fragment);
    const hasSome = fragment.samples.some(({ offset, sizeBytes }) =>
      hasCaptionPairs(bytes.subarray(offset, offset + sizeBytes), format),
    );
    if (hasSome) return true;
  }
  return false;
}

const registeredMessage = 4;

/** Country and provider of ATSC, its identifier `GA94`, and the type of captions (ATSC A/53 part 4, section 6.2.3). */
const captionsHeader = [0xb5, 0x00, 0x31, 0x47, 0x41, 0x39, 0x34, 0x03];

/**
 * Whether a frame has characters or commands of CEA-608 in its first field, where CC1 is. Broadcasts without captions often
 * carry empty pairs.
 */
export function hasCaptionPairs(sample: Uint8Array, format: NalFormat): boolean {
  return [...nalUnits(sample, format.lengthBytes)]
    .filter((unit) => format.isSei(unit))
    .some((unit) => messagesOf(unit, format).some(isCaptions));
}

/** The messages of a unit that are registered by ITU-T T.35 (ISO/IEC 14496-10 and 23008-2, section 7.3.5 of 23008-2). */
function messagesOf(unit: Uint8Array, { headerBytes }: NalFormat): number[][] {
  const payload = nalPayload(unit, headerBytes);
  const messages: number[][] = [];
  let offset = 0;
  const next = () => {
    const byte = payload[offset++];
    if (byte === undefined) throw new RangeError('A NAL unit ends within a message');
    return byte;
  };
  // The last byte is the stop bit.
  while (offset < payload.length - 1) {
    const type = readExtended(next);
    const bytes = Array.from({ length: readExtended(next) }, next);
    if (type === registeredMessage) messages.push(bytes);
  }
  return messages;
}

/** A number as a run of 255 and a rest. */
function readExtended(next: () => number): number {
  let sum = 0;
  for (let byte = next(); ; byte = next()) {
    sum += byte;
    if (byte !== 255) return sum;
  }
}

function isCaptions(message: readonly number[]): boolean {
  if (!captionsHeader.every((byte, at) => message[at] === byte)) return false;
  const count = (message[captionsHeader.length] ?? 0) & 0x1f;
  const from = captionsHeader.length + 2;
  return Array.from({ length: count }, (_, pair) => message.slice(from + 3 * pair)).some(
    ([marker = 0, first = 0, second = 0]) => {
      const isFirstField = (marker & 0x7) === 0x4;
      // The first bit of each is its parity.
      return isFirstField && ((first | second) & 0x7f) !== 0;
    },
  );
}

function* nalUnits(sample: Uint8Array, lengthBytes: number): Generator<Uint8Array> {
  for (let offset = 0; offset < sample.length; ) {
    const start = offset + lengthBytes;
    const end = start + sample.subarray(offset, start).reduce((length, byte) => length * 256 + byte, 0);
    if (start > sample.length || end > sample.length) throw new RangeError('A sample ends within a NAL unit');
    yield sample.subarray(start, end);
    offset = end;
  }
}

/**
 * The bytes of a unit after its header, without emulation prevention bytes: the 3 in 0, 0, 3 (ISO/IEC 14496-10 and 23008-2,
 * section 7.3.1.1).
 */
function nalPayload(unit: Uint8Array, headerBytes: number): Uint8Array {
  return unit
    .subarray(headerBytes)
    .filter((byte, at, payload) => byte !== 3 || payload[at - 1] !== 0 || payload[at - 2] !== 0);
}
