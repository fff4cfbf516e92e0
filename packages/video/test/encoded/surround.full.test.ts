// @module-tag audio
import { describe, expect, it } from 'vitest';
import type { Format } from '../../src/media/formats.ts';
import { bareFfmpeg, bareFfprobe } from '../builders/media/bare-ffmpeg.ts';
import { editedClip } from '../builders/media/edited-clip.ts';
import { generatedFile } from '../builders/media/generated-file.ts';
import { encodeOne } from '../builders/recipes/encode.ts';

/** One tone for each channel of 5.1, in the order of ffmpeg: left, right, center, low frequencies, the two behind. */
const hertz = [300, 500, 800, 60, 1200, 1900];

/** A clip of 2 s with 5.1 channels; `side` has the rear channels of cinemas and DVDs. */
function surroundClip(layout: '5.1' | '5.1(side)'): Promise<string> {
  const tones = hertz.map((frequency) => `0.3*sin(2*PI*${frequency}*t)`).join('|');
  return generatedFile('surround.mkv', [
    ...['-f', 'lavfi', '-i', 'testsrc2=size=320x180:rate=25:duration=2'],
    ...['-f', 'lavfi', '-i', `aevalsrc=exprs='${tones}':channel_layout=${layout}:sample_rate=48000:duration=2`],
    ...['-c:v', 'libx264', '-preset', 'ultrafast', '-c:a', 'flac', '-metadata:s:a:0', 'language=fra'],
  ]);
}

/** The level of each channel's own tone in that channel, in dB, and the layout. */
async function channelsOf(path: string): Promise<{ layout: string | undefined; levels: number[] }> {
  const [layout] = await bareFfprobe([
    ...['-select_streams', 'a:0', '-show_entries', 'stream=channel_layout', '-of', 'csv=p=0', path],
  ]);
  const levels = await Promise.all(
    hertz.map(async (frequency, channel) => {
      const width = frequency < 100 ? 20 : 60;
      const filters = `pan=mono|c0=c${channel},bandpass=frequency=${frequency}:width_type=h:width=${width},volumedetect`;
      const log = await bareFfmpeg(['-i', path, '-map', '0:a:0', '-af', filters, '-f', 'null', '-']);
      return Number(/mean_volume: (-?[\d.]+) dB/.exec(log)?.[1]);
    }),
  );
  return { layout, levels };
}

describe('surround', () => {
  it.each<[string, Format, 'aac' | 'eac3' | 'opus' | undefined, '5.1' | '5.1(side)']>([
    ['AAC in MP4', 'mp4', undefined, '5.1'],
    ['AAC in MKV, from channels at the sides', 'mkv', 'aac', '5.1(side)'],
    ['E-AC-3 in MP4', 'mp4', 'eac3', '5.1'],
    ['Opus in WebM, from channels at the sides', 'webm', undefined, '5.1(side)'],
  ])('keeps every channel in its place, with its language: %s', async (_, format, audioCodec, layout) => {
    const recipe = { name: 'transcode', channels: 'source', audioCodec } as const;
    const { path, probe } = await encodeOne(await surroundClip(layout), format, recipe);
    const found = await channelsOf(path);
    expect(found.layout).toMatch(/^5\.1/);
    // A sine of amplitude 0.3 has -13.5 dB.
    for (const level of found.levels) expect(Math.abs(level + 13.5)).toBeLessThan(2);
    expect(probe.streams[1]).toMatchObject({ channels: 6, language: 'fra' });
  });

  it('is mixed down to stereo by default', async () => {
    const { probe } = await encodeOne(await surroundClip('5.1'), 'mp4', { name: 'transcode' });
    expect(probe.streams[1]).toMatchObject({ channels: 2 });
  });

  it('stays surround in an audio file', async () => {
    const recipe = { name: 'extract-audio', channels: 'source' } as const;
    const { path } = await encodeOne(await surroundClip('5.1'), 'opus', recipe);
    for (const level of (await channelsOf(path)).levels) expect(Math.abs(level + 13.5)).toBeLessThan(2);
  });
});

describe('audio tracks', () => {
  /** The frequency that is loudest on an audio track, of the two of the clip. */
  async function toneOf(path: string, track: number): Promise<number> {
    const levels = await Promise.all(
      [440, 880].map(async (frequency) => {
        const filters = `bandpass=frequency=${frequency}:width_type=h:width=60,volumedetect`;
        const log = await bareFfmpeg(['-i', path, '-map', `0:a:${track}`, '-af', filters, '-f', 'null', '-']);
        return Number(/mean_volume: (-?[\d.]+) dB/.exec(log)?.[1]);
      }),
    );
    return (levels[0] ?? 0) > (levels[1] ?? 0) ? 440 : 880;
  }

  it('are those of the choice, in its order, with their languages', async () => {
    const recipe = { name: 'transcode', audioTracks: [1, 0] } as { name: 'transcode'; audioTracks: number[] };
    const { path, probe } = await encodeOne(await editedClip('mkv'), 'mp4', recipe);
    expect(probe.streams.slice(1)).toMatchObject([
      { kind: 'audio', language: 'deu', isDefault: true },
      { kind: 'audio', language: 'eng', isDefault: false },
    ]);
    expect([await toneOf(path, 0), await toneOf(path, 1)]).toEqual([880, 440]);
  });

  it('can be extracted one by one', async () => {
    const { path } = await encodeOne(await editedClip('mkv'), 'mp3', { name: 'extract-audio', track: 1 });
    expect(await toneOf(path, 0)).toBe(880);
  });
});
