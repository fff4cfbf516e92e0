import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { buildOpenApiDocument } from '../core/api/openapi/document.ts';
import { contracts, webhooks } from '../core/api/registry.ts';
import { runMain } from '../lib/build/run-main.ts';

const usage = `Writes docs/openapi.json from the contracts in core/api. A test compares the two.

  npm run openapi`;

const file = path.join(import.meta.dirname, '../docs/openapi.json');

await runMain(async () => {
  const { values } = parseArgs({ options: { help: { type: 'boolean', default: false } } });
  if (values.help) return console.log(usage);
  await writeFile(file, `${JSON.stringify(buildOpenApiDocument({ contracts, webhooks }), null, 2)}\n`);
});
