import { generatedFile } from './generated-file.ts';

const codecs = {
  mp4: ['-c:v', 'libx264', '-c:a', 'aac'],
  mkv: ['-c:v', 'libx264', '-c:a', 'aac'],
  ts: ['-c:v', 'libx264', '-c:a', 'aac'],
  webm: ['-c:v', 'libvpx', '-c:a', 'libopus'],
};

/** A video of two minutes whose audio track starts at 110 s and lasts 10 s, like one of a call. */
export function lateTrack(container: keyof typeof codecs = 'mp4'): Promise<string> {
  const video = ['-f', 'lavfi', '-i', 'color=gray:size=64x64:rate=5:duration=120'];
  const audio = ['-itsoffset', '110', '-f', 'lavfi', '-i', 'sine=440:sample_rate=48000:duration=10'];
  return generatedFile(`late-track.${container}`, [...video, ...audio, ...codecs[container]]);
}
