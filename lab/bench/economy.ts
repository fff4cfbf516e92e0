import { join } from 'node:path';
import { findFfmpeg } from '@media-jobs/video/local-programs';
import { compressFigures } from './harness/economy/compress-figures.ts';
import { type RoundClip, runInPool, withCommands, works } from './harness/economy/round.ts';
import { commandsSeconds, findCommandRunner } from './harness/economy/run-commands.ts';
import { makeUsualClip } from './harness/economy/usual-clip.ts';
import { type Benchmark, figure } from './harness/figures/figure.ts';
import { serveFile } from './harness/jobs/file-server.ts';
import { referenceEncode, withSlowness } from './harness/model/reference-encode.ts';
import { measureStage } from './harness/process/processor-time.ts';
import { benchStage } from './harness/stage/bench-stage.ts';

/** Seconds of the two clips of each round. */
const rounds = {
  whole: [
    [20, 60],
    [20, 25],
    [20, 30],
    [20, 40],
    [20, 20],
  ],
  quick: [[20, 20]],
} as const;

const goal = 1.05;

/** Economy jobs in the pool, and what the prices of such jobs assume. */
export const economy: Benchmark = {
  name: 'economy',
  question:
    'How much processor time do economy jobs take in the pool, the functions and the start of its task included, and not the emulators of AWS: 40 jobs in rounds of eight, two each of `compress` (1080p), `hls` (720p), `thumbnail` and `extract-audio`, of clips of 20 to 60 s at 30 fps and the usual bit rate? And how much does `compress` take and make, on the calibrated machine?',
  baseline:
    'the ffmpeg commands of the same recipes, each in a single pass, run by GNU parallel with a process for each processor; for `compress` a second of media, and the bytes of its source. All processor time is divided by that of a reference encode before and after it',
  run: async (print, { extent }) => {
    await using cleanup = new AsyncDisposableStack();
    const { ffmpeg } = findFfmpeg(process.env);
    const runner = findCommandRunner();
    print(`  the commands are run by ${runner.name}`);
    const { client, stage, directory } = cleanup.use(await benchStage());
    const clips = new Map<number, RoundClip>();
    for (const seconds of new Set(rounds[extent].flat())) {
      const serve = async (size: { width: number; height: number }) => {
        const path = join(directory, `clip-${size.height}-${seconds}.mp4`);
        await makeUsualClip(ffmpeg, path, { ...size, seconds });
        const served = await serveFile(path);
        cleanup.defer(served.close);
        return served;
      };
      const [p1080, p720] = [await serve({ width: 1920, height: 1080 }), await serve({ width: 1280, height: 720 })];
      clips.set(seconds, { seconds, p1080, p720 });
    }
    const slowness = await referenceEncode({ ffmpeg, directory });
    const compressed = await compressFigures({ ffmpeg, directory, clips: [...clips.values()], slowness }, print);
    const ratios: number[] = [];
    for (const [number, lengths] of rounds[extent].entries()) {
      const round = lengths.flatMap((seconds) => clips.get(seconds) ?? []).flatMap(works);
      const sides = {
        pool: async () => {
          const { seconds, emulators } = await measureStage(() => runInPool({ client, stage, directory }, round));
          print(
            `  round ${number + 1}: the pool took ${seconds.toFixed(1)} s, the emulators ${emulators.toFixed(1)} s`,
          );
          return seconds;
        },
        bare: async () => {
          const seconds = await withCommands(round, (commands) => commandsSeconds(runner, commands));
          print(`  round ${number + 1}: ${runner.name} took ${seconds.toFixed(1)} s`);
          return seconds;
        },
      };
      const order = number % 2 === 0 ? (['pool', 'bare'] as const) : (['bare', 'pool'] as const);
      const took = { pool: 0, bare: 0 };
      for (const side of order) {
        const { result: seconds, machine } = await withSlowness(slowness, sides[side]);
        print(`  the machine was ${machine.toFixed(2)} times as slow as the calibrated one`);
        took[side] = seconds / machine;
      }
      ratios.push(took.pool / took.bare);
    }
    return [figure('economy', ratios, goal), ...compressed];
  },
};
