import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { drawSubtitles, subtitleStyle } from '@media-jobs/video/encoding';
import { chainText, compositeOn, toneMap } from '@media-jobs/video/ffmpeg';
import type { VideoStream } from '@media-jobs/video/probe';
import * as z from 'zod';
import { geometricMean } from '../bench/harness/figures/figure.ts';
import { calibrationSource, contents } from '../bench/harness/model/calibration-contents.ts';
import type { Machine } from './machine.ts';
import { decodeSeconds, encode, filterSeconds, round } from './measure.ts';
import { makeFile } from './source-file.ts';

const size = { width: 960, height: 540 };

/**
 * Filters as the recipes write them, by the name under which the table has them. Each writes as many pixels as it
 * reads.
 */
const filters: Record<string, string> = {
  bwdif: 'setfield=tff,bwdif=mode=send_frame',
  transpose: 'transpose=clock',
  hflip: 'hflip',
  vflip: 'vflip',
  pad: 'pad=972:546:-1:-1:color=black',
  format: 'format=rgb24',
  overlay: 'split[a][b];[b]trim=end_frame=1,scale=190:100[c];[a][c]overlay=x=10:y=10',
  tile: 'tile=5x5',
  composite: chainText(compositeOn('#ffffff', 8)),
  compositeDeep: chainText(compositeOn('#ffffff', 10)),
  other: 'eq=contrast=1.1',
};

/** Encoders whose time follows the pixels alone: the mean over several contents. */
const encoders: Record<string, readonly string[]> = {
  mjpeg: ['-c:v', 'mjpeg', '-q:v', '3', '-pix_fmt', 'yuvj420p'],
  png: ['-c:v', 'png'],
  gif: ['-c:v', 'gif'],
  libwebp: ['-c:v', 'libwebp', '-quality', '75', '-f', 'image2pipe'],
  libwebp_anim: ['-c:v', 'libwebp_anim', '-quality', '75', '-f', 'webp'],
  prores_ks: ['-c:v', 'prores_ks', '-profile:v', '3', '-pix_fmt', 'yuv422p10le'],
  ffv1: ['-c:v', 'ffv1'],
};

const imageContents = contents.filter(({ kind }) => kind !== 'screen');

const hdr = { hdrTransfer: 'pq' } as VideoStream;

/** Lines of the filters and of the encoders of images, for each megapixel. */
export async function measureFilters(machine: Machine, fontsDirectory: string) {
  const content = { kind: 'scene', number: 3, grain: 3 } as const;
  const options = { content, size, framesPerSecond: 25, seconds: 2 } as const;
  const file = await makeFile(machine, 'filters', { ...options, encoder: 'h264' });
  const decode = await decodeSeconds(machine, file.path);
  const perMegapixel = (seconds: number, before = decode) => round(Math.max(1e-5, seconds - before) / file.megapixels);
  const line = async (chain: string) => perMegapixel(await filterSeconds(machine, file.path, chain));

  const filterPerMegapixel: Record<string, number> = {};
  for (const [name, chain] of Object.entries(filters)) filterPerMegapixel[name] = await line(chain);
  // Two sizes separate the time of reading from that of writing.
  const smaller = await line('scale=480:270:flags=bicubic');
  const larger = await line('scale=1440:810:flags=bicubic');
  const written = Math.max(1e-4, (larger - smaller) / (2.25 - 0.25));
  filterPerMegapixel.scale = round(written);
  filterPerMegapixel.scaleIn = round(Math.max(1e-4, smaller - 0.25 * written));
  const subtitles = join(machine.directory, 'cue.srt');
  await writeFile(subtitles, '1\n00:00:00,000 --> 00:01:00,000\nA line of text, and\nanother one\n');
  const style = z.object(subtitleStyle).parse({});
  filterPerMegapixel.subtitles = await line(drawSubtitles({ path: subtitles, fontsDirectory, style }, size).text);
  const tenBit = await makeFile(machine, 'tones', { ...options, encoder: 'hevcHdr' });
  const tones = await filterSeconds(machine, tenBit.path, chainText(toneMap(hdr, { bitDepth: 8 })));
  filterPerMegapixel.tonemap = perMegapixel(tones, await decodeSeconds(machine, tenBit.path));

  const encodePerMegapixel = await measureImageEncoders(machine);
  const compared = ['-lavfi', `[0:v]split[a][b];[a][b]libvmaf=n_threads=2`, '-f', 'null'];
  const vmaf = await encode(machine, file.path, compared).catch(() => undefined);
  const other = Math.max(...Object.values(encodePerMegapixel));
  return {
    filterPerMegapixel,
    encodePerMegapixel: { ...encodePerMegapixel, other },
    vmafPerMegapixel: vmaf === undefined ? undefined : perMegapixel(vmaf.cpuSeconds),
  };
}

async function measureImageEncoders(machine: Machine): Promise<Record<string, number>> {
  const files = [];
  for (const [number, content] of imageContents.entries()) {
    const file = await makeFile(machine, `images-${number}`, calibrationSource(content));
    files.push({ ...file, decode: await decodeSeconds(machine, file.path) });
  }
  const lines: Record<string, number> = {};
  for (const [name, args] of Object.entries(encoders)) {
    const perMegapixel: number[] = [];
    for (const { path, megapixels, decode } of files) {
      const { cpuSeconds } = await encode(machine, path, args);
      perMegapixel.push(Math.max(1e-5, cpuSeconds - decode) / megapixels);
    }
    machine.print(`  ${name}: ${perMegapixel.map(round).join(', ')}`);
    lines[name] = round(geometricMean(perMegapixel));
  }
  return lines;
}
