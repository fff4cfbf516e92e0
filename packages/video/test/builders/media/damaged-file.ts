import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import { generatedFile } from './generated-file.ts';

const inputs = [
  ...['-f', 'lavfi', '-i', 'testsrc2=size=320x180:rate=25:duration=12'],
  ...['-f', 'lavfi', '-i', 'sine=frequency=440:sample_rate=48000:duration=12'],
];
const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '25', '-c:a', 'aac'];

export const wholeSources = {
  'h264.mp4': h264,
  'h264.mkv': h264,
  'h264.ts': h264,
  'fragments.mp4': [...h264, '-movflags', 'frag_keyframe+empty_moov+default_base_moof'],
  'hevc.mp4': [...['-c:v', 'libx265', '-x265-params', 'log-level=error'], ...['-preset', 'ultrafast', '-c:a', 'aac']],
  'mpeg2.ts': ['-c:v', 'mpeg2video', '-bf', '2', '-b:v', '2M', '-c:a', 'mp2'],
  'vp9.webm': ['-c:v', 'libvpx-vp9', '-deadline', 'realtime', '-cpu-used', '8', '-c:a', 'libopus'],
  'mpeg4.avi': ['-c:v', 'mpeg4', '-b:v', '1M', '-c:a', 'mp3'],
  'prores.mov': ['-c:v', 'prores', '-c:a', 'pcm_s16le'],
};

const tones = {
  'tone.flac': ['-vn', '-c:a', 'flac'],
  'tone.opus': ['-vn', '-c:a', 'libopus'],
  'tone.wav': ['-vn'],
};

const sources = { ...wholeSources, ...tones };

export type SourceName = keyof typeof sources;

/** A file that is whole. */
export function wholeFile(name: SourceName): Promise<string> {
  return generatedFile(name, [...inputs, ...sources[name]]);
}

/** The middle of a file, from the first to the second of these shares of its bytes, is replaced by what `change` makes of it. */
export async function damagedFile(
  name: SourceName,
  [from, to]: [number, number],
  change: (part: Buffer) => Uint8Array,
): Promise<string> {
  const file = await readFile(await wholeFile(name));
  const [start, end] = [Math.floor(from * file.length), Math.floor(to * file.length)];
  const path = join(await aTemporaryFolder(), name);
  const changed = change(file.subarray(start, end));
  await writeFile(path, Buffer.concat([file.subarray(0, start), changed, file.subarray(end)]));
  return path;
}

export const zeros = ({ length }: Buffer) => Buffer.alloc(length);
export const nothing = () => Buffer.alloc(0);
/** The same bytes at each run. */
export const noise = ({ length }: Buffer) => {
  let state = 1;
  return Uint8Array.from({ length }, () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return state >>> 16;
  });
};

/** One bit in every 5,000 bytes is the other one. */
export const flippedBits = (part: Buffer) => Buffer.from(part.map((byte, at) => (at % 5000 === 0 ? byte ^ 16 : byte)));

/** One packet of MPEG-TS in forty is missing. */
export const lostPackets = (part: Buffer) => {
  const first = part.findIndex((byte, at) => byte === 0x47 && part[at + 188] === 0x47 && part[at + 376] === 0x47);
  const isKept = (at: number) => at < first || Math.floor((at - first) / 188) % 40 !== 39;
  return Uint8Array.from(part.filter((_, at) => isKept(at)));
};

/** A fragmented MP4 without the fragments for which `isMissing` holds, by their numbers from 0. */
export async function withoutFragments(isMissing: (number: number) => boolean): Promise<string> {
  const file = await readFile(await wholeFile('fragments.mp4'));
  const path = join(await aTemporaryFolder(), 'fragments.mp4');
  const kept: Buffer[] = [];
  let number = -1;
  for (let at = 0; at < file.length; at += file.readUInt32BE(at)) {
    const type = file.toString('latin1', at + 4, at + 8);
    if (type === 'moof') number += 1;
    if (number < 0 || !isMissing(number)) kept.push(file.subarray(at, at + file.readUInt32BE(at)));
  }
  await writeFile(path, Buffer.concat(kept));
  return path;
}
