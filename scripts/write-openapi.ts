import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { buildOpenApiDocument } from '../core/api/openapi/document.ts';
import { contracts, webhooks } from '../core/api/registry.ts';

/** Generates docs/openapi.json from the contracts; a test compares the two. */
const file = path.join(import.meta.dirname, '../docs/openapi.json');
await writeFile(file, `${JSON.stringify(buildOpenApiDocument({ contracts, webhooks }), null, 2)}\n`);
