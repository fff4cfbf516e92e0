import { parseArgs } from 'node:util';
import { documents } from './tables/documents.ts';
import { writeDocument } from './tables/write-document.ts';

const usage = `Writes the tables of the documents that are generated from the code: ${Object.keys(documents).join(', ')}.
A test compares the two.

  npm run tables`;

const { values } = parseArgs({ options: { help: { type: 'boolean', default: false } } });
if (values.help) {
  console.log(usage);
  process.exit(0);
}

for (const name of Object.keys(documents)) await writeDocument(name);
