import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { bundle } from '../lib/build/bundle.ts';
import { root } from '../lib/build/paths.ts';
import { type Benchmark, figure } from './harness/figures/figure.ts';
import { pairedRatios } from './harness/figures/pairs.ts';
import { firstCall } from './harness/stage/first-call.ts';
import { hostedStage } from './harness/stage/hosted-stage.ts';

const pairs = { whole: 25, quick: 10 };
const goal = 0.85;

/** The cold start: a new sandbox, and the first job submitted to it. */
export const cold: Benchmark = {
  name: 'cold',
  question: 'How long is a cold start of create-job, from the start of its process to its first answer?',
  baseline:
    'bench/cold-typical-function.ts, which makes the same calls, bundled by esbuild with its default settings to ESM',
  run: async (say, { extent }) => {
    await using cleanup = new AsyncDisposableStack();
    const directory = await mkdtemp(join(tmpdir(), 'bench-cold-'));
    cleanup.defer(() => rm(directory, { recursive: true, force: true }));
    const [ours, typical] = [await bundleOurs(directory, say), await bundleTypical(directory, say)];
    const stage = cleanup.use(await hostedStage());
    const subject = () => firstCall(stage, ours);
    const baseline = () => firstCall(stage, typical);
    const onPair = (pair: number, ratio: number) =>
      say(`  pair ${pair} of ${pairs[extent]}: ${ratio.toFixed(3)}`);
    return [
      figure('cold', await pairedRatios({ subject, baseline }, { pairs: pairs[extent], onPair }), goal),
    ];
  },
};

/** Bundles create-job like every function of a stage. Returns the folder that Lambda runs. */
async function bundleOurs(directory: string, say: (line: string) => void): Promise<string> {
  const entries = [{ name: 'create-job', file: 'functions/api/create-job.ts' }];
  for (const { sizeBytes } of await bundle({ root, entries, outDirectory: directory })) {
    say(`  create-job: ${Math.round(sizeBytes / 1000)} kB`);
  }
  return join(directory, 'create-job');
}

/** CommonJS dependencies call `require`, which an ES module has to create. */
const requireInModules =
  "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);";

async function bundleTypical(directory: string, say: (line: string) => void): Promise<string> {
  const folder = join(directory, 'typical');
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: ['bench/cold-typical-function.ts'],
    outfile: join(folder, 'index.js'),
    bundle: true,
    minify: true,
    platform: 'node',
    target: 'node24',
    format: 'esm',
    banner: { js: requireInModules },
    metafile: true,
    logLevel: 'silent',
  });
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  const bytes = Object.values(metafile.outputs).reduce((sum, output) => sum + output.bytes, 0);
  say(`  typical: ${Math.round(bytes / 1000)} kB`);
  return folder;
}
