import { expect, it } from 'vitest';
import { logTail } from '../../src/runner/run.ts';

it('a short log is kept completely', () => {
  const log = logTail(100);
  log.add(Buffer.from('one\ntw'));
  log.add(Buffer.from('o\n'));
  expect(log.text()).toBe('one\ntwo\n');
});

it('a long log is cut at the start of a line', () => {
  const log = logTail(10);
  for (const line of ['first\n', 'second\n', 'third\n']) log.add(Buffer.from(line));
  expect(log.text()).toBe('third\n');
});
