import { readFile, writeFile } from 'node:fs/promises';
import { generatedFile } from './generated-file.ts';

/** Writes a Matroska video of five minutes to `path`. Its header and its tags declare that it lasts one second. */
export async function writeFalseDuration(path: string): Promise<void> {
  const source = ['-f', 'lavfi', '-i', 'color=gray:size=64x64:rate=5:duration=300'];
  const bytes = await readFile(await generatedFile('minutes.mkv', [...source, '-c:v', 'libx264']));
  // The element Duration: a double of eight bytes, in milliseconds.
  bytes.writeDoubleBE(1000, bytes.indexOf(Buffer.from('448988', 'hex')) + 3);
  const tag = bytes.indexOf('00:05:00.000000000');
  bytes.write('00:00:01.000000000', tag);
  await writeFile(path, bytes);
}
