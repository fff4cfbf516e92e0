import type { Size } from '../../../core/media/frame-size.ts';
import { bareFfmpeg } from '../media/bare-ffmpeg.ts';

/** The VMAF score of a video against its source, frame by frame, at their own size or at that of a display. */
export async function measureVmaf(path: string, source: string, display?: Size): Promise<number> {
  const scale = display ? `scale=${display.width}:${display.height}:flags=bicubic,` : '';
  const graph = `[0:v]${scale}settb=1/25,setpts=N[left];[1:v]${scale}settb=1/25,setpts=N[right];[left][right]libvmaf=n_threads=2`;
  const inputs = ['-i', path, '-i', source];
  const report = await bareFfmpeg([...inputs, '-filter_complex', graph, '-f', 'null', '-']);
  const score = /VMAF score: ([\d.]+)/.exec(report)?.[1];
  if (!score) throw new Error(`No VMAF in: ${report.slice(-500)}`);
  return Number(score);
}
