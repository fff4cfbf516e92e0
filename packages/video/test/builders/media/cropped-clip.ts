import { readFile, writeFile } from 'node:fs/promises';
import { box, bytesOf, integers, replaceContent, viewOf } from '../../../src/media/boxes.ts';
import { bareFfmpeg } from './bare-ffmpeg.ts';
import { cachedFile } from './cached-file.ts';

const sampleDescriptions = ['moov', 'trak', 'mdia', 'minf', 'stbl', 'stsd'];

/** Shows the middle 180 pixels of a width of 320 (ISO/IEC 14496-12, section 12.1.4). */
const cleanAperture = box('clap', integers(180, 1, 180, 1, 0, 1, 0, 1));

/**
 * A clip of a second, stored as 320x180, with a white square of 60 pixels in the middle. Its MP4 crops it to 180x180,
 * which ffmpeg does from 7.1 on.
 */
export function croppedClip(): Promise<string> {
  const source = 'color=black:size=320x180:rate=10:duration=1,drawbox=130:60:60:60:white:fill';
  const args = ['-f', 'lavfi', '-i', source, '-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-crf', '10'];
  return cachedFile({ name: 'cropped.mp4', recipe: [args, [...cleanAperture]] }, async (path) => {
    await bareFfmpeg(['-v', 'error', ...args, path]);
    // The samples are in front of the changed box, so their offsets stay.
    await writeFile(path, replaceContent(viewOf(await readFile(path)), sampleDescriptions, withCleanAperture));
  });
}

/** The sample descriptions, of which there is one: a version, flags and a count, and its box. */
function withCleanAperture(stsd: DataView): Uint8Array {
  const bytes = bytesOf(stsd);
  const [header, description] = [bytes.subarray(0, 8), bytes.subarray(16)];
  const type = Buffer.from(bytes.subarray(12, 16)).toString('latin1');
  return Buffer.concat([header, box(type, description, cleanAperture)]);
}
