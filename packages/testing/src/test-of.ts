import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { createVitest } from 'vitest/node';
import { subjectsIn, subjectsOf } from './test-tags.ts';

const usage = `Usage: npm run test:of -- FILE... [--mode full]

Runs the tests of the same package that import FILE, and all tests with a tag of its subject.`;

const { values, positionals } = parseArgs({
  options: { mode: { type: 'string', default: 'test' }, help: { type: 'boolean' } },
  allowPositionals: true,
});
if (values.help || positionals.length === 0) {
  console.log(usage);
  process.exit(values.help ? 0 : 2);
}

const root = path.resolve(import.meta.dirname, '../../..');

/** The package of a file, which is empty outside packages, and its path without `packages` and `src`. */
function locate(file: string): { room: string; name: string } {
  const relative = path.relative(root, file);
  const [, room = ''] = /^packages\/([^/]+)/.exec(relative) ?? [];
  return { room, name: relative.replace(/^packages\//, '').replace('/src/', '/') };
}

const files = positionals.map((file) => path.resolve(file));
const isOfTests = files.some((file) => /\btest\//.test(locate(file).name));
const rooms = new Set(files.map((file) => locate(file).room));
const subjects = new Set(files.flatMap((file) => subjectsOf(locate(file).name)));
const vitest = await createVitest('test', { root, mode: values.mode, watch: false, related: files });
const importing = new Set((await vitest.getRelevantTestSpecifications()).map(({ moduleId }) => moduleId));
const all = await vitest.globTestSpecifications();
const chosen = all.filter(({ moduleId }) => {
  const tags = subjectsIn(readFileSync(moduleId, 'utf8'));
  if (tags.some((tag) => subjects.has(tag))) return true;
  return importing.has(moduleId) && (isOfTests || (tags.length === 0 && rooms.has(locate(moduleId).room)));
});
console.log(`Subjects: ${[...subjects].join(', ') || 'none'}. ${chosen.length} of ${all.length} test files.`);
await vitest.standalone();
await vitest.runTestSpecifications(chosen);
await vitest.close();
if (chosen.length === 0) process.exitCode = 1;
