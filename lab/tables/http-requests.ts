import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { root } from '../../lib/build/paths.ts';

const introduction = `# The jobs of docs/cookbook.md, from which "npm run tables" writes this file.
# Editors send them: those of JetBrains, VS Code with the extension REST Client. Set the two variables, and your own URLs.
@url = http://127.0.0.1:8787
@key = nte_...
`;

const newest = `
### The newest job, with the URLs of its files
GET {{url}}/api/v1/jobs?limit=1&expand=files
X-API-KEY: {{key}}
`;

/** The jobs of the cookbook as requests of an `.http` file. */
export async function httpRequests(): Promise<string> {
  const page = await readFile(path.join(root, 'docs/cookbook.md'), 'utf8');
  const jobs = page.matchAll(/^## (.+)$[\s\S]*?```json\n([\s\S]*?)^```$/gm);
  const requests = [...jobs].map(
    ([, title = '', body = '']) => `
### ${title}
POST {{url}}/api/v1/jobs
X-API-KEY: {{key}}
Content-Type: application/json

${body}`,
  );
  return [introduction, ...requests, newest].join('');
}

export async function writeRequests(): Promise<void> {
  await writeFile(path.join(root, 'examples/jobs.http'), await httpRequests());
}
