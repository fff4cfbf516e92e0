import { generatedFile } from './generated-file.ts';

/** The seconds of each stream. */
export type Lengths = { video: number; audio: number };

/** Output arguments of ffmpeg for H.264 and AAC. */
export const h264AndAac = ['-c:v', 'libx264', '-preset', 'ultrafast', '-c:a', 'aac'];

/** A small video of 25 frames per second with a tone, each of its own length. `output` are output arguments of ffmpeg. */
export function recording(name: string, { video, audio }: Lengths, output = h264AndAac): Promise<string> {
  return generatedFile(name, [
    ...['-f', 'lavfi', '-i', `testsrc2=size=64x36:rate=25:duration=${video}`],
    ...['-f', 'lavfi', '-i', `sine=duration=${audio}`],
    ...output,
  ]);
}
