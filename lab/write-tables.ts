import { parseArgs } from 'node:util';
import { runMain } from '../lib/build/run-main.ts';
import { documents } from './tables/documents.ts';
import { writeRequests } from './tables/http-requests.ts';
import { writeDocument } from './tables/write-document.ts';

const usage = `Writes the tables of the documents that are generated from the code: ${Object.keys(documents).join(', ')}.
A test compares the two. Writes the requests of the cookbook to examples/jobs.http, too.

  npm run tables`;

await runMain(async () => {
  const { values } = parseArgs({ options: { help: { type: 'boolean', default: false } } });
  if (values.help) return console.log(usage);
  for (const name of Object.keys(documents)) await writeDocument(name);
  await writeRequests();
});
