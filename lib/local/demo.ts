import { parseArgs } from 'node:util';
import { formatResult, runDemo } from '@media-jobs/cli/demo';
import { recipeRequestSchema } from '@media-jobs/video/recipes';
import { issueMessage } from '../../core/api/issue-message.ts';
import { demoHost } from './demo-host.ts';
import { diskFullMessage, explainFullDisk } from './disk-full.ts';

const usage = `npm run demo -- [FILE or URL] [--crf N] [--assembly FOLDER] [--json]

Starts the service on this machine, compresses a video with it and shows the result.
Without a file or URL it generates a clip.

  --crf N   quality, 1 (best) to 51 (smallest); default 28
  --assembly FOLDER   a CDK assembly to run in place of the synthesized one
  --json    print the result as JSON on the last line`;

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
