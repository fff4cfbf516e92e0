import { readPage } from './command-lines.ts';

/** The bodies of docs/api.md under "Ten usual jobs", by their titles. */
export function usualJobs(url: string): Map<string, object> {
  const [, section = ''] = /^## Ten usual jobs\n([\s\S]*?)^## /m.exec(readPage('docs/api.md')) ?? [];
  const rows = section.matchAll(/^\| (.+?) \| `(.+)` \|$/gm);
  return new Map([...rows].map(([, title = '', fields]) => [title, { input: { url }, ...JSON.parse(`{${fields}}`) }]));
}
