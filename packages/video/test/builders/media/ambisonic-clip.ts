import { readFile, writeFile } from 'node:fs/promises';
import { bareFfmpeg } from './bare-ffmpeg.ts';
import { cachedFile } from './cached-file.ts';

/** The tones of the clip in Hz: from the left, from the right, and in front. */
export const ambisonicTones = { left: 400, right: 900, narrator: 1700 };

const sine = (hertz: number) => `0.2*sin(2*PI*${hertz}*t)`;
const left = sine(ambisonicTones.left);
const right = sine(ambisonicTones.right);
const narrator = sine(ambisonicTones.narrator);
/** The components of ambiX: omnidirectional, left minus right, up minus down, front minus back. */
const firstOrder = [`${left}+${right}`, `${left}-${right}`, '0', '0'];

/**
 * A clip with first-order ambisonics in Opus. `narrator` adds two channels that do not turn with the viewer's head.
 * ffmpeg writes no mapping family 2 or 3 (RFC 8486), so the family of discrete channels is overwritten.
 */
export function ambisonicClip({ family = 2, hasNarrator = false } = {}): Promise<string> {
  const channels = hasNarrator ? [...firstOrder, narrator, narrator] : firstOrder;
  const args = [
    ...['-f', 'lavfi', '-i', 'testsrc2=size=320x180:rate=25:duration=3'],
    ...['-f', 'lavfi', '-i', `aevalsrc=exprs='${channels.join('|')}':sample_rate=48000:duration=3`],
    ...['-c:v', 'libx264', '-preset', 'ultrafast', '-c:a', 'libopus', '-mapping_family', '255'],
    ...['-b:a', `${channels.length * 96}k`, '-write_crc32', '0'],
  ];
  const recipe = { args, family };
  return cachedFile({ name: `ambisonic-${family}.mkv`, recipe }, async (path) => {
    await bareFfmpeg(['-v', 'error', ...args, path]);
    const bytes = await readFile(path);
    bytes[bytes.indexOf('OpusHead') + 18] = family;
    await writeFile(path, bytes);
  });
}

/** The same in AAC in an MP4, with the box `SA3D` in its sample entry, as YouTube asks for. */
export function ambisonicMp4(): Promise<string> {
  const args = [
    ...['-f', 'lavfi', '-i', `aevalsrc=exprs='${firstOrder.join('|')}':channel_layout=4.0:duration=3`],
    ...['-c:a', 'aac', '-b:a', '384k'],
  ];
  return cachedFile({ name: 'ambisonic.mp4', recipe: args }, async (path) => {
    await bareFfmpeg(['-v', 'error', ...args, path]);
    await writeFile(path, withSpatialAudioBox(await readFile(path)));
  });
}

/** Puts the box at the end of the sample entry `mp4a`. The samples lie before, so their offsets stay. */
function withSpatialAudioBox(bytes: Buffer): Buffer {
  const box = Buffer.alloc(36);
  box.writeUInt32BE(box.length);
  box.write('SA3D', 4);
  box.writeUInt32BE(1, 10);
  box.writeUInt32BE(4, 16);
  for (const channel of [0, 1, 2, 3]) box.writeUInt32BE(channel, 20 + 4 * channel);
  const boxes = ['moov', 'trak', 'mdia', 'minf', 'stbl', 'stsd', 'mp4a'].map((type) => bytes.indexOf(type) - 4);
  const entry = boxes.at(-1) ?? 0;
  const end = entry + bytes.readUInt32BE(entry);
  for (const at of boxes) bytes.writeUInt32BE(bytes.readUInt32BE(at) + box.length, at);
  return Buffer.concat([bytes.subarray(0, end), box, bytes.subarray(end)]);
}
