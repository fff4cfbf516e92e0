import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type DemoHost, formatResult, runDemo } from '@media-jobs/cli/demo';
import { hiddenCause, type Log } from '@media-jobs/local-stage';
import { executePlan, runTask } from '@media-jobs/video/encoding';
import { findFfmpeg } from '@media-jobs/video/local-programs';
import { planRecipe, type RecipeRequest, recipeRequestSchema } from '@media-jobs/video/recipes';
import { ffmpegEncoder } from '@media-jobs/video/runner';
import { issueMessage } from '../../core/api/issue-message.ts';
import { synthesize } from '../build/synthesize.ts';
import { diskFullMessage, explainFullDisk } from './disk-full.ts';
import { firstApiKey } from './first-key.ts';
import { makeClip } from './sample.ts';
import { signingSecret } from './stage-table.ts';
import { startLocalStage } from './start-stage.ts';

const usage = `Starts the service on this machine, compresses a video with it and shows the result. Without a file or URL it
generates a clip.

  npm run demo -- [FILE or URL] [--crf N] [--assembly FOLDER] [--json]

  --crf N            quality, 1 (best) to 51 (smallest); default 28
  --assembly FOLDER  run this CDK assembly, such as a changed copy of cdk.out/local
  --json             print the result as JSON on the last line`;

const log = (line: string) => console.error(line);

async function demo(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      crf: { type: 'string', default: '28' },
      assembly: { type: 'string' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return console.log(usage);
  const recipe = parseRecipe(values.crf);
  const host = demoHost({ assembly: values.assembly, log });
  const result = await runDemo({ input: positionals[0], recipe, host, log });
  console.log(values.json ? JSON.stringify(result) : `\n${formatResult(result)}\n`);
}

/** @throws Error that says what --crf takes */
function parseRecipe(crf: string) {
  const parsed = recipeRequestSchema.safeParse({ name: 'compress', crf: Number(crf) }, { error: issueMessage });
  if (parsed.success) return parsed.data;
  throw new Error(`--crf: ${parsed.error.issues[0]?.message}`);
}

explainFullDisk();
try {
  await demo();
} catch (error) {
  log(`\nThe demo failed: ${diskFullMessage(error) ?? (error as Error).message}`);
  process.exitCode = 1;
}

type Line = (line: string) => void;

/**
 * The local stage and the ffmpeg of this machine.
 *
 * @param assembly the assembly to run; undefined synthesizes the stage `local`
 */
function demoHost({ assembly, log }: { assembly: string | undefined; log: Line }): DemoHost {
  return {
    async startStage(dataDirectory) {
      const assemblyDirectory = assembly ?? (await synthesizedAssembly(log));
      const stage = await startLocalStage({ ...{ assemblyDirectory, dataDirectory, port: 0, log: hiddenCauses(log) } });
      const { baseUrl, stop } = stage;
      return {
        ...{ baseUrl, stop },
        apiKey: await firstApiKey(stage, dataDirectory),
        signingSecret: await signingSecret(stage),
      };
    },
    makeClip: (path, seconds) => makeClip({ ffmpeg: findFfmpeg(process.env).ffmpeg, path, seconds }),
    ffmpegSeconds: bareFfmpegSeconds,
  };
}

/** Wall seconds of ffmpeg alone, with the arguments that the recipe plans for this input. */
async function bareFfmpegSeconds(inputPath: string, recipe: RecipeRequest): Promise<number> {
  const { ffmpeg: ffmpegPath, ffprobe: ffprobePath } = findFfmpeg(process.env);
  const encoder = ffmpegEncoder({ ffmpegPath, ffprobePath });
  const directory = await mkdtemp(join(tmpdir(), 'bare-ffmpeg-'));
  const maxRunSeconds = 600;
  try {
    const probe = await encoder.probe(inputPath);
    const plan = planRecipe(recipe, { probe, inputPath, outputDirectory: directory, format: 'mp4' });
    const limits = { timeLimitSeconds: maxRunSeconds, stallSeconds: maxRunSeconds };
    const options = { ...limits, directory, signal: AbortSignal.timeout(maxRunSeconds * 1000) };
    const startedAt = performance.now();
    await executePlan(plan, (task) => runTask(encoder, task, options));
    return (performance.now() - startedAt) / 1000;
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** Shows each cause once: what a job says of an error of the service does not tell its operator what to correct. */
function hiddenCauses(log: Line): Log {
  const shown = new Set<string>();
  return (source, line) => {
    const cause = hiddenCause(source, line);
    if (cause === undefined || shown.has(cause)) return;
    shown.add(cause);
    log(`\n[${source}] ${cause}`);
  };
}

async function synthesizedAssembly(log: Line): Promise<string> {
  log('Synthesizing the deployment template (about 20 s the first time)');
  return (await synthesize({ stage: 'local' })).assemblyDirectory;
}
