import { readFile } from 'node:fs/promises';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import { bareFfmpeg } from './bare-ffmpeg.ts';
import { cachedFile } from './cached-file.ts';
import { generatedFile } from './generated-file.ts';
import { writeTestFile } from './hostile-files.ts';

/** A moving scene of 2 s in MPEG-2, in frames of one moment each. */
export function mpeg2Scene(framesPerSecond: number, options: readonly string[] = []): Promise<string> {
  return generatedFile('scene.m2v', [
    ...['-f', 'lavfi'],
    ...['-i', `testsrc2=size=320x192:rate=${framesPerSecond}:duration=2,scroll=horizontal=0.02`],
    ...['-c:v', 'mpeg2video', '-q:v', '2', ...options],
  ]);
}

/** MPEG-TS with the scene twice, 100 frames at 25 per second: 50 progressive frames, then 50 of two fields. */
export function clipWithLateFields(): Promise<string> {
  return cachedFile({ name: 'late-fields.ts', recipe: 1 }, async (path) => {
    const progressive = await readFile(await mpeg2Scene(25));
    const interleave = ['-vf', 'tinterlace=interleave_top', '-flags', '+ildct+ilme'];
    const fields = await readFile(await mpeg2Scene(50, interleave));
    allowFields(progressive);
    const stream = await writeTestFile(await aTemporaryFolder(), 'stream.m2v', Buffer.concat([progressive, fields]));
    const times = ['-bsf:v', 'setts=ts=N*3600:duration=3600:time_base=1/90000'];
    await bareFfmpeg(['-v', 'error', '-i', stream, '-c', 'copy', ...times, '-f', 'mpegts', path]);
  });
}

/** Clears `progressive_sequence` in each sequence extension. The encoder sets it where no frame has fields. */
function allowFields(stream: Buffer): void {
  const extension = Buffer.from('000001b514', 'hex');
  for (let at = stream.indexOf(extension); at !== -1; at = stream.indexOf(extension, at + 1)) {
    const flags = at + extension.length;
    stream.writeUInt8(stream.readUInt8(flags) & ~0b1000, flags);
  }
}
