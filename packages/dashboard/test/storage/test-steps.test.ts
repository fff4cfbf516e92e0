import { expect, it } from 'vitest';
import { stepResults } from '../../src/storage/test-steps.ts';

it('the steps before the failed one succeeded, those after it did not run', () => {
  const results = stepResults({ ok: false, message: 'Read failed: the provider returned other bytes.' });
  expect(results.map(({ step, result }) => `${step} ${result}`)).toEqual([
    ...['Access ok', 'Write ok', 'Read failed', 'List not run', 'Removal not run'],
  ]);
});

it('all steps of a test succeeded', () => {
  expect(new Set(stepResults({ ok: true, message: 'Done.' }).map(({ result }) => result))).toEqual(new Set(['ok']));
});

it('a message without a known step has no steps', () => {
  expect(stepResults({ ok: false, message: 'Something else.' })).toEqual([]);
});
