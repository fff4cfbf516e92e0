import { readFile, writeFile } from 'node:fs/promises';
import { cachedFile } from './cached-file.ts';
import { generatedFile } from './generated-file.ts';

/** Seconds of each part. */
const seconds = 3;

/**
 * A broadcast of parts one behind the other, with timestamps that go on.
 * @param parts options of ffmpeg's muxer for each
 */
export function broadcastParts(parts: readonly (readonly string[])[], extension = 'ts'): Promise<string> {
  return cachedFile({ name: `parts.${extension}`, recipe: parts.map((output) => output.join(' ')) }, async (path) => {
    const read = parts.map((output, index) => makePart(`${index}.${extension}`, output, seconds * index));
    await writeFile(path, Buffer.concat(await Promise.all(read)));
  });
}

/** Options of a part with these PIDs. */
export const pids = (video: number, audio: number) => ['-streamid', `0:${video}`, '-streamid', `1:${audio}`];

async function makePart(name: string, output: readonly string[], start: number): Promise<Buffer> {
  const inputs = [`testsrc2=size=160x90:rate=25:duration=${seconds}`, ...[440, 880].map(tone)];
  const codecs = ['-c:v', 'mpeg2video', '-b:v', '800k', '-c:a', 'mp2', '-muxrate', '2M'];
  const path = await generatedFile(`part-${name}`, [
    ...inputs.flatMap((input) => ['-f', 'lavfi', '-i', input]),
    ...['-map', '0', '-map', '1', ...codecs, ...output, '-output_ts_offset', String(start)],
  ]);
  return readFile(path);
}

function tone(hertz: number): string {
  return `sine=${hertz}:duration=${seconds}`;
}
