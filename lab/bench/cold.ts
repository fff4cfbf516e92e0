import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { bundle } from '../../lib/build/bundle.ts';
import { entryOf } from '../../lib/build/entries.ts';
import { root } from '../../lib/build/paths.ts';
import { type Benchmark, figure, quantile } from './harness/figures/figure.ts';
import { pairedRatios } from './harness/figures/pairs.ts';
import { firstCall } from './harness/stage/first-call.ts';
import { type HostedStage, hostedStage } from './harness/stage/hosted-stage.ts';

const pairs = { whole: 25, quick: 10 };
const goal = 0.65;
const rounds = 11;

/** The cold start: a new sandbox, and the first job submitted to it. */
export const cold: Benchmark = {
  name: 'cold',
  question:
    'How long is a cold start of the function that creates jobs, from the start of its process to its first answer?',
  baseline:
    'lab/bench/cold-typical-function.ts, which makes the same calls, bundled by esbuild with its default settings to ESM',
  run: async (print, { extent }) => {
    await using cleanup = new AsyncDisposableStack();
    const directory = await mkdtemp(join(tmpdir(), 'bench-cold-'));
    cleanup.defer(() => rm(directory, { recursive: true, force: true }));
    const [ours, typical] = [await bundleOurs(directory, print), await bundleTypical(directory, print)];
    const stage = cleanup.use(await hostedStage());
    const subject = () => firstCall(stage, ours);
    const baseline = () => firstCall(stage, typical);
    const onPair = (pair: number, ratio: number) => print(`  pair ${pair} of ${pairs[extent]}: ${ratio.toFixed(3)}`);
    const ratios = await pairedRatios({ subject, baseline }, { pairs: pairs[extent], onPair });
    await printParts(stage, { directory, ours, print });
    return [figure('cold', ratios, goal)];
  },
};

/**
 * Prints the parts of our cold start in milliseconds: that of a function without code, which no code can avoid, what
 * loading our code adds, and what the first request adds.
 */
async function printParts(
  stage: HostedStage,
  { directory, ours, print }: { directory: string; ours: string; print: (line: string) => void },
): Promise<void> {
  const empty = join(directory, 'empty');
  const loaded = join(directory, 'loaded');
  const answer = `exports.handler = async () => ({ statusCode: 201, body: '' });`;
  await writeFunction(empty, answer);
  await writeFunction(loaded, `require(${JSON.stringify(join(ours, 'create-job.js'))}); ${answer}`);
  const times = { empty: [] as number[], loaded: [] as number[], ours: [] as number[] };
  for (let round = 0; round < rounds; round++) {
    times.empty.push(await firstCall(stage, empty));
    times.loaded.push(await firstCall(stage, loaded));
    times.ours.push(await firstCall(stage, ours));
  }
  const [node, load, whole] = [median(times.empty), median(times.loaded), median(times.ours)];
  const parts = {
    'Node and the runtime client': node,
    'our code': load - node,
    'the first request': whole - load,
  };
  const text = Object.entries(parts).map(([part, ms]) => `${part} ${Math.round(ms)} ms`);
  print(`  Parts: ${text.join(', ')}`);
}

const median = (values: readonly number[]) => quantile(values, 0.5);

async function writeFunction(folder: string, code: string): Promise<void> {
  await mkdir(folder);
  await writeFile(join(folder, 'index.js'), code);
}

/** Bundles the function that creates jobs like every function of a stage. Returns the folder that Lambda runs. */
async function bundleOurs(directory: string, print: (line: string) => void): Promise<string> {
  for (const { name, sizeBytes } of await bundle({ root, entries: [entryOf('submission')], outDirectory: directory })) {
    print(`  ${name}: ${Math.round(sizeBytes / 1000)} kB`);
  }
  return join(directory, 'submission');
}

/** CommonJS dependencies call `require`, which an ES module has to create. */
const requireInModules = "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);";

async function bundleTypical(directory: string, print: (line: string) => void): Promise<string> {
  const folder = join(directory, 'typical');
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: ['lab/bench/cold-typical-function.ts'],
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
  print(`  typical: ${Math.round(bytes / 1000)} kB`);
  return folder;
}
