import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ffmpegPrograms } from '../media/bare-ffmpeg.ts';

/**
 * The program `vmaf` of `VMAF_PATH`, else a script with the same arguments that scores the two pipes by ffmpeg's filter.
 */
export async function vmafProgram(directory: string): Promise<string> {
  if (process.env.VMAF_PATH) return process.env.VMAF_PATH;
  const path = join(directory, 'vmaf');
  const graph =
    '[0:v][1:v]libvmaf=model=$6:n_threads=$8:n_subsample=${10}:log_fmt=json:shortest=1:repeatlast=0:log_path=${13}';
  const read = '-protocol_whitelist file -f yuv4mpegpipe -i';
  const script = `#!/bin/sh\nexec ${ffmpegPrograms.ffmpegPath} -v error -nostdin ${read} "$4" ${read} "$2" -lavfi "${graph}" -f null -\n`;
  await writeFile(path, script);
  await chmod(path, 0o755);
  return path;
}
