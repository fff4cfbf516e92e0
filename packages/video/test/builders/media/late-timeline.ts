import { readFile, writeFile } from 'node:fs/promises';
import { cachedFile } from './cached-file.ts';
import { generatedFile } from './generated-file.ts';

/** A clip of 12 s whose timestamps count from 5000 s, as a recording of a live stream. */
export async function lateTimeline(
  container: 'mp4' | 'mkv' | 'webm' | 'asf' | 'flv',
  startSeconds = 5000,
): Promise<string> {
  const codecs = container === 'webm' ? ['-c:v', 'libvpx', '-c:a', 'libopus'] : ['-c:v', 'libx264', '-c:a', 'aac'];
  const clip = [
    ...['-f', 'lavfi', '-i', 'testsrc2=size=160x90:rate=25:duration=12'],
    ...[...'-f lavfi -i sine=440:sample_rate=48000:duration=12 -preset ultrafast -g 25'.split(' '), ...codecs],
  ];
  if (container !== 'mp4') {
    return await generatedFile(`late-timeline.${container}`, [...clip, '-output_ts_offset', String(startSeconds)]);
  }
  const flags = 'frag_keyframe+empty_moov+default_base_moof+skip_trailer';
  const fragmented = await generatedFile('fragmented.mp4', [...clip, '-movflags', flags]);
  return await cachedFile({ name: 'late-timeline.mp4', recipe: { fragmented, startSeconds } }, async (path) => {
    const bytes = await readFile(fragmented);
    moveFragments(bytes, startSeconds);
    await writeFile(path, bytes);
  });
}

/** Adds seconds to the decode times (`tfdt`, of 64 bits) of all fragments of an MP4. */
function moveFragments(bytes: Buffer, seconds: number): void {
  const timescales = offsetsOf(bytes, 'mdhd').map((at) => bytes.readUInt32BE(at + 16));
  for (const header of offsetsOf(bytes, 'tfhd')) {
    const track = bytes.readUInt32BE(header + 8);
    const at = bytes.indexOf('tfdt', header) + 8;
    const ticks = BigInt(Math.round(seconds * (timescales[track - 1] ?? 0)));
    bytes.writeBigUInt64BE(bytes.readBigUInt64BE(at) + ticks, at);
  }
}

function offsetsOf(bytes: Buffer, type: string): number[] {
  const offsets: number[] = [];
  for (let at = bytes.indexOf(type); at !== -1; at = bytes.indexOf(type, at + 1)) offsets.push(at);
  return offsets;
}
