import { readFile, writeFile } from 'node:fs/promises';
import { cachedFile } from './cached-file.ts';
import { generatedFile } from './generated-file.ts';

const codecs = {
  h264: '-c:v libx264 -preset veryfast -bf 2 -crf 12 -g 24 -x264-params tff=1'.split(' '),
  mpeg2: ['-c:v', 'mpeg2video', '-q:v', '2'],
};

export type InterlacedClip = {
  codec?: keyof typeof codecs;
  /** Fields per second. */
  rate?: string;
  /** As mkvmerge writes it: DefaultDuration is that of a field. ffmpeg writes that of a frame. */
  statesFieldRate?: boolean;
  seconds?: number;
  timecode?: string;
};

/** Interlaced video in Matroska, by default of 2 s, with a tone. */
export async function interlacedMatroska({
  codec = 'h264',
  rate = '50',
  statesFieldRate = false,
  seconds = 2,
  timecode,
}: InterlacedClip = {}): Promise<string> {
  const recipe = [
    ...['-f', 'lavfi', '-i', `testsrc2=size=320x180:rate=${rate}:duration=${seconds}`],
    ...['-f', 'lavfi', '-i', `sine=440:sample_rate=48000:duration=${seconds}`],
    ...['-vf', 'tinterlace=interleave_top', '-flags', '+ilme+ildct', ...codecs[codec]],
    ...(timecode === undefined ? [] : ['-metadata:s:v', `timecode=${timecode}`]),
  ];
  const stated = await generatedFile('interlaced.mkv', recipe);
  if (!statesFieldRate) return stated;
  return cachedFile({ name: 'field-rate.mkv', recipe: [recipe, 'field rate'] }, async (path) => {
    const bytes = await readFile(stated);
    halveDefaultDuration(bytes);
    await writeFile(path, bytes);
  });
}

/** Halves the DefaultDuration of the first track that has one, in nanoseconds. */
function halveDefaultDuration(bytes: Buffer): void {
  const start = bytes.indexOf(Buffer.from('23e383', 'hex')) + 3;
  const size = bytes.readUInt8(start) - 0x80;
  const nanoseconds = bytes.readUIntBE(start + 1, size);
  bytes.writeUIntBE(Math.round(nanoseconds / 2), start + 1, size);
}
