import { parseArgs } from 'node:util';
import { runDemo } from './run-demo.ts';
import { summary } from './summary.ts';

const usage = `npm run demo -- [FILE or URL] [--crf N] [--json]

Starts the service on this machine, compresses a video with it, and shows what came out.
Without a file it makes a clip. --crf: 0 (lossless) to 51 (smallest), 28 unless told. --json: the result as the last line.`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    crf: { type: 'string', default: '28' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

const say = (line: string) => console.error(line);

if (values.help) {
  say(usage);
} else {
  try {
    const result = await runDemo({ input: positionals[0], crf: Number(values.crf), say });
    console.log(values.json ? JSON.stringify(result) : `\n${summary(result)}\n`);
  } catch (error) {
    say(`\nThe demo failed: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  }
}
