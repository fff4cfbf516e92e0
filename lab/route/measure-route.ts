import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { chunkSettingsSchema } from '@media-jobs/video/chunking';
import { findFfmpeg } from '@media-jobs/video/local-programs';
import { recipeRequestSchema } from '@media-jobs/video/recipes';
import { makeClip } from '../../lib/local/sample.ts';
import { aCustomer } from '../bench/harness/calls/customer.ts';
import { type BenchStage, benchStage } from '../bench/harness/stage/bench-stage.ts';
import { type Executed, readExecuted } from './executed.ts';

/** The source files that something executes, with the number of their functions that ran. */
export type Route = ReadonlyMap<string, number>;

export type Routes = { post: Route; transcode: Route; webhook: Route; chunks: Route };

const recipe = recipeRequestSchema.parse({ name: 'compress', crf: 28, preset: 'veryfast' });

/** Runs a job twice on a stage, and a job in two chunks. What the first one executed once is left out. */
export async function measureRoutes(): Promise<Routes> {
  await using cleanup = new AsyncDisposableStack();
  const seen: { name: string; executed: Executed[] }[] = [];
  const { client, directory } = cleanup.use(await tracedStage((name, executed) => void seen.push({ name, executed })));
  const customerOf = async (seconds: number) => {
    const path = join(directory, `${seconds}.mp4`);
    await makeClip({ ffmpeg: findFfmpeg(process.env).ffmpeg, path, seconds });
    const customer = await aCustomer(path, Promise.resolve());
    cleanup.defer(customer.close);
    return customer;
  };
  // The longer one has a keyframe every ten seconds, and so two chunks.
  const [short, long] = [await customerOf(6), await customerOf(24)];
  const run = async (speed: 'standard' | 'fast', functions: readonly string[]): Promise<void> => {
    seen.length = 0;
    const { inputUrl: url, webhookUrl } = speed === 'fast' ? long : short;
    await client.createJob({
      body: { mode: 'recipe', input: { url }, output: { format: 'mp4' }, recipe, webhookUrl, speed },
    });
    for (let waits = 0; !functions.every((each) => seen.some(({ name }) => name === each)); waits += 1) {
      if (waits > 3_000) throw new Error(`Of ${functions}, only ${seen.map(({ name }) => name)} ended`);
      await setTimeout(20);
    }
  };
  const of = (...names: string[]) =>
    sum(seen.filter(({ name }) => names.includes(name)).map(({ executed }) => executed));
  for (let jobs = 0; jobs < 2; jobs += 1) await run('standard', ['submission', 'transcode', 'deliver-webhook']);
  const [post, transcode, webhook] = [of('submission'), of('transcode'), of('deliver-webhook')];
  const chunked = ['transcode', 'encode-chunk', 'join-chunks'];
  for (let jobs = 0; jobs < 2; jobs += 1) await run('fast', [...chunked, 'deliver-webhook']);
  return { post, transcode, webhook, chunks: of(...chunked) };
}

function tracedStage(onExecuted: (name: string, executed: Executed[]) => void): Promise<BenchStage> {
  return benchStage({
    preload: join(import.meta.dirname, 'traced-function.ts'),
    environment: {
      CHUNKING_SETTINGS: JSON.stringify(chunkSettingsSchema.parse({ targetChunkSeconds: 10 })),
    },
    log: (source, line) => {
      const executed = readExecuted(line);
      if (executed !== undefined) onExecuted(source.replace(/^function media-jobs-local-/, ''), executed);
    },
  });
}

/** Of several processes, the most functions of each file. */
function sum(executed: readonly Executed[][]): Map<string, number> {
  const files = new Map<string, number>();
  for (const { path, functions } of executed.flat()) files.set(path, Math.max(functions, files.get(path) ?? 0));
  return files;
}
