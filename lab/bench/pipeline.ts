import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { executePlan, runTask, withInputOptions } from '@media-jobs/video/encoding';
import { findFfmpeg, findFonts } from '@media-jobs/video/local-programs';
import { assignFormats, fuseSteps, planStep, recipeRequestSchema } from '@media-jobs/video/recipes';
import { ffmpegEncoder } from '@media-jobs/video/runner';
import { type Benchmark, figure } from './harness/figures/figure.ts';
import { sceneFilters } from './harness/parallel/scene-filters.ts';
import { measureUsage } from './harness/process/processor-time.ts';

const pairs = { whole: 5, quick: 3 };
const seconds = { whole: 30, quick: 10 };
const goals = { processorTime: 1.05, lostVmaf: 0.3 };

const recipes = [
  { name: 'rotate', degrees: 90 },
  { name: 'resize', width: 720 },
  { name: 'watermark', image: 'https://example.com/logo.png', position: 'top-left', scale: 0.25, margin: 0 },
  { name: 'compress', preset: 'veryfast' },
] as const;

/** The same by hand, up to the encoder. */
const graph =
  '[0:v]transpose=clock,scale=720:1280:flags=bicubic,setsar=1,format=yuv420p[v];[1:v]scale=180:-2[logo];[v][logo]overlay=0:0';
const compressed = ['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '28', '-c:a', 'aac', '-b:a', '128k'];

/** The processor time and the picture of a pipeline whose steps are one encode. */
export const pipeline: Benchmark = {
  name: 'pipeline',
  question:
    'How much processor time does the pipeline rotate, resize, watermark, compress take, and how many points of VMAF does its result lose?',
  baseline: `one command by hand: ffmpeg -i VIDEO -i LOGO -filter_complex '${graph}' ${compressed.join(' ')} OUTPUT`,
  run: async (print, { extent }) => {
    const directory = await mkdtemp(join(tmpdir(), 'media-jobs-pipeline-'));
    const at = (name: string) => join(directory, name);
    try {
      await makeSources({ video: at('video.mp4'), logo: at('logo.png') }, seconds[extent]);
      const sources = ['-i', at('video.mp4'), '-i', at('logo.png'), '-filter_complex', graph];
      const byHand = () => ffmpeg([...sources, ...compressed, at('hand.mp4')]);
      const steps = await plannedSteps(at('video.mp4'), at('logo.png'), directory);
      const ratios: number[] = [];
      for (let pair = 1; pair <= pairs[extent]; pair++) {
        const [own, hand] = [(await measureUsage(steps.run)).processor, (await measureUsage(byHand)).processor];
        ratios.push(own / hand);
        print(`  pair ${pair} of ${pairs[extent]}: the pipeline ${own.toFixed(2)} s, by hand ${hand.toFixed(2)} s`);
      }
      await ffmpeg([...sources, '-c:v', 'libx264', '-preset', 'ultrafast', '-crf', '0', '-an', at('reference.mp4')]);
      const [hand, own] = [await vmaf(at('hand.mp4'), directory), await vmaf(steps.path, directory)];
      print(`  VMAF of the pipeline ${own.toFixed(2)}, by hand ${hand.toFixed(2)}`);
      return [
        figure('pipeline/processor time', ratios, goals.processorTime),
        figure('pipeline/VMAF points lost', [Math.max(0, hand - own)], goals.lostVmaf),
      ];
    } finally {
      await rm(directory, { recursive: true });
    }
  },
};

async function plannedSteps(path: string, image: string, outputDirectory: string) {
  const programs = findFfmpeg(process.env);
  const encoder = ffmpegEncoder({ ffmpegPath: programs.ffmpeg, ffprobePath: programs.ffprobe });
  const inputs = [{ path, probe: await encoder.probe(path) }];
  const requests = recipes.map((recipe) => ({ recipe: recipeRequestSchema.parse(recipe) }));
  const [step, ...others] = fuseSteps(assignFormats(requests, 'mp4')).filter(({ isAbsorbed }) => !isAbsorbed);
  if (step === undefined || others.length > 0) throw new Error('The steps are not one encode');
  const assets = { image: { path: image, probe: await encoder.probe(image) } };
  const context = { inputs, assets, canCompare: false, fontsDirectory: findFonts(), outputDirectory };
  const limits = { timeLimitSeconds: 600, stallSeconds: 60, lengthLimit: { maxFps: 120 } };
  const options = { ...limits, directory: outputDirectory, signal: AbortSignal.timeout(600_000) };
  const run = withInputOptions((task) => runTask(encoder, task, options), inputs);
  return {
    path: join(outputDirectory, 'output.mp4'),
    run: () => executePlan(planStep(step, context), run),
  };
}

async function makeSources({ video, logo }: { video: string; logo: string }, length: number): Promise<void> {
  const pixels = { width: 1280, height: 720 };
  const scene = `${sceneFilters('shot', { number: 1, seconds: length, pixels })};[shot]noise=alls=5:allf=t,format=yuv420p[video]`;
  const sound = ['-f', 'lavfi', '-i', `sine=duration=${length}`];
  const encoder = ['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '18', '-c:a', 'aac'];
  await ffmpeg([...sound, '-filter_complex', scene, '-map', '[video]', '-map', '0:a', ...encoder, video]);
  await ffmpeg(['-f', 'lavfi', '-i', 'testsrc=size=180x180:rate=1:duration=1', '-frames:v', '1', logo]);
}

/** The mean over all frames. */
async function vmaf(path: string, directory: string): Promise<number> {
  const reference = join(directory, 'reference.mp4');
  const { stderr } = await ffmpeg(['-v', 'info', '-i', path, '-i', reference, '-lavfi', 'libvmaf', '-f', 'null', '-']);
  return Number(/VMAF score: ([\d.]+)/.exec(stderr)?.[1]);
}

function ffmpeg(args: string[]): Promise<{ stderr: string }> {
  const all = ['-v', 'error', '-nostdin', '-y', ...args];
  return promisify(execFile)(findFfmpeg(process.env).ffmpeg, all, { maxBuffer: 2 ** 24 });
}
