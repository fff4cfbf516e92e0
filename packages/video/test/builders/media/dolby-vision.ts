import { readFile, writeFile } from 'node:fs/promises';
import { box } from '../../../src/media/boxes.ts';
import { bareFfmpeg } from './bare-ffmpeg.ts';
import { cachedFile } from './cached-file.ts';

const videoInput = ['-f', 'lavfi', '-i', 'testsrc2=size=160x90:rate=5:duration=2', '-pix_fmt', 'yuv420p10le'];
const audioInput = ['-f', 'lavfi', '-i', 'sine=duration=2'];
const tags = 'colorprim=bt2020:transfer=arib-std-b67:colormatrix=bt2020nc:log-level=error';
const encoders = ['-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', tags, '-tag:v', 'hvc1'];

/** An HLG clip of 2 s tagged as Dolby Vision: 8.4 as phones record it, 5.0 as services stream it. */
export function aDolbyVisionClip(profile: '8.4' | '5.0'): Promise<string> {
  const recipe = [...audioInput, ...videoInput, '-map', '1', '-map', '0', ...encoders, '-c:a', 'aac'];
  return cachedFile({ name: 'dolby-vision.mp4', recipe: [recipe, profile] }, async (path) => {
    await bareFfmpeg(['-v', 'error', ...recipe, path]);
    const [number, compatibleWith] = profile.split('.').map(Number);
    const boxes = [configuration(number ?? 0, compatibleWith ?? 0), mastering, lightLevel];
    await writeFile(path, withinEntry(await readFile(path), Buffer.concat(boxes)));
  });
}

/** Dolby's configuration record: level 6, base layer and RPU present. */
function configuration(profile: number, compatibleWith: number): Uint8Array {
  const record = Buffer.alloc(24);
  record[0] = 1;
  record.writeUInt16BE((profile << 9) | (6 << 3) | 0b101, 2);
  record[4] = compatibleWith << 4;
  return box(profile < 8 ? 'dvcC' : 'dvvC', record);
}

const mastering = box('mdcv', Buffer.alloc(24, 1));
const lightLevel = box('clli', Buffer.from([3, 232, 1, 144]));

/** Appends boxes to the sample entry of the video. The moov box comes last, so no chunk offset changes. */
function withinEntry(file: Buffer, more: Buffer): Buffer {
  const sizeAt = (name: string, before: number) => file.lastIndexOf(name, before, 'latin1') - 4;
  const entry = sizeAt('hvc1', file.length);
  const end = entry + file.readUInt32BE(entry);
  for (const name of ['hvc1', 'stsd', 'stbl', 'minf', 'mdia', 'trak', 'moov']) {
    const at = sizeAt(name, entry + 4);
    file.writeUInt32BE(file.readUInt32BE(at) + more.length, at);
  }
  return Buffer.concat([file.subarray(0, end), more, file.subarray(end)]);
}
