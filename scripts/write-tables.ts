import { documents } from './tables/documents.ts';
import { writeDocument } from './tables/write-document.ts';

for (const name of Object.keys(documents)) await writeDocument(name);
