import { parseArgs } from 'node:util';
import * as z from 'zod';
import { recipeRequestSchema } from '../core/recipes/registry.ts';
import { runDemo } from './run-demo.ts';
import { summary } from './summary.ts';

const usage = `npm run demo -- [FILE or URL] [--crf N] [--json]

Starts the service on this machine, compresses a video with it, and shows what came out.
Without a file it makes a clip. --crf: 1 (best) to 51 (smallest), 28 unless told. --json: the result as the last line.`;

const say = (line: string) => console.error(line);

async function demo(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      crf: { type: 'string', default: '28' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return console.log(usage);
  const recipe = recipeRequestSchema.parse({ name: 'compress', crf: Number(values.crf) });
  const result = await runDemo({ input: positionals[0], recipe, say });
  console.log(values.json ? JSON.stringify(result) : `\n${summary(result)}\n`);
}

try {
  await demo();
} catch (error) {
  const reason = error instanceof z.ZodError ? z.prettifyError(error) : (error as Error).message;
  say(`\nThe demo failed: ${reason}`);
  process.exitCode = 1;
}
