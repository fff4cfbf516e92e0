import { bareFfmpeg } from '../media/bare-ffmpeg.ts';

/** The VMAF score of a video against its source, frame by frame. */
export async function measureVmaf(path: string, source: string): Promise<number> {
  const graph = '[0:v]setpts=N/25/TB[left];[1:v]setpts=N/25/TB[right];[left][right]libvmaf';
  const inputs = ['-i', path, '-i', source];
  const report = await bareFfmpeg([...inputs, '-filter_complex', graph, '-f', 'null', '-']);
  const score = /VMAF score: ([\d.]+)/.exec(report)?.[1];
  if (!score) throw new Error(`No VMAF in: ${report.slice(-500)}`);
  return Number(score);
}
