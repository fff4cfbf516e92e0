import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Stack } from 'aws-cdk-lib';
import { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { describe, expect, it } from 'vitest';
import { alarmRules } from '../../lib/alarm-rules.ts';
import { settingsTable } from '../../lib/settings-table.ts';

const path = join(import.meta.dirname, '../../docs/operating.md');
const text = readFileSync(path, 'utf8');

function everyAlarm() {
  const stack = new Stack();
  const queue = new Queue(stack, 'Queue');
  return alarmRules({ stage: 'test', queue, deadLetters: queue, api: new HttpApi(stack, 'Api') });
}

describe('docs/operating.md', () => {
  it('lists every setting as its schema has it; with UPDATE=1 it is written', () => {
    const [before = '', rest = ''] = text.split('<!-- settings -->\n');
    const after = rest.slice(rest.indexOf('<!-- /settings -->'));
    const written = `${before}<!-- settings -->\n${settingsTable()}\n${after}`;
    if (process.env.UPDATE === '1') writeFileSync(path, written);
    expect(process.env.UPDATE === '1' ? written : text).toBe(written);
  });

  it.each(everyAlarm().map(({ name }) => name))(
    'says of the alarm %s what it means, where to look and what to do',
    (name) => {
      const entry = text.split(`### ${name}\n`)[1]?.split('\n### ')[0] ?? '';
      for (const part of ['**Meaning.**', '**Look.**', '**Do.**']) expect(entry).toContain(part);
    },
  );
});
