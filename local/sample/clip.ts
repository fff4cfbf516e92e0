import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

export type ClipOptions = {
  /** The ffmpeg to make it with. */
  ffmpeg: string;
  /** Where the mp4 is written. */
  path: string;
  seconds: number;
};

/**
 * Makes a clip of moving picture with sound, 1280x720 at 25 frames a second, H.264 with AAC. Its quality is high, so
 * that compressing it shows.
 */
export async function makeClip({ ffmpeg, path, seconds }: ClipOptions): Promise<void> {
  const picture = ['-f', 'lavfi', '-i', `testsrc2=size=1280x720:rate=25:duration=${seconds}`];
  const sound = [
    '-f',
    'lavfi',
    '-i',
    `sine=frequency=440:beep_factor=4:sample_rate=48000:duration=${seconds}`,
  ];
  const video = ['-c:v', 'libx264', '-preset', 'ultrafast', '-crf', '14', '-pix_fmt', 'yuv420p'];
  const rest = ['-c:a', 'aac', '-b:a', '128k', '-movflags', '+faststart', '-y', path];
  await promisify(execFile)(ffmpeg, ['-v', 'error', '-nostdin', ...picture, ...sound, ...video, ...rest]);
}
