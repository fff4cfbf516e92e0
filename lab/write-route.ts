import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../lib/build/paths.ts';
import { runMain } from '../lib/build/run-main.ts';
import { describeRoutes } from './route/describe-route.ts';
import { measureRoutes } from './route/measure-route.ts';

const usage = `Measures which source files a request, a job and a webhook execute, and writes docs/route.md.

  npm run route`;

await runMain(async () => {
  const { values } = parseArgs({ options: { help: { type: 'boolean', default: false } } });
  if (values.help) return console.log(usage);
  await writeFile(join(root, 'docs', 'route.md'), await describeRoutes(await measureRoutes(), root));
});
