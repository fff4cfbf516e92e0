import { bareFfmpeg } from '../media/bare-ffmpeg.ts';

/** The tone, of these in Hz, that is loudest in each channel of an audio track. */
export async function loudestTones(
  path: string,
  hertz: readonly number[],
  { channels, track = 0 }: { channels: number; track?: number },
): Promise<number[]> {
  const level = async (channel: number, tone: number) => {
    const filters = `pan=mono|c0=c${channel},bandpass=frequency=${tone}:width_type=h:width=60,volumedetect`;
    const log = await bareFfmpeg(['-i', path, '-map', `0:a:${track}`, '-af', filters, '-f', 'null', '-']);
    return Number(/mean_volume: (-?[\d.]+) dB/.exec(log)?.[1]);
  };
  return Promise.all(
    Array.from({ length: channels }, async (_, channel) => {
      const levels = await Promise.all(hertz.map((tone) => level(channel, tone)));
      return hertz[levels.indexOf(Math.max(...levels))] ?? 0;
    }),
  );
}
