import { readFile, writeFile } from 'node:fs/promises';
import { box, bytesOf, replaceContent, viewOf } from '../../../src/media/boxes.ts';
import { bareFfmpeg } from './bare-ffmpeg.ts';
import { cachedFile } from './cached-file.ts';

/** Spherical Video V1 of Google: the id of the box, and its text. */
const boxId = Buffer.from('ffcc8263f8554a938814587a02521fdd', 'hex');
const [rdf, schema] = ['http://www.w3.org/1999/02/22-rdf-syntax-ns#', 'http://ns.google.com/videos/1.0/spherical/'];
const properties = { Spherical: true, Stitched: true, StitchingSoftware: 'x', ProjectionType: 'equirectangular' };
const text = [
  `<?xml version="1.0"?><rdf:SphericalVideo xmlns:rdf="${rdf}" xmlns:GSpherical="${schema}">`,
  ...Object.entries(properties).map(([name, value]) => `<GSpherical:${name}>${value}</GSpherical:${name}>`),
  '</rdf:SphericalVideo>',
].join('');

/** An MP4 of 6 s with a 360-degree video of 320x160, as cameras write it. */
export function sphericalClip(): Promise<string> {
  const video = ['-f', 'lavfi', '-i', 'testsrc2=size=320x160:rate=25:duration=6', '-g', '25'];
  const args = [...video, '-c:v', 'libx264', '-preset', 'ultrafast'];
  return cachedFile({ name: 'spherical.mp4', recipe: [args, text] }, async (path) => {
    await bareFfmpeg(['-v', 'error', ...args, path]);
    const spherical = box('uuid', boxId, Buffer.from(text));
    // The samples are in front of the changed box, so their offsets stay.
    const add = (track: DataView) => Buffer.concat([bytesOf(track), spherical]);
    await writeFile(path, replaceContent(viewOf(await readFile(path)), ['moov', 'trak'], add));
  });
}
