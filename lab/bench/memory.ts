import { copyFile, open } from 'node:fs/promises';
import { submitAndFollow } from '@media-jobs/cli/demo';
import { recipeRequestSchema } from '@media-jobs/video/recipes';
import { type Benchmark, figure } from './harness/figures/figure.ts';
import { pairedRatios } from './harness/figures/pairs.ts';
import { serveFile } from './harness/jobs/file-server.ts';
import { servedClip } from './harness/jobs/served-clip.ts';
import { processWith, residentBytes } from './harness/process/process-memory.ts';
import { benchStage } from './harness/stage/bench-stage.ts';

const recipe = recipeRequestSchema.parse({ name: 'compress', crf: 28 });
const paddingBytes = 1_000_000_000;
const allowanceBytes = 64_000_000;
const pairs = { whole: 5, quick: 2 };
const goal = 1;

/** Whether the worker streams a large input or buffers it. Each job has a worker of its own. */
export const memory: Benchmark = {
  name: 'memory',
  question: `How large does the worker's Node process get with a 1 GB input, less ${allowanceBytes / 1e6} MB?`,
  baseline: 'its peak resident size with the same clip without the padding',
  run: async (print, { extent }) => {
    await using cleanup = new AsyncDisposableStack();
    const { stage, client, directory } = cleanup.use(await benchStage());
    const small = await servedClip(directory);
    cleanup.defer(small.close);
    const large = await serveFile(await paddedCopy(small.path));
    cleanup.defer(large.close);

    const worker = stage.resources.functions.find((name) => name.endsWith('transcode')) ?? '';
    const peakBytes = async (url: string) => {
      await stage.faults.killSandboxes(worker);
      const body = { mode: 'recipe' as const, input: { url }, output: { format: 'mp4' as const }, recipe };
      await submitAndFollow(client, body);
      const sandbox = { AWS_LAMBDA_FUNCTION_NAME: worker, AWS_ENDPOINT_URL_S3: stage.endpoints.s3 };
      const peak = residentBytes(processWith(sandbox), 'at most');
      print(`  ${(peak / 1e6).toFixed(0)} MB with the ${url === large.url ? 'large' : 'small'} input`);
      return peak;
    };
    const subject = async () => (await peakBytes(large.url)) - allowanceBytes;
    const baseline = () => peakBytes(small.url);
    return [figure('memory', await pairedRatios({ subject, baseline }, { pairs: pairs[extent] }), goal)];
  },
};

/** The same clip with a gigabyte of padding that players skip: a `free` box. */
async function paddedCopy(path: string): Promise<string> {
  const copy = path.replace(/\.mp4$/, '-padded.mp4');
  await copyFile(path, copy);
  await using file = await open(copy, 'r+');
  const { size } = await file.stat();
  const header = Buffer.from('....free');
  header.writeUInt32BE(paddingBytes);
  await file.write(header, 0, header.length, size);
  await file.truncate(size + paddingBytes);
  return copy;
}
