import type { Mutant } from './mutant.ts';

function mutant(name: string, file: string, find: string, replace: string, from = ''): Mutant {
  return { name, edits: [{ file, from, find, replace }] };
}

/** What keeps a content key where it is needed, encrypted, and nowhere else, removed one at a time. */
export const contentKeyMutants: readonly Mutant[] = [
  mutant(
    'that a job without files keeps its content key for a retry',
    'core/jobs/termination.ts',
    'contentKey: job.contentKey,',
    'contentKey: undefined,',
  ),
  mutant(
    'that a retry copies the content key',
    'functions/api/app/retry-job.ts',
    "'contentKey' in job ? job.contentKey : undefined",
    'undefined',
  ),
  mutant(
    'that the content key leaves the request',
    'functions/api/app/create-job.ts',
    'const { request, key } = takeContentKey(body);',
    'const { key } = takeContentKey(body); const request = body;',
  ),
];
