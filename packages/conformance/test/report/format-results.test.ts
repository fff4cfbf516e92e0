import { expect, it } from 'vitest';
import { countOutcomes, formatSummary, resultFormatter } from '../../src/report/format-results.ts';
import { type Result, redactSecrets } from '../../src/run-suite.ts';

const clause = (id: string) => ({ id, section: 'Limits', sentence: `Of ${id}.`, check: async () => {} });
const results: Result[] = [
  { clause: clause('a'), outcome: 'passed', reason: 'a is 1', seconds: 0.25 },
  { clause: clause('b'), outcome: 'failed', reason: 'b is 1, not 2', seconds: 1 },
  { clause: clause('c'), outcome: 'skipped', reason: 'needs --session, a session token', seconds: 0 },
];

it('each result has its position, time and reason', () => {
  const formatter = resultFormatter({ total: 3, colour: false });
  expect(results.flatMap(formatter.formatResult)).toEqual([
    '',
    'Limits',
    '✓ 1/3 Of a.  (a, 0.3 s)',
    '      a is 1',
    '✗ 2/3 Of b.  (b, 1.0 s)',
    '      b is 1, not 2',
    '- 3/3 Of c.',
    '      skipped: needs --session, a session token',
  ]);
  expect(formatSummary(countOutcomes(results, 1.6))).toBe('Clauses: 1 passed, 1 failed, 1 skipped, in 2 s.');
});

it.each([
  ['a key', `nte_${'aB3'.repeat(16)}`],
  ['a token', 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhZGEifQ.c2ln'],
  ['a signature', '4c1f9a'],
])('redactSecrets removes %s', (what, secret) => {
  const text = what === 'a signature' ? `https://s3.example/a?X-Amz-Signature=${secret}&b=1` : `{"key":"${secret}"}`;
  const shown = redactSecrets(text);
  expect(shown).not.toContain(secret);
  expect(shown.length).toBeGreaterThan(10);
});
