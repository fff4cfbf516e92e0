import { generatedFile } from './generated-file.ts';

export const greenSource = ['-f', 'lavfi', '-i', 'color=0x00be00:size=640x480:rate=5:duration=0.6'];
export const asBt601 = 'scale=out_color_matrix=bt601:out_range=tv,format=yuv420p';
export const fastH264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-crf', '4'];

/** Green of standard definition in BT.601. */
export function greenClip({
  name = 'sd-green.mp4',
  encoder = fastH264,
}: {
  name?: string;
  encoder?: readonly string[];
} = {}): Promise<string> {
  return generatedFile(name, [...greenSource, '-vf', asBt601, ...encoder]);
}
