import { readFile, writeFile } from 'node:fs/promises';
import { bareFfmpeg } from './bare-ffmpeg.ts';
import { cachedFile } from './cached-file.ts';
import { generatedFile } from './generated-file.ts';

const startCode = Buffer.from([0, 0, 0, 1]);

/** The identifier of ATSC A/53 part 4 captions in H.264. */
export const captionsIdentifier = 'GA94';

/** A command or two characters of CEA-608. */
type Pair = readonly [number, number];

/** The text that a captioned clip shows again and again. */
export const captionText = 'HELLO';

/** Two rows that roll up, then the text and a new row. Commands are sent twice (CEA-608, section 8.4). */
const spokenPairs: readonly Pair[] = [
  ...[[0x14, 0x25] as const, [0x14, 0x25] as const],
  ...[...captionText.matchAll(/..?/g)].map(([two]): Pair => [two.charCodeAt(0), two.charCodeAt(1) || 0]),
  ...[[0x14, 0x2d] as const, [0x14, 0x2d] as const],
];

/** What broadcasts without captions send in their place. */
export const emptyPairs: readonly Pair[] = [[0, 0]];

/** A supplemental message of H.264 (type 4, registered by ITU-T T.35) with one pair. */
function captionsMessage([first, second]: Pair): Buffer {
  return Buffer.concat([
    ...[startCode, Buffer.from([0x06, 0x04, 14, 0xb5, 0x00, 0x31]), Buffer.from(captionsIdentifier)],
    Buffer.from([0x03, 0x41, 0xff, 0xfc, withParity(first), withParity(second), 0xff, 0x80]),
  ]);
}

function withParity(character: number): number {
  const ones = character.toString(2).replaceAll('0', '').length;
  return ones % 2 === 0 ? character | 0x80 : character;
}

/** An H.264 clip of some seconds that has closed captions in each frame, as broadcasts have. */
export async function captionedClip(seconds: number, pairs: readonly Pair[] = spokenPairs): Promise<string> {
  const source = `testsrc2=size=320x180:rate=25:duration=${seconds}`;
  const x264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-x264-params', 'slices=1', '-pix_fmt', 'yuv420p'];
  const stream = await generatedFile('plain.h264', ['-f', 'lavfi', '-i', source, ...x264]);
  const messages = pairs.map(captionsMessage);
  const name = `captioned-${seconds}.mp4`;
  return cachedFile({ name, recipe: [stream, Buffer.concat(messages).toString('hex')] }, async (path) => {
    await writeFile(`${path}.h264`, withCaptions(await readFile(stream), messages));
    await bareFfmpeg(['-r', '25', '-i', `${path}.h264`, '-c', 'copy', path]);
  });
}

/** Inserts a message before each slice of an Annex B stream whose frames have one slice, in turns. */
function withCaptions(stream: Buffer, messages: readonly Buffer[]): Buffer {
  const parts: Buffer[] = [];
  let [from, frame] = [0, 0];
  for (let at = stream.indexOf('000001', 0, 'hex'); at !== -1; at = stream.indexOf('000001', at + 3, 'hex')) {
    const type = (stream[at + 3] ?? 0) & 0x1f;
    if (type !== 1 && type !== 5) continue;
    const start = stream[at - 1] === 0 ? at - 1 : at;
    parts.push(stream.subarray(from, start), messages[frame % messages.length] ?? startCode);
    from = start;
    frame += 1;
  }
  return Buffer.concat([...parts, stream.subarray(from)]);
}
