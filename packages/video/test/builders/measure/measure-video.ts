import { bareFfmpeg, bareFfprobe } from '../media/bare-ffmpeg.ts';

/** The SSIM of two videos or images: 1 is identical. Each passes through its own filters first. */
export async function ssim(
  left: { path: string; filters?: string },
  right: { path: string; filters?: string },
): Promise<number> {
  const chains = `[0:v]${left.filters ?? 'null'}[l];[1:v]${right.filters ?? 'null'}[r];[l][r]ssim`;
  const inputs = ['-i', left.path, '-i', right.path];
  const report = await bareFfmpeg([...inputs, '-filter_complex', chains, '-f', 'null', '-']);
  const all = /All:([\d.]+)/.exec(report)?.[1];
  if (!all) throw new Error(`No SSIM in: ${report.slice(-500)}`);
  return Number(all);
}

/** The presentation times of all frames, in seconds. */
export async function frameTimes(path: string): Promise<number[]> {
  const lines = await bareFfprobe([...'-select_streams v:0 -show_entries frame=pts_time -of csv=p=0'.split(' '), path]);
  return lines.map((line) => Number.parseFloat(line));
}

/** Indexes of the keyframes, in presentation order. */
export async function keyframeIndexes(path: string): Promise<number[]> {
  const entries = ['-select_streams', 'v:0', '-show_entries', 'packet=pts,flags', '-of', 'csv=p=0'];
  const packets = (await bareFfprobe([...entries, path])).map((line) => ({
    time: Number.parseInt(line, 10),
    isKeyframe: line.includes(',K'),
  }));
  const shown = packets.toSorted((a, b) => a.time - b.time);
  return shown.flatMap(({ isKeyframe }, frame) => (isKeyframe ? [frame] : []));
}

/** Duration of the first audio track, in seconds. */
export async function audioSeconds(path: string): Promise<number> {
  const entries = ['-select_streams', 'a:0', '-show_entries', 'packet=pts_time,duration_time', '-of', 'json'];
  const { packets } = JSON.parse((await bareFfprobe([...entries, path])).join(''));
  const starts: number[] = packets.map((packet: { pts_time: string }) => Number(packet.pts_time));
  const end = Number(packets.at(-1).pts_time) + Number(packets.at(-1).duration_time);
  // Packets before 0 are encoder priming, which players skip.
  return end - Math.max(0, Math.min(...starts));
}

/** Mean brightness of an image, from 0 to 255. */
export async function meanBrightness(path: string): Promise<number> {
  const report = await bareFfmpeg([
    '-i',
    path,
    ...'-vf format=gray,signalstats,metadata=print:key=lavfi.signalstats.YAVG -f null -'.split(' '),
  ]);
  return Number(/YAVG=([\d.]+)/.exec(report)?.[1]);
}

/** Loudness in dB of the audio around one frequency. */
export async function loudnessAt(path: string, hertz: number): Promise<number> {
  const filters = `bandpass=frequency=${hertz}:width_type=h:width=40,volumedetect`;
  const report = await bareFfmpeg(['-i', path, '-map', '0:a:0', '-af', filters, '-f', 'null', '-']);
  return Number(/mean_volume: (-?[\d.]+) dB/.exec(report)?.[1]);
}

/** The times of the keyframes in seconds, from the first. */
export async function keyframeTimes(path: string): Promise<number[]> {
  const entries = '-skip_frame nokey -select_streams v -show_entries frame=pts_time -of csv=p=0'.split(' ');
  const times = (await bareFfprobe([...entries, path])).map((line) => Number.parseFloat(line));
  return times.map((time) => time - (times[0] ?? 0));
}
