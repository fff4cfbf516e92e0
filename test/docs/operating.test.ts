import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Stack } from 'aws-cdk-lib';
import { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { describe, expect, it } from 'vitest';
import { alarmRules } from '../../lib/alarm-rules.ts';

const text = readFileSync(join(import.meta.dirname, '../../docs/operating.md'), 'utf8');

function everyAlarm() {
  const stack = new Stack();
  const queue = new Queue(stack, 'Queue');
  return alarmRules({ stage: 'test', queue, deadLetters: queue, api: new HttpApi(stack, 'Api') });
}

describe('docs/operating.md', () => {
  it.each(everyAlarm().map(({ name }) => name))(
    'says of the alarm %s what it means, where to look and what to do',
    (name) => {
      const entry = text.split(`### ${name}\n`)[1]?.split('\n### ')[0] ?? '';
      for (const part of ['**Meaning.**', '**Look.**', '**Do.**']) expect(entry).toContain(part);
    },
  );
});
