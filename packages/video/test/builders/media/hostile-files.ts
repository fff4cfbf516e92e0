import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import { box, bytesOf, fullBox, integers, replaceContent, viewOf } from '../../../src/media/boxes.ts';
import { clipWith } from './clips.ts';
import { generatedFile } from './generated-file.ts';

/** An HLS playlist of one segment. */
export const playlistOf = (url: string): string =>
  `#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\n${url}\n#EXT-X-ENDLIST\n`;

/** A script that makes ffmpeg play another file. */
export const concatScriptOf = (path: string): string => `ffconcat version 1.0\nfile '${path}'\n`;

/** A drawing that embeds another file. */
export const svgOf = (url: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64"><image href="${url}" width="64" height="64"/></svg>`;

/** A DASH manifest of one segment. */
export const manifestOf = (url: string): string =>
  `<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" mediaPresentationDuration="PT2S"><Period><AdaptationSet mimeType="video/mp4"><Representation id="1" bandwidth="1"><BaseURL>${url}</BaseURL></Representation></AdaptationSet></Period></MPD>`;

/** Writes a file of that name and content into a directory and returns its path. */
export async function writeTestFile(directory: string, name: string, content: string | Buffer): Promise<string> {
  const path = join(directory, name);
  await writeFile(path, content);
  return path;
}

/** A PNG of 16,000 x 16,000 pixels in some 30 KB. */
export function hugePng(): Buffer {
  const side = 16_000;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header[8] = 1;
  const rows = deflateSync(Buffer.alloc(side * (1 + side / 8)));
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    pngChunk('IHDR', header),
    pngChunk('IDAT', rows),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

/** A BMP of 16,000 x 16,000 pixels that is cut off after the first of them. */
export function hugeBmp(): Buffer {
  const header = Buffer.alloc(54);
  header.write('BM', 0, 'latin1');
  header.writeUInt32LE(54 + 3 * 16_000 ** 2, 2);
  header.writeUInt32LE(54, 10);
  header.writeUInt32LE(40, 14);
  header.writeInt32LE(16_000, 18);
  header.writeInt32LE(16_000, 22);
  header.writeUInt16LE(1, 26);
  header.writeUInt16LE(24, 28);
  return Buffer.concat([header, Buffer.alloc(4096)]);
}

/** A clip whose cover is a drawing, or has 16,000 x 16,000 pixels. */
export async function clipWithCover(content: Buffer): Promise<Buffer> {
  const clip = await readFile(await clipWith());
  const cover = box('covr', box('data', integers(14, 0), content));
  const handler = fullBox('hdlr', integers(0), Buffer.from('mdirappl'), Buffer.alloc(9));
  const tags = box('udta', fullBox('meta', handler, box('ilst', cover)));
  return Buffer.from(replaceContent(viewOf(clip), ['moov'], (movie) => Buffer.concat([bytesOf(movie), tags])));
}

/** 1,000 audio tracks in one file. */
export function fileWithThousandStreams(): Promise<string> {
  const maps = Array.from({ length: 1000 }, () => ['-map', '0:a']).flat();
  const tone = ['-f', 'lavfi', '-i', 'sine=sample_rate=8000:duration=0.02'];
  return generatedFile('thousand-streams.mov', [...tone, ...maps, '-c:a', 'pcm_u8']);
}

/** Ten hours of black at a frame every 100 s, in less than 50 KB. */
export function tenHoursOfBlack(): Promise<string> {
  const black = ['-f', 'lavfi', '-i', 'color=black:size=64x64:rate=1/100:duration=36000'];
  return generatedFile('ten-hours.mp4', [...black, ...'-c:v libx264 -preset ultrafast -pix_fmt yuv420p'.split(' ')]);
}

/** An MP4 with its index in front, cut off after a share of its bytes. */
export async function truncatedClip(share: number): Promise<Buffer> {
  const source = await clipWith();
  const whole = await generatedFile('faststart.mp4', ['-i', source, '-c', 'copy', '-movflags', '+faststart']);
  const bytes = await readFile(whole);
  return bytes.subarray(0, Math.floor(bytes.length * share));
}

/** A clip that is also a ZIP archive: ZIP readers start at the end of a file, players at its start. */
export async function zipPolyglot(): Promise<Buffer> {
  return Buffer.concat([await readFile(await clipWith()), emptyZip]);
}

/** A clip whose tags hold terminal escapes, line breaks and right-to-left overrides. */
export function clipWithControlCharacters(): Promise<string> {
  return clipWithTitle('control-characters.mkv', '\u001b[2J\u001b]0;owned\u0007\r\nSet-Cookie: a=b\u202egnp.exe');
}

/** A clip whose tags say what ffmpeg says about a full disk and a missing filter. */
export function clipTitledAsError(): Promise<string> {
  return clipWithTitle('titled-as-error.mkv', 'No such filter\n[error] No space left on device');
}

function clipWithTitle(name: string, title: string): Promise<string> {
  const source = ['-f', 'lavfi', '-i', 'testsrc2=size=64x64:rate=25:duration=1'];
  const tags = ['-metadata', `title=${title}`, '-metadata', `comment=${title}`];
  return generatedFile(name, [...source, ...tags, '-c:v', 'libx264', '-preset', 'ultrafast']);
}

const emptyZip = Buffer.concat([Buffer.from('PK\u0005\u0006', 'latin1'), Buffer.alloc(18)]);

function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const chunk = Buffer.alloc(body.length + 8);
  chunk.writeUInt32BE(data.length, 0);
  body.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(body), body.length + 4);
  return chunk;
}
