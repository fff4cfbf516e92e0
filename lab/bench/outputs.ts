import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { submitAndFollow } from '@media-jobs/cli/demo';
import type { Client } from '@media-jobs/client';
import { chunkSettingsSchema } from '@media-jobs/video/chunking';
import { findFfmpeg } from '@media-jobs/video/local-programs';
import { recipeRequestSchema } from '@media-jobs/video/recipes';
import type { JobRequest } from '../../core/api/job-request.ts';
import type { JobResource } from '../../core/api/job-resource.ts';
import { type Benchmark, figure } from './harness/figures/figure.ts';
import { type ServedFile, serveFile } from './harness/jobs/file-server.ts';
import { makeFullHdVideo } from './harness/jobs/full-hd-video.ts';
import { manualOutputs } from './harness/jobs/manual-job.ts';
import { type MeasureSlowness, referenceEncode, withSlowness } from './harness/model/reference-encode.ts';
import { measureStage } from './harness/process/processor-time.ts';
import { benchStage } from './harness/stage/bench-stage.ts';

const pairs = { whole: { long: 1, clip: 5 }, quick: { long: 1, clip: 2 } };
const sources = { whole: { seconds: 600, megabitsPerSecond: 8 }, quick: { seconds: 60, megabitsPerSecond: 16 } };
const clip = { seconds: 10, megabitsPerSecond: 8 };
const goals = { processor: 1.02, byHand: 1.05, sent: 1.05, wall: 0.9, bytes: 1 };

/** The cheap ones first, as a job of outputs makes them. */
const outputs = {
  poster: { recipe: recipeRequestSchema.parse({ name: 'thumbnail', at: 'best' }), format: 'jpg' },
  sprite: { recipe: recipeRequestSchema.parse({ name: 'sprite' }), format: 'jpg' },
  small: { recipe: recipeRequestSchema.parse({ name: 'compress' }), format: 'mp4' },
  stream: { recipe: recipeRequestSchema.parse({ name: 'hls' }), format: 'm3u8' },
} as const;

type Name = keyof typeof outputs;
const names = Object.keys(outputs) as Name[];

/** One job of several outputs, compared with a job for each. */
export const outputsInOneJob: Benchmark = {
  name: 'outputs',
  question:
    'How much processor time do a stream, a poster, a sprite and an MP4 of ten minutes of 1080p take in one job, in chunks, and how many bytes does the server of the source send? How long does the job take for a clip of 10 s? Are its files those of jobs of their own?',
  baseline:
    'four jobs, one after the other; by hand: a script that downloads the source once, runs ffmpeg with the arguments of each recipe, and uploads (lab/bench/harness/jobs/manual-job.ts); bytes: the size of the source. Processor time is that of functions and ffmpeg, without the emulators of AWS and the transfers of the script, divided by that of a reference encode before and after it',
  run: async (print, { extent }) => {
    await using cleanup = new AsyncDisposableStack();
    // Shorter chunks, so that the shorter source has several.
    const chunking = JSON.stringify(chunkSettingsSchema.parse({ targetChunkSeconds: 10 }));
    const settings = extent === 'quick' ? { environment: { CHUNKING_SETTINGS: chunking } } : {};
    const { client, directory } = cleanup.use(await benchStage(settings));
    const serve = async (name: string, options: { seconds: number; megabitsPerSecond: number }) => {
      const path = join(directory, name);
      await makeFullHdVideo({ path, keyframeSeconds: 2, ...options });
      const served = await serveFile(path);
      cleanup.defer(served.close);
      return served;
    };
    const slowness = await referenceEncode({ ...findFfmpeg(process.env), directory });
    const sides = (source: ServedFile, speed: JobRequest['speed']) => ({
      together: () => measure({ source, slowness }, async () => [await run(client, together(source, speed))]),
      apart: () =>
        measure({ source, slowness }, async () => {
          const jobs: JobResource[] = [];
          for (const name of names) jobs.push(await run(client, alone(name, source, speed)));
          return jobs;
        }),
      byHand: () =>
        measure({ source, slowness }, async () => {
          await manualOutputs(client, { source, path: join(directory, 'fetched'), outputs: Object.values(outputs) });
          return [];
        }),
    });

    const short = sides(await serve('clip.mp4', clip), 'standard');
    const wall: number[] = [];
    for (let pair = 0; pair <= pairs[extent].clip; pair++) {
      const [one, four] = await inTurn(pair, short.together, short.apart);
      print(`  a clip of 10 s: one job ${one.wall.toFixed(2)} s, four jobs ${four.wall.toFixed(2)} s`);
      // The first starts the functions.
      if (pair > 0) wall.push(one.wall / four.wall);
    }

    const long = await serve('long.mp4', sources[extent]);
    const { together: asOne, apart, byHand } = sides(long, 'fast');
    const [processor, hand, sent, bytes]: [number[], number[], number[], number[]] = [[], [], [], []];
    for (let pair = 1; pair <= pairs[extent].long; pair++) {
      const [one, four] = await inTurn(pair, asOne, apart);
      const script = await byHand();
      print(`  one job ${sentence(one)}; four jobs ${sentence(four)}; by hand ${sentence(script)}`);
      processor.push(one.processor / four.processor);
      hand.push(one.processor / script.processor);
      sent.push(one.sentBytes / script.sentBytes);
      bytes.push(...(await compareFiles(one.jobs, four.jobs, print)));
    }
    return [
      figure('outputs/processor time', processor, goals.processor),
      figure('outputs/processor time, by hand', hand, goals.byHand),
      figure('outputs/bytes from the source', sent, goals.sent),
      figure('outputs/time of a clip of 10 s', wall, goals.wall),
      figure('outputs/bytes of the files', bytes, goals.bytes),
    ];
  },
};

