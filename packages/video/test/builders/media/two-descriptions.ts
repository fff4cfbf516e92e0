import { readFile, writeFile } from 'node:fs/promises';
import { bytesOf, integers, viewOf } from '../../../src/media/boxes.ts';
import { joinVideo } from '../../../src/media/mp4/join-tracks.ts';
import { readMovie } from '../../../src/media/mp4/read-movie.ts';
import { movieHeader } from '../../../src/media/mp4/write-movie.ts';
import { cachedFile } from './cached-file.ts';
import { generatedFile } from './generated-file.ts';

const settings = {
  /** Two takes by different encoders. */
  different: ['-x264-params', 'ref=1:cabac=0'],
  same: [],
};

/**
 * A video of 3 s and one of 2 s in one track, each with its own sample description, as editors join files without encoding.
 */
export async function twoDescriptions(second: keyof typeof settings): Promise<string> {
  const take = (seconds: number, options: string[]) =>
    generatedFile('take.mp4', [
      ...['-f', 'lavfi', '-i', `testsrc2=size=320x180:rate=25:duration=${seconds}`],
      ...['-c:v', 'libx264', '-preset', 'fast', ...options],
    ]);
  const paths = [await take(3, []), await take(2, settings[second])];
  return cachedFile({ name: 'two-descriptions.mp4', recipe: paths }, async (path) => {
    const files = await Promise.all(paths.map((each) => readFile(each)));
    const movies = await Promise.all(
      files.map((file) => readMovie(async (at, length) => file.subarray(at, at + length), file.length)),
    );
    const data = files.map((file, index) => file.subarray(movies[index]?.data.start, movies[index]?.data.end));
    const [first, other] = movies.map((movie) => movie?.tracks[0]);
    const [movie] = movies;
    if (!movie || !first || !other) throw new Error('The takes have no index');
    const [start = 0, otherStart = 0] = movies.map((each) => each?.data.start);
    const track = joinVideo([
      { track: first, moveBytes: -start, startTicks: 0 },
      { track: other, moveBytes: (data[0]?.length ?? 0) - otherStart, startTicks: 3 * first.timescale },
    ]);
    const entries = [first, other].map(({ description }) => bytesOf(description).subarray(8));
    const description = viewOf(Buffer.concat([integers(0, 2), ...entries]));
    const dataBytes = data.reduce((sum, { length }) => sum + length, 0);
    const header = Buffer.from(movieHeader({ ...movie, tracks: [{ ...track, description }], dataBytes }));
    // The last run of chunks has the samples of the second take.
    const runs = header.indexOf('stsc') + 8;
    header.writeUInt32BE(2, runs + 4 + 12 * header.readUInt32BE(runs) - 4);
    await writeFile(path, Buffer.concat([header, ...data]));
  });
}
