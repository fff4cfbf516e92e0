import { readFile, writeFile } from 'node:fs/promises';
import { bareFfmpeg } from './bare-ffmpeg.ts';
import { cachedFile } from './cached-file.ts';
import { generatedFile } from './generated-file.ts';

const startCode = Buffer.from([0, 0, 0, 1]);

/** The identifier of ATSC A/53 part 4 captions in H.264. */
export const captionsIdentifier = 'GA94';

/** A supplemental message of H.264 (type 4, registered by ITU-T T.35) with one pair of CEA-608 characters. */
const captionsMessage = Buffer.concat([
  ...[startCode, Buffer.from([0x06, 0x04, 14, 0xb5, 0x00, 0x31]), Buffer.from(captionsIdentifier)],
  Buffer.from([0x03, 0x41, 0xff, 0xfc, 0xc8, 0x45, 0xff, 0x80]),
]);

/** An H.264 clip of some seconds that has closed captions in each frame, as broadcasts have. */
export async function captionedClip(seconds: number): Promise<string> {
  const source = `testsrc2=size=320x180:rate=25:duration=${seconds}`;
  const x264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-x264-params', 'slices=1', '-pix_fmt', 'yuv420p'];
  const stream = await generatedFile('plain.h264', ['-f', 'lavfi', '-i', source, ...x264]);
  const name = `captioned-${seconds}.mp4`;
  return cachedFile({ name, recipe: [stream, captionsMessage.toString('hex')] }, async (path) => {
    await writeFile(`${path}.h264`, withCaptions(await readFile(stream)));
    await bareFfmpeg(['-r', '25', '-i', `${path}.h264`, '-c', 'copy', path]);
  });
}

/** Inserts the message before each slice of an Annex B stream whose frames have one slice. */
function withCaptions(stream: Buffer): Buffer {
  const parts: Buffer[] = [];
  let from = 0;
  for (let at = stream.indexOf('000001', 0, 'hex'); at !== -1; at = stream.indexOf('000001', at + 3, 'hex')) {
    const type = (stream[at + 3] ?? 0) & 0x1f;
    if (type !== 1 && type !== 5) continue;
    const start = stream[at - 1] === 0 ? at - 1 : at;
    parts.push(stream.subarray(from, start), captionsMessage);
    from = start;
  }
  return Buffer.concat([...parts, stream.subarray(from)]);
}