type Measured = { processor: number; emulators: number; wall: number; sentBytes: number; jobs: JobResource[] };

async function measure(
  { source, slowness }: { source: ServedFile; slowness: MeasureSlowness },
  act: () => Promise<JobResource[]>,
): Promise<Measured> {
  const sent = source.sentBytes();
  const timed = async () => {
    const startedAt = performance.now();
    const measured = await measureStage(act);
    return { ...measured, wall: (performance.now() - startedAt) / 1000 };
  };
  const { result, machine } = await withSlowness(slowness, timed);
  const { result: jobs, seconds, emulators, wall } = result;
  return { processor: seconds / machine, emulators, wall, sentBytes: source.sentBytes() - sent, jobs };
}

/** Each side goes first equally often. Returns the results in the order of the sides. */
async function inTurn(pair: number, one: () => Promise<Measured>, four: () => Promise<Measured>) {
  if (pair % 2 === 1) return [await one(), await four()] as const;
  const second = await four();
  return [await one(), second] as const;
}

async function run(client: Client, body: JobRequest): Promise<JobResource> {
  return (await submitAndFollow(client, body)).job;
}

function together({ url }: ServedFile, speed: JobRequest['speed']): JobRequest {
  return { mode: 'outputs', input: { url }, outputs, speed };
}

function alone(name: Name, { url }: ServedFile, speed: JobRequest['speed']): JobRequest {
  const { recipe, format } = outputs[name];
  return { mode: 'recipe', input: { url }, recipe, output: { format }, speed };
}

function sentence({ processor, emulators, wall, sentBytes, jobs }: Measured): string {
  const chunks = jobs.map(({ chunking }) => chunking?.chunks ?? 1).join(' + ');
  const inChunks = jobs.length > 0 ? `, in ${chunks} chunks` : '';
  return `${processor.toFixed(1)} s of processor time of the calibrated machine, ${emulators.toFixed(1)} s of the emulators, ${wall.toFixed(1)} s, ${(sentBytes / 1e6).toFixed(1)} MB${inChunks}`;
}

/** The sizes of the files of each output, divided by those of its own job. Files of equal bytes have equal pictures. */
async function compareFiles(
  [job]: readonly JobResource[],
  jobs: readonly JobResource[],
  print: (line: string) => void,
): Promise<number[]> {
  const ratios: number[] = [];
  for (const [index, name] of names.entries()) {
    const [one, own] = [await filesOf(job, name), await filesOf(jobs[index])];
    const same = one.filter(({ hash }) => own.some((file) => file.hash === hash));
    print(`  ${name}: ${same.length} of ${own.length} files are those of its own job, byte for byte`);
    ratios.push(sizeOf(one) / sizeOf(own));
  }
  return ratios;
}

type FileBytes = { sizeBytes: number; hash: string };

/** The files of a job or of one of its outputs, without playlists, which name their job. */
async function filesOf(job: JobResource | undefined, output?: Name): Promise<FileBytes[]> {
  const urls = job?.outputs ?? { output: job?.output?.signedUrl ?? '' };
  const files: FileBytes[] = [];
  const isOwn = (name: string) => output === undefined || name === output || name.startsWith(`${output}/`);
  // The main file of a set has two names.
  const own = new Set(Object.entries(urls).flatMap(([name, url]) => (isOwn(name) ? [url] : [])));
  for (const url of own) {
    const response = await fetch(url);
    if (/mpegurl|vtt|dash/.test(response.headers.get('content-type') ?? '')) continue;
    const bytes = new Uint8Array(await response.arrayBuffer());
    files.push({ sizeBytes: bytes.length, hash: createHash('sha256').update(bytes).digest('hex') });
  }
  return files;
}

function sizeOf(files: readonly FileBytes[]): number {
  return files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
}
