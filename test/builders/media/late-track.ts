import { generatedFile } from './generated-file.ts';

/** A video of two minutes whose audio track starts at 110 s and lasts 10 s. */
export function lateTrack(): Promise<string> {
  const video = ['-f', 'lavfi', '-i', 'color=gray:size=64x64:rate=5:duration=120'];
  const audio = ['-itsoffset', '110', '-f', 'lavfi', '-i', 'sine=440:sample_rate=48000:duration=10'];
  return generatedFile('late-track.mp4', [...video, ...audio, '-c:v', 'libx264', '-c:a', 'aac']);
}
