import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { findFfmpeg } from '@media-jobs/video/local-programs';
import { runMain } from '../lib/build/run-main.ts';
import { readAllowed } from './command-table/read-options.ts';

const usage = `Writes what commands of presets may use of ffmpeg, as far as the installed one has it. Use the release series of the
image: layers/ffmpeg/version.

  npm run command-table`;

await runMain(async () => {
  const { values } = parseArgs({ options: { help: { type: 'boolean', default: false } } });
  if (values.help) return console.log(usage);
  const table = readAllowed(findFfmpeg(process.env).ffmpeg);
  const target = path.join(import.meta.dirname, '../packages/video/src/recipes/command/allowed.json');
  writeFileSync(target, `${JSON.stringify(table, undefined, 2)}\n`);
  console.log(`${table.encoders.length} encoders, ${Object.keys(table.filters).length} filters of ${table.ffmpeg}`);
});
