import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFfmpeg } from '@media-jobs/video/local-programs';
import type { Benchmark, Figure } from './harness/figures/figure.ts';
import { losslessClips } from './harness/peers/clips.ts';
import { type PeerRow, runProgram } from './harness/peers/row.ts';
import { abAv1 } from './peers/ab-av1.ts';
import { ffmpegNormalize } from './peers/ffmpeg-normalize.ts';
import { ffmpegthumbnailer } from './peers/ffmpegthumbnailer.ts';
import { gifsicle } from './peers/gifsicle.ts';
import { handbrake } from './peers/handbrake.ts';
import { mediainfo } from './peers/mediainfo.ts';
import { queue } from './peers/queue.ts';
import { shakaStreamer } from './peers/shaka-streamer.ts';

/** The queue is first: what other rows leave in the memory of this process, which hosts the stage, would count as ours. */
const rows: readonly PeerRow[] = [
  queue,
  ffmpegthumbnailer,
  gifsicle,
  ffmpegNormalize,
  mediainfo,
  shakaStreamer,
  abAv1,
  handbrake,
];

/** Recipes beside the programs that people would pick instead. */
export const peers: Benchmark = {
  name: 'peers',
  question:
    'How do recipes compare with the programs that people would pick instead, on the same generated clips of two seconds (texture with grain, a phone, a screen)?',
  baseline: `each program at its best for the task: ${rows.map(({ peer }) => peer).join(', ')}`,
  async run(print, { extent, input, installs = false }) {
    const directory = await mkdtemp(join(tmpdir(), 'media-jobs-peers-'));
    const { ffmpeg } = findFfmpeg(process.env);
    try {
      const videos = input === undefined ? [] : (await readdir(input)).map((name) => join(input, name));
      const all = await losslessClips(ffmpeg, directory, videos);
      const clips = extent === 'quick' ? all.slice(-2) : all;
      const figures: Figure[] = [];
      for (const row of rows) {
        try {
          const version = await presentVersion(row, { installs });
          print(
            `  ${row.peer}: ${version ?? `skipped, since it is not installed; --install runs ${row.install.join(' ')}`}`,
          );
          if (version === undefined) continue;
          figures.push(...(await row.run({ extent, ffmpeg, directory, clips, videos, print })));
        } catch (error) {
          // The figures of other programs are kept.
          process.exitCode = 1;
          print(`  ${row.peer} broke off: ${String(error).slice(0, 500)}`);
        }
      }
      return figures;
    } finally {
      await rm(directory, { recursive: true });
    }
  },
};

/** The version of an installed program. */
async function presentVersion(row: PeerRow, { installs }: { installs: boolean }): Promise<string | undefined> {
  const found = await versionOf(row);
  if (found !== undefined || !installs) return found;
  const [program, ...args] = row.install;
  await runProgram(program, args);
  return versionOf(row);
}

async function versionOf({ program, versionArguments }: PeerRow): Promise<string | undefined> {
  const text = await runProgram(program, versionArguments).catch(() => undefined);
  return /\d+\.\d+\S*/.exec(text ?? '')?.[0];
}
