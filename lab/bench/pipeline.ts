import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { filter } from '@media-jobs/video/ffmpeg';
import { findFfmpeg } from '@media-jobs/video/local-programs';
import { assignFormats, fuseSteps, recipeRequestSchema } from '@media-jobs/video/recipes';
import { ffmpegEncoder } from '@media-jobs/video/runner';
import { type Benchmark, figure } from './harness/figures/figure.ts';
import { chunkVideo } from './harness/parallel/chunked-video.ts';
import { planVideo } from './harness/parallel/planned-video.ts';
import { sceneFilters } from './harness/parallel/scene-filters.ts';
import { measureUsage } from './harness/process/processor-time.ts';

const pairs = { whole: 5, quick: 2 };
const seconds = { whole: 60, quick: 30 };
const goals = { processorTime: 1.05, lostVmaf: 0.3 };

const recipes = [
  { name: 'rotate', degrees: 90 },
  { name: 'resize', width: 720 },
  { name: 'watermark', image: 'https://example.com/logo.png', position: 'top-left', scale: 0.25, margin: 0 },
  { name: 'compress', preset: 'veryfast' },
] as const;

/** The filters and the encoder of a command by hand that does the same. */
const graph =
  '[0:v]transpose=clock,scale=720:1280:flags=bicubic,setsar=1,format=yuv420p[v];[1:v]scale=180:-2[logo];[v][logo]overlay=0:0';
const compressed = ['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '28', '-c:a', 'aac', '-b:a', '128k'];

/** The processor time and the picture of a pipeline whose steps are one encode. */
export const pipeline: Benchmark = {
  name: 'pipeline',
  question:
    'How much processor time does the pipeline rotate, resize, watermark, compress take, and how many points of VMAF does its result lose, in a single pass and in two chunks?',
  baseline: `one command by hand: ffmpeg -i VIDEO -i LOGO -filter_complex '${graph}' ${compressed.join(' ')} OUTPUT`,
  run: async (print, { extent }) => {
    const directory = await mkdtemp(join(tmpdir(), 'media-jobs-pipeline-'));
    const at = (name: string) => join(directory, name);
    try {
      await makeSources({ video: at('video.mp4'), logo: at('logo.png') }, seconds[extent]);
      const sources = ['-i', at('video.mp4'), '-i', at('logo.png'), '-filter_complex', graph];
      const subjects = [await inSinglePass(directory), await inChunks(directory, seconds[extent])];
      const ratios = new Map<string, number[]>(subjects.map(({ name }) => [name, []]));
      for (let pair = 1; pair <= pairs[extent]; pair++) {
        const { processor: hand } = await measureUsage(() => ffmpeg([...sources, ...compressed, at('hand.mp4')]));
        print(`  ${pair} of ${pairs[extent]}: by hand ${hand.toFixed(2)} s`);
        for (const { name, run } of subjects) {
          const { processor } = await measureUsage(run);
          ratios.get(name)?.push(processor / hand);
          print(`    ${name}: ${processor.toFixed(2)} s`);
        }
      }
      await ffmpeg([...sources, '-c:v', 'libx264', '-preset', 'ultrafast', '-crf', '0', '-an', at('reference.mp4')]);
      const hand = await vmaf(at('hand.mp4'), directory);
      print(`  VMAF by hand ${hand.toFixed(2)}`);
      const losses: [string, number][] = [];
      for (const { name, path } of subjects) {
        const own = await vmaf(path, directory);
        print(`    ${name}: ${own.toFixed(2)}`);
        losses.push([name, Math.max(0, hand - own)]);
      }
      return [
        ...[...ratios].map(([name, each]) => figure(`pipeline/processor time, ${name}`, each, goals.processorTime)),
        ...losses.map(([name, lost]) => figure(`pipeline/VMAF points lost, ${name}`, [lost], goals.lostVmaf)),
      ];
    } finally {
      await rm(directory, { recursive: true });
    }
  },
};

type Subject = { name: string; path: string; run(): Promise<unknown> };

async function inSinglePass(directory: string): Promise<Subject> {
  const video = await planned(directory);
  return { name: 'a single pass', path: join(directory, 'output.mp4'), run: () => video.run(video.singlePass) };
}

/** The tasks run one after the other, because only processor time counts. */
async function inChunks(directory: string, length: number): Promise<Subject> {
  const video = await planned(directory);
  const cut = () => chunkVideo(video, { threads: 1, targetChunkSeconds: Math.floor((length - 1) / 2) });
  const { path, chunks } = await cut();
  if (path === undefined || chunks.length < 2) throw new Error('The pipeline was not cut');
  const run = async () => {
    const chunked = await cut();
    await chunked.encodeAudio();
    for (const task of chunked.chunks) await chunked.encodeChunk(task);
    await chunked.join();
    await chunked.check();
  };
  return { name: 'chunks', path, run };
}

function planned(directory: string) {
  const requests = recipes.map((recipe) => ({ recipe: recipeRequestSchema.parse(recipe) }));
  const [step, ...others] = fuseSteps(assignFormats(requests, 'mp4')).filter(({ isAbsorbed }) => !isAbsorbed);
  if (step === undefined || others.length > 0) throw new Error('The steps are not one encode');
  return planVideo(join(directory, 'video.mp4'), { ...step, image: join(directory, 'logo.png'), directory });
}

/** Makes the video and the logo. The pixels of the video are square; `noise` after a scaling leaves others. */
async function makeSources({ video, logo }: { video: string; logo: string }, length: number): Promise<void> {
  const pixels = { width: 1280, height: 720 };
  const scene = `${sceneFilters('shot', { number: 1, seconds: length, pixels })};[shot]noise=alls=5:allf=t,setsar=1,format=yuv420p[video]`;
  const sound = ['-f', 'lavfi', '-i', `sine=duration=${length}`];
  const encoder = ['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '18', '-g', '50', '-c:a', 'aac'];
  await ffmpeg([...sound, '-filter_complex', scene, '-map', '[video]', '-map', '0:a', ...encoder, video]);
  await ffmpeg(['-f', 'lavfi', '-i', 'testsrc=size=180x180:rate=1:duration=1', '-frames:v', '1', logo]);
}

/** The mean VMAF of all frames, compared with the lossless reference. */
async function vmaf(path: string, directory: string): Promise<number> {
  const { ffmpeg: ffmpegPath, ffprobe: ffprobePath } = findFfmpeg(process.env);
  const side = (file: string) => ({
    input: { path: file, isTrusted: true },
    stream: 0,
    filters: [filter('format', 'yuv420p'), filter('settb', '1/25'), filter('setpts', 'N')],
  });
  const { frameScores } = await ffmpegEncoder({ ffmpegPath, ffprobePath }).compare(
    {
      encoded: side(path),
      source: side(join(directory, 'reference.mp4')),
      model: 'vmaf_v0.6.1',
      frameInterval: 1,
      durationSeconds: 1,
    },
    { directory, signal: AbortSignal.timeout(1_800_000), timeLimitSeconds: 1_800, stallSeconds: 300 },
  );
  return frameScores.reduce((sum, score) => sum + score, 0) / frameScores.length;
}

function ffmpeg(args: string[]): Promise<unknown> {
  const all = ['-v', 'error', '-nostdin', '-y', ...args];
  return promisify(execFile)(findFfmpeg(process.env).ffmpeg, all, { maxBuffer: 2 ** 24 });
}
